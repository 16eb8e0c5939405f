import type { Validator } from "../../framework/query/answers.js";
import {
  delegation as delegationQuestion,
  unbonding as unbondingQuestion,
} from "../../framework/query/staking.js";
import { DualstackError } from "../../support/errors.js";
import { taskCommand } from "../../support/major.js";
import { cleanText } from "../../support/text.js";
import {
  type Money,
  nativeMoney,
  parseSomeNative,
  tokens,
} from "../shared/money.js";
import { ModuleReader } from "../modules/reader.js";
import { type ModuleReport, transact } from "../modules/transact.js";
import { requireValidator } from "../modules/validators.js";
import {
  instant,
  nameOf,
  type ValidatorName,
  validatorText,
} from "../modules/values.js";
import { type Sender, senderOf, type SendOptions } from "../shared/sending.js";
import type { Ui } from "../shared/ui.js";

/** What all reports on changes of a delegation have in common. */
export interface StakingReport extends ModuleReport {
  readonly validator: ValidatorName;
  readonly amount: Money;
}

export interface UndelegateReport extends StakingReport {
  /** When the tokens are paid out, in UTC; absent in a dry run, or if that happens at once. */
  readonly completionTime?: string;
}

export interface RedelegateReport extends UndelegateReport {
  /** The validator that the tokens are delegated to now. */
  readonly to: ValidatorName;
}

export interface CancelReport extends StakingReport {
  /** The block in which the unbonding entry was created. */
  readonly creationHeight: bigint;
}

export interface StakingOptions extends SendOptions {
  /** The operator's address in any form. */
  readonly validator: string;
  /** As people write it; `all` where tokens are taken from somewhere. */
  readonly amount: string;
}

/**
 * Delegates the sending account's tokens to a validator.
 *
 * @throws DualstackError if the balance is too low, or the chain refuses
 */
export async function delegate(
  sender: Sender,
  ui: Ui,
  options: StakingOptions,
): Promise<StakingReport> {
  const { facts } = sender.network;
  const amount = parseSomeNative(options.amount, facts);
  const reader = new ModuleReader(sender);
  const validator = await requireValidator(reader, options.validator);
  const money = nativeMoney(amount, facts);
  const name = nameOf(validator.operator, validator.description);
  noteIdle(ui, validator, name);
  const { report } = await transact(
    sender,
    ui,
    {
      precompile: "staking",
      method: "delegate",
      args: [await senderOf(sender), name.valoper, amount],
      what: `delegating ${tokens(money)}`,
      order: `Delegate ${tokens(money)} to ${validatorText(name)}`,
      debited: amount,
    },
    options,
  );
  return { ...report, validator: name, amount: money };
}

/**
 * Undelegates tokens; they are paid out when the unbonding period is over.
 *
 * @throws DualstackError if less is delegated, or the chain refuses
 */
export async function undelegate(
  sender: Sender,
  ui: Ui,
  options: StakingOptions,
): Promise<UndelegateReport> {
  const { delegator, validator, amount } = await delegated(sender, options);
  const { report, event } = await transact(
    sender,
    ui,
    {
      precompile: "staking",
      method: "undelegate",
      args: [delegator, validator.valoper, amount.baseUnits],
      what: `undelegating ${tokens(amount)}`,
      order: `Undelegate ${tokens(amount)} from ${validatorText(validator)}`,
    },
    options,
  );
  return {
    ...report,
    validator,
    amount,
    ...until(event("Unbond")?.completionTime),
  };
}

/**
 * Moves a delegation to another validator without unbonding.
 *
 * @throws DualstackError if less is delegated, or the chain refuses
 */
export async function redelegate(
  sender: Sender,
  ui: Ui,
  options: StakingOptions & {
    /** The operator's address of the validator to move to, in any form. */
    readonly to: string;
  },
): Promise<RedelegateReport> {
  const { reader, delegator, validator, amount } = await delegated(
    sender,
    options,
  );
  const destination = await requireValidator(reader, options.to);
  const to = nameOf(destination.operator, destination.description);
  if (to.valoper === validator.valoper) {
    throw new DualstackError("both validators are the same", {
      address: to.valoper,
    });
  }
  noteIdle(ui, destination, to);
  const { report, event } = await transact(
    sender,
    ui,
    {
      precompile: "staking",
      method: "redelegate",
      args: [delegator, validator.valoper, to.valoper, amount.baseUnits],
      what: `redelegating ${tokens(amount)}`,
      order: `Redelegate ${tokens(amount)} from ${validatorText(validator)} to ${validatorText(to)}`,
    },
    options,
  );
  return {
    ...report,
    validator,
    to,
    amount,
    ...until(event("Redelegate")?.completionTime),
  };
}

/**
 * Delegates unbonding tokens again. The entry's block may be left out if there
 * is only one entry.
 *
 * @throws DualstackError if there is no such entry, or several to choose from
 */
