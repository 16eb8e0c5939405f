/** What a page of the documentation links to, and what can be linked to on it. */
export interface Links {
  /** Targets of its links, as written. */
  readonly targets: readonly string[];
  /** The anchors of its headings, as GitHub and npm make them. */
  readonly anchors: readonly string[];
}

export function linksOf(page: string): Links {
  const prose = page.replace(/^```.*?^```/gms, "");
  return {
    targets: [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) =>
      String(target),
    ),
    anchors: [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      String(heading)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  };
}

/**
 * Returns the links that lead nowhere.
 *
 * @param pages texts by path in the package
 * @param files paths of all files in the package
 */
export function deadLinks(
  pages: Readonly<Record<string, string>>,
  files: readonly string[],
): string[] {
  return Object.entries(pages).flatMap(([path, page]) =>
    linksOf(page)
      .targets.filter((target) => !target.startsWith("https://"))
      .filter((target) => {
        const { pathname, hash } = new URL(target, `file:///${path}`);
        const file = pathname.slice(1);
        return !(
          files.includes(file) &&
          (hash === "" ||
            linksOf(pages[file] ?? "").anchors.includes(hash.slice(1)))
        );
      })
      .map((target) => `${path}: ${target}`),
  );
}
