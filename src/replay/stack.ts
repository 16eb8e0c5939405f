import { errorText } from "../support/text.js";

/** What a failure says of the sources. */
export interface SolidityFailure {
  readonly message: string;
  /** The innermost line first: `Vault.deposit (contracts/Vault.sol:45)`. */
  readonly stack: readonly string[];
}

/** A line of a stack that is of a contract and not of JavaScript. */
const OF_A_CONTRACT =
  /^\s*at (.+\.sol:\d+\)?|.+<(?:unrecognized-|)[^>]*contract[^>]*>.*|<Unrecognized.*)$/i;

const MOST = 50;

/**
 * The stack of Solidity lines in the error of a simulated network, where it
 * knows the sources; `undefined` where it knows none of them.
 */
export function solidityFailure(error: unknown): SolidityFailure | undefined {
  for (
    let one: unknown = error;
    one instanceof Error;
    one = (one as Error).cause
  ) {
    const stack = (one.stack ?? "")
      .split("\n")
      .flatMap((line) => OF_A_CONTRACT.exec(line)?.[1] ?? [])
      .slice(0, MOST);
    if (stack.some((line) => /\.sol:\d+/.test(line))) {
      return { message: errorText(one), stack };
    }
  }
  return undefined;
}
