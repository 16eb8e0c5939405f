// Reads from a trace how much gas a request needs.

import type { Frame } from "./trace.js";

/** Of the gas that is left, a call gets all but a 64th (EIP-150). */
const PARTS = 64n;
/** A call with value gets this for nothing. */
const STIPEND = 2300n;

/**
 * The smallest gas limit with which the traced request would go the same way,
 * from a trace that had far more; refunds, of which the trace tells nothing,
 * are not in it. `undefined` for a request that fails.
 */
export function gasNeed(root: Frame): bigint | undefined {
  return root.error === undefined ? needOf(root) : undefined;
}

/** With room for refunds, a fifth of what was spent at most, and for what a block later may cost more. */
export const ample = (need: bigint): bigint => (need * 5n) / 4n + 10_000n;

function needOf(frame: Frame): bigint {
  const given = BigInt(frame.gas ?? "0x0");
  let need = BigInt(frame.gasUsed ?? "0x0");
  for (const call of frame.calls ?? []) {
    const got = BigInt(call.gas ?? "0x0");
    // A call that was given a certain amount says nothing about what was left.
    if (got * 2n < given) continue;
    const left = (got * PARTS) / (PARTS - 1n);
    const spent = given > left ? given - left : 0n;
    const wanted = spent + (needOf(call) * PARTS) / (PARTS - 1n) + STIPEND;
    if (wanted > need) need = wanted;
  }
  return need;
}

/** The same for two traces where both spend the same gas in the same calls, so that both need the same limit. */
export const gasShape = ({
  type,
  to,
  gas,
  gasUsed,
  error,
  calls,
}: Frame): string =>
  [type, to, gas, gasUsed, error, ...(calls ?? []).map(gasShape)].join("|");

/** Whether two traces call the same accounts, with the same success. */
export function sameWay(a: Frame, b: Frame): boolean {
  const [calls, others] = [a.calls ?? [], b.calls ?? []];
  if (
    a.to !== b.to ||
    a.type !== b.type ||
    (a.error === undefined) !== (b.error === undefined)
  )
    return false;
  return (
    calls.length === others.length &&
    calls.every((call, index) => sameWay(call, others[index] as Frame))
  );
}
