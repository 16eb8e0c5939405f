// After the trace, for transactions that call the modules more often than a
// chain allows.

import { revertReason } from "../../precompiles/revert-reason.js";
import { CALL_COUNTER } from "../modules/accounts.js";
import type { Emulated, Frame } from "./trace.js";

/** How many calls to the modules a chain allows in a transaction. */
export const MOST_CALLS = 20;

/** A module's revert reason for every further call. */
const REFUSAL = `max calls to precompiles (${MOST_CALLS}) reached`;

/** A call with less gas runs out of it before the module counts the call. */
const LEAST_GAS = 6_000n;

/**
 * Upper bound of the gas that a module uses before it reads how much is left.
 * Calls whose gas differs by no more cannot be told apart.
 */
const MARGIN = 1_000n;

/** The largest gas value that a module reads; no call has that much. */
const ALL = 2n ** 48n - 1n;

/** The account whose warmth shows the modules that `calls` came before. */
const counterOf = (calls: number) =>
  `0x${(BigInt(CALL_COUNTER) + BigInt(calls)).toString(16).padStart(40, "0")}`;

interface ModuleCall {
  /** The sender of its transaction. */
  readonly origin: string;
  /** How many calls the module counts before this one: those not reverted. */
  readonly seen: number;
  readonly gas: bigint;
  /** Whether the chain refuses the call. */
  readonly isTooMany: boolean;
  readonly frame: Frame;
}

/**
 * Returns the calls that a chain counts in a transaction, in order, including
 * reverted and refused ones; `undefined` if the frames do not tell their gas.
 */
function callsIn(
  root: Frame,
  { modules, all: accounts }: Emulated,
): readonly ModuleCall[] | undefined {
  const calls: ModuleCall[] = [];
  let seen = 0;
  let complete = true;
  const visit = (frame: Frame) => {
    const { type, to, from, gas, error, calls: inner } = frame;
    const before = seen;
    if (
      (type === "CALL" || type === "STATICCALL") &&
      to !== undefined &&
      modules.has(to) &&
      !accounts.has(from)
    ) {
      if (gas === undefined) complete = false;
      else if (BigInt(gas) >= LEAST_GAS) {
        calls.push({
          origin: root.from,
          seen,
          gas: BigInt(gas),
          isTooMany: calls.length >= MOST_CALLS,
          frame,
        });
        seen++;
      }
    }
    inner?.forEach(visit);
    if (error !== undefined) seen = before;
  };
  visit(root);
  return complete ? calls : undefined;
}

/**
 * Whether a transaction had exactly the calls beyond the limit refused; `true`
 * as well if its frames do not tell their gas.
 */
export function keepsCallLimit(root: Frame, emulated: Emulated): boolean {
  const calls = callsIn(root, emulated);
  return (
    calls === undefined ||
    calls.every(
      ({ frame, isTooMany }) =>
        isTooMany ===
        (frame.error !== undefined && revertReason(frame.output) === REFUSAL),
    )
  );
}

/**
 * What the state of a counter account tells the modules: calls that begin with
 * less gas than its balance are refused, unless its code lists which ones.
 */
export interface CallLimit {
  /** Gas units. */
  readonly balance: bigint;
  /** `0x`, or a STOP and rows of a sender and the range of gas to refuse. */
  readonly code: string;
}

/**
 * Calls of one sender, at one count, that exceed the limit: with at least
 * `from` and less than `below` units of gas.
 */
interface Refused {
  readonly origin: string;
  readonly from: bigint;
  readonly below: bigint;
}

/**
 * Returns what the counter accounts must tell the modules so that they refuse
 * the calls that a chain refuses. Modules count by warm accounts, and a
 * reverted call leaves its account cold: where some of the first calls were
 * reverted, they are told by gas which calls to refuse. Calls that gas does not
 * tell apart are left out.
 */
export function callLimits(
  roots: readonly Frame[],
  emulated: Emulated,
): ReadonlyMap<string, CallLimit> {
  const counted = roots
    .flatMap((root) => callsIn(root, emulated) ?? [])
    // At the limit the module refuses by itself.
    .filter(({ seen }) => seen < MOST_CALLS);
  const limits = new Map<string, CallLimit>();
  for (const [seen, calls] of groupBy(counted, (call) => call.seen)) {
    const byOrigin = groupBy(calls, (call) => call.origin);
    const refused = [...byOrigin].flatMap(([origin, own]) =>
      refusedRanges(own).map(([from, below]) => ({ origin, from, below })),
    );
    if (refused.length > 0)
      limits.set(counterOf(seen), limitOf(refused, byOrigin.size > 1));
  }
  return limits;
}

function limitOf(refused: readonly Refused[], isShared: boolean): CallLimit {
  const rows = refused.map(
    ({ origin, from, below }) =>
      `${origin.slice(2)}${hex48(from)}${hex48(below)}`,
  );
  const isOneRange = refused.every(({ from }) => from === 0n) && !isShared;
  return {
    balance: refused.reduce(
      (most, { below }) => (below > most ? below : most),
      0n,
    ),
    code: isOneRange ? "0x" : `0x00${rows.join("")}`,
  };
}

function groupBy<T, K>(list: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one)) ?? [];
    group.push(one);
    groups.set(keyOf(one), group);
  }
  return groups;
}

const hex48 = (value: bigint) => value.toString(16).padStart(12, "0");

/** Returns the ranges of gas in which every call exceeds the limit. */
function refusedRanges(
  calls: readonly ModuleCall[],
): (readonly [from: bigint, below: bigint])[] {
  const ranges: (readonly [bigint, bigint])[] = [];
  const sorted = calls.toSorted((a, b) => (a.gas < b.gas ? -1 : 1));
  for (let first = 0; first < sorted.length; first++) {
    if (sorted[first]?.isTooMany !== true) continue;
    let last = first;
    while (sorted[last + 1]?.isTooMany === true) last++;
    const gasAt = (at: number, otherwise: bigint) =>
      sorted[at]?.gas ?? otherwise;
    const [least, most] = [gasAt(first, 0n), gasAt(last, 0n)];
    const under = gasAt(first - 1, -MARGIN - 1n);
    const over = gasAt(last + 1, 2n * ALL);
    if (least - under > MARGIN && over - most > MARGIN) {
      const below = (most + over) / 2n;
      ranges.push([
        under < 0n ? 0n : (under + least) / 2n,
        below < ALL ? below : ALL,
      ]);
    }
    first = last;
  }
  return ranges;
}

/**
 * Returns the frames of a transaction as if the calls beyond the limit had
 * failed at once.
 */
export function withoutExcess(root: Frame, emulated: Emulated): Frame {
  const refused = new Set(
    callsIn(root, emulated)
      ?.filter(({ isTooMany }) => isTooMany)
      .map(({ frame }) => frame),
  );
  const without = (frame: Frame): Frame => {
    const { calls, ...rest } = frame;
    return refused.has(frame)
      ? { ...rest, error: "execution reverted" }
      : { ...frame, calls: calls?.map(without) };
  };
  return without(root);
}
