// Reads from a trace how much gas a request needs.

import type { Frame } from "./trace.js";

/** A call gets at most all but one 64th of the remaining gas (EIP-150). */
const PARTS = 64n;
/** Gas that a call with value gets on top, free of charge. */
const STIPEND = 2300n;

/**
 * Returns the smallest gas limit, in gas units, with which a traced request
 * would take the same path, from a trace with far more gas. Refunds, which a
 * trace does not show, are not included. `undefined` if the request fails.
 */
export function gasNeed(root: Frame): bigint | undefined {
  return root.error === undefined ? needOf(root) : undefined;
}

/**
 * Adds room for refunds, at most a fifth of the gas spent (EIP-3529), and for
 * what the request may cost more in a later block.
 */
export const ample = (need: bigint): bigint => (need * 5n) / 4n + 10_000n;

function needOf(frame: Frame): bigint {
  const given = BigInt(frame.gas ?? "0x0");
  let need = BigInt(frame.gasUsed ?? "0x0");
  for (const call of frame.calls ?? []) {
    const got = BigInt(call.gas ?? "0x0");
    // A call with an explicit amount of gas says nothing about the rest.
    if (got * 2n < given) continue;
    const left = (got * PARTS) / (PARTS - 1n);
    const spent = given > left ? given - left : 0n;
    const wanted = spent + (needOf(call) * PARTS) / (PARTS - 1n) + STIPEND;
    if (wanted > need) need = wanted;
  }
  return need;
}

/**
 * Returns a key that two traces share if they spend the same gas in the same
 * calls, and so need the same limit.
 */
export const gasShape = ({
  type,
  to,
  gas,
  gasUsed,
  error,
  calls,
}: Frame): string =>
  [type, to, gas, gasUsed, error, ...(calls ?? []).map(gasShape)].join("|");

/** Whether two traces make the same calls, with the same success. */
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
