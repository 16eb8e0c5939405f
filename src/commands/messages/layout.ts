import { type Money, tokens } from "../money.js";

/** Labels and values below each other, the values aligned; what is undefined is left out. */
export function labelled(
  entries: readonly (readonly [label: string, value: string | undefined])[],
): string[] {
  const shown = entries.filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}

/** The heading of everything that is about one network. */
export const onNetwork = (
  what: string,
  { network, chainId }: { readonly network: string; readonly chainId: number },
): string => `${what} on ${network} (chain ID ${chainId})`;

/** Cells below each other, with a heading; columns of numbers are aligned at their right. */
export function table(
  columns: readonly (readonly [heading: string, align?: "right"])[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = columns.map(([heading], column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [columns.map(([heading]) => heading), ...rows].map((row) =>
    `  ${row
      .map((cell, column) =>
        columns[column]?.[1] === "right"
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")}`.trimEnd(),
  );
}

/** Amounts of several denominations in one line. */
export const sums = (amounts: readonly Money[]): string =>
  amounts.length === 0 ? "none" : amounts.map(tokens).join(", ");

/** A time of a report for people. */
export const timeText = (iso: string | undefined, none = "-"): string =>
  iso === undefined ? none : iso.replace("T", " ").replace("Z", " UTC");

/**
 * A long word with its middle left out.
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
