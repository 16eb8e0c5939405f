import { errorText } from "../support/text.js";

/** A failure with its Solidity stack. */
export interface SolidityFailure {
  readonly message: string;
  /** Innermost first, such as `Vault.deposit (contracts/Vault.sol:45)`. */
  readonly stack: readonly string[];
}

/**
 * Matches a line of an error's stack that is of a contract, not of JavaScript.
 */
const OF_A_CONTRACT =
  /^\s*at (.+\.sol:\d+\)?|.+<(?:unrecognized-|)[^>]*contract[^>]*>.*|<Unrecognized.*)$/i;

const MOST = 50;

/**
 * Extracts the Solidity stack from an error of a simulated network; `undefined`
 * if the network knows none of the sources.
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
