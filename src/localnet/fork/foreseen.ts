// Reads from the traces of the chain's own node what a transaction will meet,
// before it is replayed on a fork.

import type { NodeTrace } from "../../live-state/traces.js";
import { isRecord } from "../../rpc/quantities.js";
import type { Frame } from "../foresight/trace.js";

/** A transaction of the forked chain that will be mined on the fork. */
export interface Foreseeable {
  readonly hash: string;
  readonly from: string;
  readonly to?: string;
  readonly input: string;
}

/** What such transactions will meet, as far as the chain's node traces them. */
export interface Foreseen {
  /** The transactions' outermost frames. */
  readonly roots: readonly Frame[];
  /** Storage slots by account, in lower case. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
  /** Return data of successful calls, by {@link callKey}. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Identifies a call by its sender, its target and its calldata. */
export const callKey = (call: {
  readonly from: string;
  readonly to: string;
  readonly data: string;
}): string => `${call.from} ${call.to} ${call.data}`.toLowerCase();

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HEX = /^0x(?:[0-9a-f]{2})*$/i;
const WORD = /^0x[0-9a-f]{1,64}$/i;

// Limits; what exceeds them is read when a transaction meets it.
const MOST_FRAMES = 10_000;
const MOST_ACCOUNTS = 1_000;
const MOST_WORDS = 1_000;

/**
 * Parses a node's traces of transactions and drops what is malformed. Of a
 * transaction without a trace it has the outermost call.
 */
export function foreseenIn(
  transactions: readonly Foreseeable[],
  traces: readonly NodeTrace[],
): Foreseen {
  let left = MOST_FRAMES;
  const answers = new Map<string, string>();
  const frameOf = (told: unknown): Frame | undefined => {
    if (!isRecord(told) || left-- <= 0) return undefined;
    const { type, from, to, input, output, value, error, calls } = told;
    if (
      typeof type !== "string" ||
      typeof from !== "string" ||
      !ADDRESS.test(from) ||
      typeof input !== "string" ||
      !HEX.test(input)
    ) {
      return undefined;
    }
    const isAnswer =
      error === undefined && typeof output === "string" && HEX.test(output);
    if (isAnswer && typeof to === "string") {
      const key = callKey({ from, to, data: input });
      if (!answers.has(key)) answers.set(key, output);
    }
    return {
      type,
      from: from.toLowerCase(),
      ...(typeof to === "string" && ADDRESS.test(to)
        ? { to: to.toLowerCase() }
        : {}),
      input,
      ...(typeof value === "string" && WORD.test(value) ? { value } : {}),
      ...(typeof error === "string" ? { error } : {}),
      calls: Array.isArray(calls)
        ? calls.flatMap((one) => frameOf(one) ?? [])
        : [],
    };
  };
  const words = new Map<string, Set<string>>();
  const note = (account: string, slots: readonly string[] = []) => {
    const address = account.toLowerCase();
    if (!ADDRESS.test(address) || words.size >= MOST_ACCOUNTS) return;
    const there = words.get(address) ?? new Set();
    words.set(address, there);
    for (const slot of slots.slice(0, MOST_WORDS - there.size)) {
      if (WORD.test(slot)) there.add(slot);
    }
  };
  const roots = transactions.flatMap((transaction, index) => {
    const { calls, state } = traces[index] ?? {};
    const { from, to } = transaction;
    note(from);
    if (to !== undefined) note(to);
    for (const [account, fields] of Object.entries(
      isRecord(state) ? state : {},
    )) {
      const storage = isRecord(fields) ? fields.storage : undefined;
      note(account, Object.keys(isRecord(storage) ? storage : {}));
    }
    return frameOf(calls) ?? frameOf({ type: "CALL", ...transaction }) ?? [];
  });
  return { roots, words, answers };
}
