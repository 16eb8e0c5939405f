import { needed } from "./at-block.js";
import type { ReadContext } from "./context.js";
import { UnreadError } from "./unreadable.js";
import * as values from "./values.js";

/** The address under which the bank precompile lists the native coin. */
const NATIVE = `0x${"ee".repeat(20)}`;

/**
 * Reads from the bank precompile how much there is of the native coin, in base
 * units; `undefined` where the chain does not have the precompile.
 *
 * @throws UnreadError when there are other coins, which the emulation lacks
 */
export async function readListedSupply({
  at,
}: ReadContext): Promise<bigint | undefined> {
  const [answer] = await at.views([
    { precompile: "bank", method: "totalSupply" },
  ]);
  if (answer === undefined || "unread" in answer) return undefined;
  const coins = values.list(needed(answer).totalSupply);
  const isNative = ({ contractAddress }: Record<string, unknown>) =>
    String(contractAddress).toLowerCase() === NATIVE;
  const other = coins.find((coin) => !isNative(coin));
  if (other !== undefined) {
    throw new UnreadError(
      `the chain's bank has coins besides the native one, which a fork does not hold`,
      { address: values.address(other.contractAddress) },
    );
  }
  return values.amount(coins.find(isNative)?.amount ?? 0n);
}
