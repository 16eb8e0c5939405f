import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";

const DENOMINATOR = 8n;
const ELASTICITY = 2n;

/**
 * Keeps the next block's base fee at the chain's minimum where the simulator's
 * would fall below it.
 *
 * @param least the minimum, in base units per gas
 */
export async function keepBaseFee(ask: Ask, least: bigint): Promise<void> {
  const head = await ask("eth_getBlockByNumber", ["latest", false]);
  const fields = isRecord(head) ? head : {};
  const number = (name: string) =>
    fromQuantity(fields[name], "a field of a block");
  const target = number("gasLimit") / ELASTICITY;
  const base = number("baseFeePerGas");
  const fall = target - number("gasUsed");
  const next = fall <= 0n ? base : base - (base * fall) / target / DENOMINATOR;
  if (next < least) {
    await ask("hardhat_setNextBlockBaseFeePerGas", [toQuantity(least)]);
  }
}
