/**
 * Decodes hex without 0x.
 *
 * @param refused returns the error to throw, given Go's message
 */
export function fromHex(
  text: string,
  refused: (why: string) => Error,
): Uint8Array {
  const bad = /[^0-9a-fA-F]/.exec(text)?.[0];
  if (bad !== undefined) {
    const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase();
    throw refused(
      `encoding/hex: invalid byte: U+${code.padStart(4, "0")} '${bad}'`,
    );
  }
  if (text.length % 2 !== 0)
    throw refused("encoding/hex: odd length hex string");
  return new Uint8Array(Buffer.from(text, "hex"));
}
