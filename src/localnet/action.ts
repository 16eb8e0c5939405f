// Runs when `dualstack node` carries out a framework transaction: what its
// account does, past the EVM.

import { revertReason } from "../precompiles/revert-reason.js";
import { type Act, actsIn } from "./acts.js";
import type { Planner } from "./arrangement/plan.js";
import type { Ledger } from "./block-end/ledger.js";
import { settle } from "./block-end/settlement.js";
import { type Effect, larger } from "./foresight/effects.js";
import type { Frame } from "./foresight/trace.js";
import type { LiveChain } from "./fork/live-chain.js";
import type { EmulatedAccounts } from "./modules/emulated-accounts.js";
import type { LocalNode } from "./node/node.js";

/** A transfer past the EVM: no code of the recipient runs. */
export interface Transfer {
  readonly to: string;
  /** Base units. */
  readonly amount: bigint;
  /** Of the native coin, as the chain's error says it. */
  readonly denom: string;
}

/** A call of a precompile's method. */
export interface ModuleCall {
  readonly to: string;
  readonly data: string;
}

/** What an account does by one transaction of the framework; addresses in lower case. */
export interface AccountAction {
  readonly sender: string;
  /** Base units, taken whatever comes of the steps. */
  readonly fee: bigint;
  readonly steps: readonly (Transfer | ModuleCall)[];
}

/** What a step did. */
export interface StepOutcome {
  readonly acts: readonly Act[];
  readonly output: string;
  readonly gas: bigint;
}

/** What came of an action. */
export interface ActionOutcome {
  /** The steps that went well, in their order. */
  readonly done: readonly StepOutcome[];
  /** Why the next one failed; then all of them are undone. */
  readonly failure?: string;
}

/** What an action needs of the emulation around it. */
export interface ActionHost {
  readonly node: LocalNode;
  readonly ledger: Ledger;
  readonly accounts: EmulatedAccounts;
  /** Of a fork of the chain. */
  live(): LiveChain | undefined;
  parts(): Promise<{ readonly planner: Planner }>;
  /** Notes the state. @returns goes back to it */
  checkpoint(): Promise<() => Promise<void>>;
  /** Does what blocks' ends do, from the first block that had an effect. */
  afterBlocks(effect: Effect, touched: boolean, since?: bigint): Promise<void>;
}

/**
 * Runs an account's action at the end of the newest block: not as a transaction
 * of the EVM, but the account's nonce counts it. Its calls take effect all or
 * not at all; the fee is taken either way.
 *
 * @param dry whether everything is undone afterwards
 */
export async function runAction(
  host: ActionHost,
  action: AccountAction,
  dry = false,
): Promise<ActionOutcome> {
  host.live()?.touch();
  const undoAll = dry ? await host.checkpoint() : undefined;
  try {
    const { node } = host;
    const { sender, fee } = action;
    const nonce = await node.nonce(sender);
    const balance = await node.balance(sender);
    await node.setBalance(sender, balance - fee);
    // A node sets no nonce while its pool holds anything.
    if (!dry) await node.setNonce(sender, nonce + 1n);
    return await runSteps(host, action, dry);
  } finally {
    await undoAll?.();
  }
}

async function runSteps(
  host: ActionHost,
  { sender, steps }: AccountAction,
  dry: boolean,
): Promise<ActionOutcome> {
  const { node, ledger, accounts } = host;
  const { planner } = await host.parts();
  const undo = await host.checkpoint();
  const { number } = await node.head();
  const done: StepOutcome[] = [];
  let effect: Effect = "none";
  let touched = false;
  for (const step of steps) {
    if ("amount" in step) {
      const failure = await transfer(node, sender, step);
      if (failure !== undefined) {
        await undo();
        return { done, failure };
      }
      done.push({
        acts: [{ from: sender, to: step.to, amount: step.amount }],
        output: "0x",
        gas: 0n,
      });
      continue;
    }
    const call = { from: sender, to: step.to, data: step.data };
    await host.live()?.meet(call, "latest");
    const root = await node.frames(call, "latest", true);
    if (root.error !== undefined) {
      await undo();
      return { done, failure: reasonOf(root) };
    }
    const found = planner.inspect(root);
    await node.apply(await node.changes(call, "latest", true));
    for (const { creator, address, code } of creationsIn(root)) {
      await node.setCode(address, code);
      if (!dry) await node.setNonce(creator, (await node.nonce(creator)) + 1n);
    }
    await settle(node, found.debts);
    ledger.taken = await ledger.debts();
    effect = larger(effect, found.effect);
    touched ||= found.touched;
    done.push({
      acts: actsIn(root, accounts),
      output: root.output ?? "0x",
      gas: BigInt(root.gasUsed ?? "0x0"),
    });
  }
  await host.afterBlocks(effect, touched, number);
  return { done };
}

/** Moves coins. @returns why it cannot */
export async function transfer(
  node: LocalNode,
  from: string,
  { to, amount, denom }: Transfer,
): Promise<string | undefined> {
  const balance = await node.balance(from);
  if (balance < amount)
    return `spendable balance ${balance}${denom} is smaller than ${amount}${denom}: insufficient funds`;
  await node.setBalance(from, balance - amount);
  await node.setBalance(to, (await node.balance(to)) + amount);
  return undefined;
}

/** A contract that a call made, and who made it. */
export interface Creation {
  readonly creator: string;
  readonly address: string;
  readonly code: string;
}

/** The contracts that a call leaves behind: modules keep long texts in such. */
export function creationsIn(root: Frame): readonly Creation[] {
  const { type, from, to, output = "0x", error, calls = [] } = root;
  if (error !== undefined) return [];
  const inner = calls.flatMap(creationsIn);
  return type.startsWith("CREATE") && to !== undefined && output !== "0x"
    ? [...inner, { creator: from, address: to, code: output }]
    : inner;
}

/** Why a call failed. */
export const reasonOf = ({ output, error }: Frame): string =>
  revertReason(output) ?? error ?? "execution reverted";
