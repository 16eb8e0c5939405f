// Last, when a request fails: names the frames of its stack trace that Hardhat
// does not know.

/**
 * A line of Hardhat's stack traces for a contract that the project has not
 * compiled.
 */
const UNKNOWN_FRAME =
  /^ *at <UnrecognizedContract>\.<unknown> \((0x[0-9a-f]{40})\)\n?/gim;

/**
 * Returns the name to write for a contract; `null` drops its line, and
 * `undefined` keeps the line as it is.
 */
export type NameFrame = (address: string) => string | null | undefined;

/**
 * Names the frames of an error's stack trace where the emulation knows more
 * than Hardhat: precompiles get their names, and proxies that stood in for
 * contracts disappear.
 */
export function nameFrames(error: unknown, nameOf: NameFrame): void {
  if (!(error instanceof Error) || error.stack === undefined) return;
  const named = error.stack.replace(UNKNOWN_FRAME, (line, address: string) => {
    const name = nameOf(address.toLowerCase());
    if (name === undefined) return line;
    return name === null ? "" : `    at ${name} (${address})\n`;
  });
  // Node's own errors may have a stack that cannot be written.
  if (named !== error.stack) error.stack = named;
}