export async function cancelUnbonding(
  sender: Sender,
  ui: Ui,
  options: StakingOptions & { readonly creationHeight?: string },
): Promise<CancelReport> {
  const { network } = sender;
  const { facts } = network;
  const { wanted, reader, validator, delegator } = await asked(sender, options);
  const entries = await reader.ask(unbondingQuestion, {
    delegator,
    validator: validator.valoper,
  });
  const listed = entries
    .map(
      ({ creationHeight, balance }) =>
        `${tokens(nativeMoney(balance, facts))} since block ${creationHeight}`,
    )
    .join(", ");
  const heights = [...new Set(entries.map((entry) => entry.creationHeight))];
  const height =
    options.creationHeight === undefined
      ? heights[0]
      : parseHeight(options.creationHeight);
  if (heights.length === 0 || height === undefined) {
    throw new DualstackError(
      `the account has nothing unbonding from ${validatorText(validator)}`,
      {
        network: network.name,
        address: delegator,
        fix: `${taskCommand("staking unbonding", network.name)} shows what is unbonding.`,
      },
    );
  }
  if (options.creationHeight === undefined && heights.length > 1) {
    throw new DualstackError(
      `several entries are unbonding from ${validatorText(validator)}: ${listed}`,
      {
        network: network.name,
        address: delegator,
        fix: "Give the block of one of them after the amount.",
      },
    );
  }
  const held = entries
    .filter(({ creationHeight }) => creationHeight === height)
    .map(({ balance }) => balance);
  const [most] = held.sort((a, b) => (a > b ? -1 : 1));
  if (most === undefined) {
    throw new DualstackError(
      `no entry of block ${height} is unbonding from ${validatorText(validator)}: there are ${listed}`,
      { network: network.name, address: delegator },
    );
  }
  const amount = nativeMoney(
    atMost(wanted, most, "is unbonding in that entry", sender),
    facts,
  );
  const { report } = await transact(
    sender,
    ui,
    {
      precompile: "staking",
      method: "cancelUnbondingDelegation",
      args: [delegator, validator.valoper, amount.baseUnits, height],
      what: `cancelling the unbonding of ${tokens(amount)}`,
      order: `Cancel the unbonding of ${tokens(amount)} from ${validatorText(validator)}`,
    },
    options,
  );
  return { ...report, validator, amount, creationHeight: height };
}

/** Reads what commands that take stake from a validator are given. */
async function asked(sender: Sender, options: StakingOptions) {
  const wanted = parseWanted(options.amount, sender.network.facts);
  const reader = new ModuleReader(sender);
  const found = await requireValidator(reader, options.validator);
  const validator = nameOf(found.operator, found.description);
  return { wanted, reader, validator, delegator: await senderOf(sender) };
}

/** What the account has delegated to a validator, and how much of that is wanted. */
async function delegated(sender: Sender, options: StakingOptions) {
  const { network } = sender;
  const { facts } = network;
  const { wanted, reader, validator, delegator } = await asked(sender, options);
  const held = await reader.ask(delegationQuestion, {
    delegator,
    validator: validator.valoper,
  });
  if (held === null) {
    throw new DualstackError(
      `the account has delegated nothing to ${validatorText(validator)}`,
      {
        network: network.name,
        address: delegator,
        fix: `${taskCommand("staking delegations", network.name)} lists the account's delegations.`,
      },
    );
  }
  const amount = nativeMoney(
    atMost(wanted, held.balance.amount, "is delegated there", sender),
    facts,
  );
  return { reader, delegator, validator, amount };
}

const parseWanted = (
  text: string,
  facts: Parameters<typeof parseSomeNative>[1],
): bigint | "all" =>
  text.trim().toLowerCase() === "all" ? "all" : parseSomeNative(text, facts);

function atMost(
  wanted: bigint | "all",
  most: bigint,
  where: string,
  { network }: Sender,
): bigint {
  if (wanted === "all") {
    return most;
  }
  if (wanted > most) {
    const shown = (amount: bigint) =>
      tokens(nativeMoney(amount, network.facts));
    throw new DualstackError(
      `${shown(wanted)} is more than ${where}: ${shown(most)}`,
      { network: network.name, fix: 'Give less, or "all".' },
    );
  }
  return wanted;
}

function parseHeight(text: string): bigint {
  if (!/^\s*[0-9]{1,18}\s*$/.test(text)) {
    throw new DualstackError(
      `the block "${cleanText(text, 40)}" is not a number`,
      { fix: "Give the block in which the entry began, such as 1200." },
    );
  }
  return BigInt(text.trim());
}

function noteIdle(
  ui: Ui,
  { jailed, status }: Validator,
  name: ValidatorName,
): void {
  if (jailed || status !== "BOND_STATUS_BONDED") {
    ui.note(
      `${validatorText(name)} is ${jailed ? "jailed" : "not bonded"}: it earns no rewards now.`,
    );
  }
}

const until = (
  seconds: bigint | undefined,
): { readonly completionTime?: string } => {
  const completionTime = instant(seconds ?? null);
  return completionTime === undefined ? {} : { completionTime };
};
