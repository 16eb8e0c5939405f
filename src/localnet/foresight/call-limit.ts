// After the trace of transactions with more calls of modules than a chain
// allows.

import { revertReason } from "../../precompiles/revert-reason.js";
import { CALL_COUNTER } from "../modules/accounts.js";
import type { Emulated, Frame } from "./trace.js";

/** A chain allows so many calls of the modules in a transaction. */
export const MOST_CALLS = 20;

/** What a module says of one more. */
const REFUSAL = `max calls to precompiles (${MOST_CALLS}) reached`;

/** Less is used up before a call counts. */
const LEAST_GAS = 6_000n;

/** What a module uses before it reads how much gas is left; two calls are further apart. */
const MARGIN = 1_000n;

/** More than any call has, and what a module reads. */
const ALL = 2n ** 48n - 1n;

/** The account by whose warmth the modules see that there were `calls` before. */
const counterOf = (calls: number) =>
  `0x${(BigInt(CALL_COUNTER) + BigInt(calls)).toString(16).padStart(40, "0")}`;

interface ModuleCall {
  /** Who sent its transaction. */
  readonly origin: string;
  /** How many calls before it the module sees: those that were not reverted. */
  readonly seen: number;
  readonly gas: bigint;
  /** Whether the chain refuses it. */
  readonly isTooMany: boolean;
  readonly frame: Frame;
}

/**
 * The calls of a transaction that a chain counts, in their order: reverted and
 * refused ones, too. `undefined`: the frames do not tell their gas.
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

/** Whether just those calls of a transaction were refused that are too many. */
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

/** What an account that counts tells: calls that begin with less gas than its balance are too many, unless its code says which ones. */
export interface CallLimit {
  readonly balance: bigint;
  readonly code: string;
}

/** Calls of one sender, at one count, that are too many. */
interface Refused {
  readonly origin: string;
  readonly from: bigint;
  readonly below: bigint;
}

/**
 * The modules count calls by what is warm, which a reverted call leaves cold.
 * Where transactions of a block make more calls than a chain allows and some
 * of the first ones were reverted, they are told with how much gas calls are
 * too many, by the accounts that count, which this answers. Calls that gas does
 * not tell apart are left out.
 */
export function callLimits(
  roots: readonly Frame[],
  emulated: Emulated,
): ReadonlyMap<string, CallLimit> {
  const counted = roots
    .flatMap((root) => callsIn(root, emulated) ?? [])
    // Who sees so many refuses by itself.
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

/** Ranges of gas in which all calls are too many. */
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

/** The frames of a transaction as they are where the calls that are too many fail at once. */
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
