const STANDARD = /[^A-Za-z0-9+/]/g;
const URL_SAFE = /[^A-Za-z0-9_-]/g;

/**
 * Finds the first character that Go's decoder refuses: both alphabets of base64
 * need their padding, and line ends are skipped.
 *
 * @returns its index; `undefined` when the text is valid
 */
function faultIn(text: string, foreign: RegExp): number | undefined {
  if (/[\r\n]/.test(text)) return faultIn(text.replace(/[\r\n]/g, ""), foreign);
  foreign.lastIndex = 0;
  const found = foreign.exec(text)?.index ?? text.length;
  const rest = text.slice(found);
  const place = found % 4;
  if (rest === "") return place === 0 ? undefined : found - place;
  if (!rest.startsWith("=") || place < 2) return found;
  if (place === 3) return rest.length === 1 ? undefined : found + 1;
  if (rest.length === 1) return text.length;
  if (rest[1] !== "=") return found;
  return rest.length === 2 ? undefined : found + 2;
}

const message = (at: number) => `illegal base64 data at input byte ${at}`;

const decoded = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

/**
 * Decodes base64.
 *
 * @param refused returns the error to throw, given Go's message
 */
export function fromBase64(
  text: string,
  refused: (why: string) => Error,
): Uint8Array {
  const fault = faultIn(text, STANDARD);
  if (fault !== undefined) throw refused(message(fault));
  return decoded(text);
}

/**
 * Decodes base64 in either alphabet, as the gateway does: the error is that of
 * the URL-safe one.
 *
 * @param refused returns the error to throw, given Go's message
 */
export function fromAnyBase64(
  text: string,
  refused: (why: string) => Error,
): Uint8Array {
  if (faultIn(text, STANDARD) === undefined) return decoded(text);
  const fault = faultIn(text, URL_SAFE);
  if (fault !== undefined) throw refused(message(fault));
  return decoded(text);
}
