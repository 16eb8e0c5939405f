/*
 * The blocks of code on a page of the documentation, and what they are:
 *
 *   ```ts, js, json, solidity   a file of the reader's project. Its first line
 *                               names it: `// scripts/stake.ts`. Where that must
 *                               not show, `<!-- file: proposal.json -->` stands
 *                               before the block.
 *   ```sh                       commands that succeed
 *   ```console                  commands after `$ `, with what they print; the
 *                               output is written by `npm run docs`. A command
 *                               that never ends, such as `watch`, gets Ctrl-C
 *                               after as many lines as the page shows
 *
 * `<!-- not run: why -->` before a block excuses it.
 */

export interface Place {
  readonly page: string;
  /** Line of the page, from 1, where the block's code begins. */
  readonly line: number;
  /** Where its code stands in the page's text. */
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

export interface Command {
  readonly text: string;
  /** Its output on the page; `undefined` if the page shows none. */
  readonly output: string | undefined;
}

export type Block = Place &
  (
    | { readonly kind: "file"; readonly path: string }
    | { readonly kind: "commands"; readonly commands: readonly Command[] }
    | { readonly kind: "excused"; readonly why: string }
  );

/**
 * Finds the blocks of a page.
 *
 * @throws Error with the line of a block that is none of these
 */
export function blocksOf(page: string, text: string): Block[] {
  const fenced =
    /(?:^<!-- (file|not run): (.+?) -->\n+)?^```([^\n]*)\n(.*?)^```$/dgms;
  return [...text.matchAll(fenced)].map((match): Block => {
    const [, mark, marked = "", language = "", code = ""] = match;
    const [start, end] = match.indices?.[4] ?? [0, 0];
    const line = text.slice(0, start).split("\n").length;
    const place = { page, line, start, end, code };
    if (mark === "not run") {
      return { ...place, kind: "excused", why: marked };
    }
    if (language === "sh" || language === "console") {
      const commands =
        language === "sh" ? shellCommands(code) : consoleCommands(code);
      return { ...place, kind: "commands", commands };
    }
    const path =
      mark === "file" ? marked : /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1];
    if (path === undefined || !/^(?:ts|js|json|solidity)$/.test(language)) {
      throw new Error(
        `${page}:${place.line}: a block of "${language}" without a file's name in its first line; see test/docs/blocks.ts`,
      );
    }
    return { ...place, kind: "file", path };
  });
}

const shellCommands = (code: string): Command[] =>
  code
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)# .*$/, "").trim())
    .filter((line) => line !== "")
    .map((text) => ({ text, output: undefined }));

const consoleCommands = (code: string): Command[] =>
  code
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [text = "", ...output] = part.split("\n");
      return { text, output: trimmed(output.join("\n")) };
    });

/** Writes the code of a console block. */
export const consoleCode = (outputs: readonly Command[]): string =>
  outputs
    .map(({ text, output = "" }) =>
      `$ ${text}\n${output}`.trimEnd().concat("\n"),
    )
    .join("\n");

/** Removes empty lines at both ends; the first line may be indented. */
export const trimmed = (output: string) => output.replace(/^\n+|\s+$/g, "");
