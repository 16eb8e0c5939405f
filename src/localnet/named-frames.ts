// Last, where a request fails: the stack trace of its error gets names that
// Hardhat does not know.

/** How Hardhat's stack traces call a contract that the project has not compiled. */
const UNKNOWN_FRAME =
  /^ *at <UnrecognizedContract>\.<unknown> \((0x[0-9a-f]{40})\)\n?/gim;

/** What to write for a contract: its name, nothing at all (`null`), or what stands there (`undefined`). */
export type NameFrame = (address: string) => string | null | undefined;

/**
 * Gives the frames of an error's stack trace their names, as far as the
 * emulation knows better than Hardhat: a precompile by its own, and nothing
 * for what stands in front of a contract while that pays.
 */
export function nameFrames(error: unknown, nameOf: NameFrame): void {
  if (!(error instanceof Error) || error.stack === undefined) return;
  error.stack = error.stack.replace(UNKNOWN_FRAME, (line, address: string) => {
    const name = nameOf(address.toLowerCase());
    if (name === undefined) return line;
    return name === null ? "" : `    at ${name} (${address})\n`;
  });
}
