const MAX_TEXT = 300;

// Control characters (C0, DEL, C1), ANSI sequences first so that nothing of
// them remains, and the bidirectional overrides that can disguise a text.
const ANSI =
  /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?/g;
const CONTROL =
  /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/**
 * Makes a server's text safe to print: on one line, without control characters,
 * and at most `max` characters long.
 *
 * @example cleanText("\u001b[31mbad\u001b[0m\nnews") // "bad news"
 */
export function cleanText(text: unknown, max = MAX_TEXT): string {
  // Cut before cleaning, too: a hostile text may be very long.
  const raw = (typeof text === "string" ? text : String(text)).slice(
    0,
    max * 4,
  );
  const clean = raw.replace(ANSI, "").replace(CONTROL, " ").trim();
  return clean.length > max ? `${clean.slice(0, max - 1)}…` : clean;
}

/** The message of anything that was thrown, safe to print. */
export function errorText(error: unknown, max = MAX_TEXT): string {
  return cleanText(error instanceof Error ? error.message : error, max);
}

export const capitalize = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1);
