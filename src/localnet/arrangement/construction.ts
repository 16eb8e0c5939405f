// Before and after the creation of a contract whose constructor pays a module.

import { delegatedPayerOf, shadowOf } from "../modules/accounts.js";
import { proxyTo } from "../foresight/code.js";
import type { Emulator } from "../modules/emulator.js";
import type { CallRequest, StateChanges } from "../request/calls.js";
import { type LocalNode, ZERO_WORD } from "../node/node.js";
import type { Frame } from "../foresight/trace.js";

/** State overrides of a call, by address. */
export type Overrides = Record<
  string,
  { readonly code?: string; readonly balance?: string }
>;

/** What a call needs so that the node answers it as the chain does. */
export interface Amendment {
  readonly overrides: Overrides;
  /** Replaces the original call. */
  readonly call?: CallRequest;
}

/**
 * Whether a request creates one contract, and that contract alone pays later.
 *
 * @param later the accounts whose payments are deferred
 */
export const isConstruction = (
  call: CallRequest,
  later: ReadonlySet<string>,
  root: Frame,
): boolean =>
  call.to === undefined &&
  later.size === 1 &&
  root.to !== undefined &&
  later.has(root.to) &&
  !hasCreations(root);

/**
 * Turns a creation into a call that runs the constructor at the contract's
 * future address and returns the contract's code.
 */
export function constructionAsCall(
  emulator: Emulator,
  call: CallRequest,
  root: Frame,
): Amendment {
  const shadow = shadowOf(root.input);
  const payer = delegatedPayerOf(shadow);
  const to = root.to ?? shadow;
  return {
    call: { ...call, to, data: "0x" },
    overrides: {
      [shadow]: { code: root.input },
      [payer]: { code: emulator.shadowPayer(shadow) },
      [to]: { code: proxyTo(payer, "0x") },
    },
  };
}

/**
 * The state changes that the node's own creation of a contract lacks, because
 * its constructor pays.
 */
export interface Correction {
  readonly changes: StateChanges;
  /** The contract's code, if it differs from the one the node deployed. */
  readonly code:
    | { readonly address: string; readonly code: string }
    | undefined;
}

/**
 * Works out what a constructor does when the tokens that it pays to a module
 * leave at once, as on the chain. It runs as the code of the contract's future
 * address, behind a proxy that pays.
 *
 * Logs cannot be corrected afterwards. `undefined` where they would differ,
 * where the node cannot report them, and where the creation fails. The
 * constructor must create no contract itself: see {@link isConstruction}.
 */
export async function constructionCorrection(
  node: LocalNode,
  emulator: Emulator,
  call: CallRequest,
  block: unknown,
  root: Frame,
): Promise<Correction | undefined> {
  const { to: address, output: code = "0x", error } = root;
  if (!node.tellsLogs || address === undefined || error !== undefined)
    return undefined;
  const { call: asCall = call, overrides } = constructionAsCall(
    emulator,
    call,
    root,
  );
  const [seen, deferred] = [
    await node.frames(call, block, true),
    await node.changes(call, block),
  ];
  let frames: Frame;
  let right: StateChanges;
  await Promise.all(
    Object.entries(overrides).map(([account, { code = "0x" }]) =>
      node.setCode(account, code),
    ),
  );
  try {
    [frames, right] = [
      await node.frames(asCall, block, true),
      await node.changes(asCall, block),
    ];
  } finally {
    await Promise.all(
      Object.keys(overrides).map((account) => node.setCode(account, "0x")),
    );
  }
  if (frames.error !== undefined || logsOf(frames) !== logsOf(seen))
    return undefined;
  const made = frames.output ?? "0x";
  return {
    changes: difference(right, deferred),
    code: made === code ? undefined : { address, code: made },
  };
}

/** Writes a correction into the state. */
export async function correct(
  node: LocalNode,
  { changes, code }: Correction,
): Promise<void> {
  await node.apply(changes);
  if (code !== undefined) await node.setCode(code.address, code.code);
}

const hasCreations = (frame: Frame): boolean =>
  frame.calls?.some(
    (inner) => inner.type.startsWith("CREATE") || hasCreations(inner),
  ) ?? false;

/** Returns the logs of a request in order, without those of reverted frames. */
function logsOf(root: Frame): string {
  const logs: unknown[] = [];
  const visit = (frame: Frame) => {
    if (frame.error !== undefined) return;
    for (const { address, topics, data } of frame.logs ?? [])
      logs.push([address, topics, data]);
    frame.calls?.forEach(visit);
  };
  visit(root);
  return JSON.stringify(logs);
}

/** Returns what turns the state after `actual` into the one after `wanted`. */
function difference(wanted: StateChanges, actual: StateChanges): StateChanges {
  const storage = new Map<string, Map<string, string>>();
  for (const account of new Set([
    ...wanted.storage.keys(),
    ...actual.storage.keys(),
  ])) {
    const mine = wanted.storage.get(account);
    const theirs = actual.storage.get(account);
    const words = new Map<string, string>();
    for (const slot of new Set([
      ...(mine?.keys() ?? []),
      ...(theirs?.keys() ?? []),
    ])) {
      // A word that only one of the two changes keeps its old value in the
      // other.
      const word =
        mine?.get(slot) ?? actual.before.get(account)?.get(slot) ?? ZERO_WORD;
      const other =
        theirs?.get(slot) ?? wanted.before.get(account)?.get(slot) ?? ZERO_WORD;
      if (word !== other) words.set(slot, word);
    }
    if (words.size > 0) storage.set(account, words);
  }
  const balances = new Map<string, bigint>();
  for (const account of new Set([
    ...wanted.balances.keys(),
    ...actual.balances.keys(),
  ])) {
    const mine =
      wanted.balances.get(account) ?? actual.balancesBefore.get(account);
    const theirs =
      actual.balances.get(account) ?? wanted.balancesBefore.get(account);
    if (mine !== undefined && mine !== theirs) balances.set(account, mine);
  }
  return { storage, balances, before: new Map(), balancesBefore: new Map() };
}
