import { type Money, tokens } from "./money.js";

/** Labels and values on lines of their own, the values aligned. Skips undefined values. */
export function labelled(
  entries: readonly (readonly [label: string, value: string | undefined])[],
): string[] {
  const shown = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}

/** The heading of a report about one network. */
export const onNetwork = (
  what: string,
  { network, chainId }: { readonly network: string; readonly chainId: number },
): string => `${what} on ${network} (chain ID ${chainId})`;

/** An address or a hash, which people recognise by its ends. */
const LONG_WORD = /^(?:0x[0-9a-fA-F]{40,}|[a-z]+1[a-z0-9]{38,})$/;
/** The shortest form of such a word: `0x15d3…6A65`. */
export const SHORTEST = 11;

/**
 * A table with a heading.
 *
 * @param columns numbers are aligned on the right
 * @param width columns of the terminal, to which addresses are shortened in the
 * middle; `undefined` in a pipe, where they stay whole
 */
export function table(
  columns: readonly (readonly [heading: string, align?: "right"])[],
  rows: readonly (readonly string[])[],
  width?: number,
): string[] {
  const cells = [columns.map(([heading]) => heading), ...rows];
  const shown = width === undefined ? cells : fitted(cells, width);
  const widths = widthsOf(shown);
  return shown.map((row) =>
    `  ${row
      .map((cell, column) =>
        columns[column]?.[1] === "right"
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")}`.trimEnd(),
  );
}

const widthsOf = (cells: readonly (readonly string[])[]): number[] =>
  (cells[0] ?? []).map((_, column) =>
    Math.max(0, ...cells.map((row) => row[column]?.length ?? 0)),
  );

/** Shortens addresses and hashes until the table fits; in a column all get the same length. */
function fitted(
  cells: readonly (readonly string[])[],
  width: number,
): readonly (readonly string[])[] {
  const widths = widthsOf(cells);
  const long = widths.map((_, column) =>
    Math.max(
      0,
      ...cells
        .map((row) => row[column] ?? "")
        .filter((cell) => LONG_WORD.test(cell))
        .map((cell) => cell.length),
    ),
  );
  const total = widths.reduce((sum, one) => sum + one + 2, 0);
  const found = long.filter((length) => length > 0).length;
  if (total <= width || found === 0) {
    return cells;
  }
  const less = Math.ceil((total - width) / found);
  return cells.map((row) =>
    row.map((cell, column) =>
      LONG_WORD.test(cell)
        ? shortenMiddle(cell, Math.max(SHORTEST, (long[column] ?? 0) - less))
        : cell,
    ),
  );
}

/** Amounts of several denominations on one line. */
export const sums = (amounts: readonly Money[]): string =>
  amounts.length === 0 ? "none" : amounts.map(tokens).join(", ");

/** A time for people, from ISO 8601. */
export const timeText = (iso: string | undefined, none = "-"): string =>
  iso === undefined ? none : iso.replace("T", " ").replace("Z", " UTC");

/**
 * A word with its middle left out.
 *
 * @example shortenMiddle("0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65", 11) // "0x15d3…6A65"
 */
export function shortenMiddle(word: string, length: number): string {
  if (word.length <= length) {
    return word;
  }
  const end = Math.floor((length - 2) / 2);
  return `${word.slice(0, length - 1 - end)}…${word.slice(-end)}`;
}
