import { revertReason } from "../precompiles/revert-reason.js";
import type { LocalNode } from "./node/node.js";
import type { Frame, Log } from "./foresight/trace.js";

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
  readonly logs: readonly Log[];
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

/** The events of a call in their order, without those of reverted frames. */
export function logsIn(root: Frame): readonly Log[] {
  if (root.error !== undefined) return [];
  return [...(root.logs ?? []), ...(root.calls ?? []).flatMap(logsIn)];
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
