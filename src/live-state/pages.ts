import type { AtBlock, Fields, View } from "./at-block.js";
import { fields } from "./values.js";
import { UnreadError } from "./unreadable.js";

/** Entries per page. */
const LIMIT = 100n;
/** More than any list that is read here has. */
const MAX_PAGES = 200;

/**
 * Reads all pages of a view whose last argument is a page request.
 *
 * @param first the first page, if it was read already
 * @throws UnreadError when a page cannot be read, or the pages do not end
 */
export async function allPages(
  at: AtBlock,
  view: View,
  first?: Fields,
): Promise<Fields[]> {
  const pages: Fields[] = [];
  const seen = new Set<string>();
  let page = first ?? (await at.view(pageOf(view, "0x")));
  for (;;) {
    pages.push(page);
    const key = String(fields(page.pageResponse).nextKey ?? "0x");
    if (key === "0x") return pages;
    if (seen.has(key) || pages.length >= MAX_PAGES) {
      throw new UnreadError(
        `${view.precompile}.${view.method} has no end: the node gives page after page`,
        { fix: "Fork from another node." },
      );
    }
    seen.add(key);
    page = await at.view(pageOf(view, key));
  }
}

/** Returns the view's page that begins at a key. */
export const pageOf = (view: View, key: string): View => ({
  ...view,
  args: [...(view.args ?? []), [key, 0n, LIMIT, false, false]],
});

/** Returns the view's first page, with the node's default length. */
export const firstPageOf = (view: View): View => ({
  ...view,
  args: [...(view.args ?? []), ["0x", 0n, 0n, false, false]],
});
