// For `dualstack node`: executes what a framework transaction does outside the
// EVM.

import { revertReason } from "../precompiles/revert-reason.js";
import { type Act, actsIn } from "./acts.js";
import type { Parts } from "./arrangement/parts.js";
import type { AfterBlocks } from "./block-end/after-blocks.js";
import type { Ledger } from "./block-end/ledger.js";
import { settle } from "./block-end/settlement.js";
import { type Effect, larger } from "./foresight/effects.js";
import type { Frame } from "./foresight/trace.js";
import type { LiveChain } from "./fork/live-chain.js";
import { selectors } from "./generated/calls.js";
import type { EmulatedAccounts } from "./modules/emulated-accounts.js";
import type { Head, LocalNode } from "./node/node.js";
import type { LocalnetSettings } from "./settings/settings.js";

/** As Staking.sol says it. */
const STILL_JAILED = "validator still jailed; cannot be unjailed";

/** A transfer outside the EVM: the recipient's code does not run. */
export interface Transfer {
  readonly to: string;
  /** Base units. */
  readonly amount: bigint;
  /** The native coin's denom, for the error that the chain would answer. */
  readonly denom: string;
}

/** A call of a precompile's method. */
export interface ModuleCall {
  readonly to: string;
  readonly data: string;
}

/**
 * The way out of jail, which the slashing module opens whether or not it has a
 * precompile.
 */
export interface Release {
  /** The validator's operator address. */
  readonly unjail: string;
  /**
   * Unix time in seconds until which it stays in jail, where the emulation does
   * not know it.
   */
  readonly until?: bigint;
}

/** One step of a message. */
export type Step = Transfer | ModuleCall | Release;

/**
 * What an account does in one framework transaction; addresses in lower case.
 */
export interface AccountAction {
  readonly sender: string;
  /** Base units, charged even if a step fails. */
  readonly fee: bigint;
  readonly steps: readonly Step[];
}

/** What a step did. */
export interface StepOutcome {
  readonly acts: readonly Act[];
  readonly output: string;
  /** Gas units; 0 for a transfer. */
  readonly gas: bigint;
}

/** How an action ended. */
export interface ActionOutcome {
  /** The successful steps, in order. */
  readonly done: readonly StepOutcome[];
  /** Why the next step failed; then none of the steps has taken effect. */
  readonly failure?: string;
}

/** What an action needs of the emulation around it. */
export interface ActionHost {
  readonly node: LocalNode;
  readonly ledger: Ledger;
  readonly accounts: EmulatedAccounts;
  readonly settings: Pick<LocalnetSettings, "addresses">;
  readonly parts: Parts;
  readonly afterBlocks: AfterBlocks;
  /** The live chain's books, on a fork. */
  live(): LiveChain | undefined;
  /**
   * Notes the state.
   *
   * @returns a function that restores it
   */
  checkpoint(): Promise<() => Promise<void>>;
}

/**
 * Runs an account's action at the end of the newest block. It is no transaction
 * of the EVM, but increments the account's nonce. Either all of its steps take
 * effect or none; the fee is charged in both cases.
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
    // The node refuses to set a nonce while its mempool holds transactions.
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
  const { node, ledger, accounts, settings } = host;
  const { planner } = await host.parts.load();
  const undo = await host.checkpoint();
  const head = await node.head();
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
    const call =
      "unjail" in step
        ? leavingJail(step, settings, head)
        : { from: sender, to: step.to, data: step.data };
    if ("unjail" in step) await host.live()?.meetRelease(step.unjail);
    else await host.live()?.meet(call, "latest");
    const root = await node.frames(call, "latest", true);
    if (root.error !== undefined) {
      await undo();
      return { done, failure: reasonOf(root) };
    }
    if ("unjail" in step && head.timestamp < (step.until ?? 0n)) {
      await undo();
      return { done, failure: STILL_JAILED };
    }
    const found = planner.inspect(root);
    await node.apply(await node.changes(call, "latest", true));
    for (const { creator, address, code } of creationsIn(root)) {
      await node.setCode(address, code);
      if (!dry) await node.setNonce(creator, (await node.nonce(creator)) + 1n);
    }
    await settle(node, found.debts);
    ledger.taken = await ledger.debts();
    // Calls between modules are not in the table of effects.
    effect = larger(effect, "unjail" in step ? "set" : found.effect);
    touched ||= found.touched;
    done.push({
      acts: actsIn(root, accounts),
      output: root.output ?? "0x",
      gas: BigInt(root.gasUsed ?? "0x0"),
    });
  }
  await host.afterBlocks.run(effect, touched, head.number);
  return { done };
}

/** Returns the slashing module's call of the staking module. */
const leavingJail = (
  { unjail }: Release,
  { addresses }: Pick<LocalnetSettings, "addresses">,
  { number, timestamp }: Head,
) => ({
  from: addresses.slashing.toLowerCase(),
  to: addresses.staking.toLowerCase(),
  data: [selectors.leaveJail, BigInt(unjail), number, timestamp]
    .map((part) =>
      typeof part === "string" ? part : part.toString(16).padStart(64, "0"),
    )
    .join(""),
});

/**
 * Moves coins.
 *
 * @returns the chain's error if the balance is too small
 */
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

/** A contract that a call created, and its creator. */
export interface Creation {
  readonly creator: string;
  readonly address: string;
  readonly code: string;
}

/**
 * Returns the contracts that a call leaves behind. The modules create some too,
 * to keep long texts as code.
 */
export function creationsIn(root: Frame): readonly Creation[] {
  const { type, from, to, output = "0x", error, calls = [] } = root;
  if (error !== undefined) return [];
  const inner = calls.flatMap(creationsIn);
  return type.startsWith("CREATE") && to !== undefined && output !== "0x"
    ? [...inner, { creator: from, address: to, code: output }]
    : inner;
}

/** Returns the revert reason of a failed call, or else its error. */
export const reasonOf = ({ output, error }: Frame): string =>
  revertReason(output) ?? error ?? "execution reverted";
