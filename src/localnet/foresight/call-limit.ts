// After the trace of a transaction with more calls of modules than a chain
// allows.

import { CALL_COUNTER } from "../modules/accounts.js";
import type { Emulated, Frame } from "./trace.js";

/** A chain allows so many calls of the modules in a transaction. */
export const MOST_CALLS = 20;

/** Less is used up before a call counts. */
const LEAST_GAS = 6_000n;

/** What a module uses before it reads how much gas is left; two calls are further apart. */
const MARGIN = 1_000n;

/** Every call is refused: no amount of gas is as much. */
const ALL = 2n ** 64n;

/** The account by whose warmth the modules see that there were `calls` before. */
const counterOf = (calls: number) =>
  `0x${(BigInt(CALL_COUNTER) + BigInt(calls)).toString(16).padStart(40, "0")}`;

interface ModuleCall {
  /** How many calls before it the module sees: those that were not reverted. */
  readonly seen: number;
  readonly gas: bigint;
  readonly frame: Frame;
}

/** What tells the modules which calls are too many. */
export interface CallLimits {
  /** Balances of the accounts that count. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** The request as its frames are when these calls are refused. */
  readonly root: Frame;
}

/**
 * The calls of a transaction that a chain counts, in their order: reverted and
 * refused ones, too.
 */
function callsIn(
  root: Frame,
  modules: ReadonlySet<string>,
  accounts: ReadonlySet<string>,
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
        calls.push({ seen, gas: BigInt(gas), frame });
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
 * The modules count calls by what is warm, which a reverted call leaves cold.
 * Where a transaction makes more calls than a chain allows and some of the
 * first ones were reverted, they are told with how much gas a call is one too
 * many: by balances, which this answers. `undefined`: they see it themselves,
 * or gas does not tell the calls apart.
 */
export function callLimits(
  root: Frame,
  { modules, all: accounts }: Emulated,
): CallLimits | undefined {
  const calls = callsIn(root, modules, accounts);
  if (calls === undefined || calls.length <= MOST_CALLS) return undefined;
  const allowed = calls.slice(0, MOST_CALLS);
  const refused = calls.slice(MOST_CALLS);
  if (refused.every(({ seen }) => seen >= MOST_CALLS)) return undefined;
  const limits = new Map<string, bigint>();
  for (let seen = 0; seen < MOST_CALLS; seen++) {
    const here = (list: readonly ModuleCall[]) =>
      list.filter((call) => call.seen === seen).map(({ gas }) => gas);
    const [good, bad] = [here(allowed), here(refused)];
    if (bad.length === 0) continue;
    const least = good.reduce((a, b) => (a < b ? a : b), ALL);
    const most = bad.reduce((a, b) => (a > b ? a : b));
    if (least <= most + MARGIN) return undefined;
    limits.set(counterOf(seen), good.length === 0 ? ALL : (least + most) / 2n);
  }
  const frames = new Set(refused.map(({ frame }) => frame));
  return { balances: limits, root: without(root, frames) };
}

/** The frames where some of them fail at once. */
function without(frame: Frame, refused: ReadonlySet<Frame>): Frame {
  const { calls, ...rest } = frame;
  return refused.has(frame)
    ? { ...rest, error: "execution reverted" }
    : { ...frame, calls: calls?.map((inner) => without(inner, refused)) };
}
