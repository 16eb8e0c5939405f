import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";

const DENOMINATOR = 8n;
const ELASTICITY = 2n;

/** The base fee that the simulator gives the next block, after EIP-1559. */
async function simulatedBaseFee(ask: Ask): Promise<bigint> {
  const head = await ask("eth_getBlockByNumber", ["latest", false]);
  const fields = isRecord(head) ? head : {};
  const number = (name: string) =>
    fromQuantity(fields[name], "a field of a block");
  const target = number("gasLimit") / ELASTICITY;
  const base = number("baseFeePerGas");
  const excess = number("gasUsed") - target;
  const change = (base * excess) / target / DENOMINATOR;
  return base + (excess > 0n && change === 0n ? 1n : change);
}

/**
 * Returns the next block's base fee.
 *
 * @param least the chain's minimum, in base units per gas
 */
export async function nextBaseFee(ask: Ask, least: bigint): Promise<bigint> {
  const next = await simulatedBaseFee(ask);
  return next < least ? least : next;
}

/**
 * Keeps the next block's base fee at the chain's minimum where the simulator's
 * would fall below it.
 *
 * @param least the minimum, in base units per gas
 */
export async function keepBaseFee(ask: Ask, least: bigint): Promise<void> {
  if ((await simulatedBaseFee(ask)) < least) {
    await ask("hardhat_setNextBlockBaseFeePerGas", [toQuantity(least)]);
  }
}
