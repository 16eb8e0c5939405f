// Before a contract is created whose constructor pays a module, and after its
// block.

import { delegatedPayerOf, shadowOf } from "../modules/accounts.js";
import { proxyTo } from "../foresight/code.js";
import type { Emulator } from "../modules/emulator.js";
import type { CallRequest, StateChanges } from "../request/calls.js";
import type { LocalNode } from "../node/node.js";
import type { Frame } from "../foresight/trace.js";

/** State overrides of a call. */
export type Overrides = Record<
  string,
  { readonly code?: string; readonly balance?: string }
>;

/** How a call must be asked to be answered right. */
export interface Amendment {
  readonly overrides: Overrides;
  readonly call?: CallRequest;
}

/** Whether a request creates a contract, and nobody but its constructor pays later. */
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

/** A creation as a call of its constructor at the contract's future address: it answers the contract's code. */
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

/** What the state must be after a creation whose constructor pays, where that differs from what the node makes of it. */
export interface Correction {
  readonly changes: StateChanges;
  /** The contract's code, where the constructor makes another one. */
  readonly code:
    | { readonly address: string; readonly code: string }
    | undefined;
}

/**
 * What a contract's constructor does when the tokens it gives to a module
 * leave at once, as on the chain. For that it runs as the code of the
 * contract's future address, behind a proxy that pays.
 *
 * Only what others can see while it runs cannot be corrected afterwards: then,
 * and where the constructor creates contracts itself, there is no correction.
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

/** The events of a request in their order, without those of reverted frames. */
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

/** What must be written over `actual` to have `wanted`. */
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
      // A word that only one of the two changes has its old value in the other.
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

const ZERO_WORD = `0x${"0".repeat(64)}`;
