import { MsgMultiSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import type { LogDescription } from "ethers";

import { parseAddress } from "../../address/index.js";
import type { Act, Bond, Told } from "../../localnet/acts.js";
import type { Payment } from "../../localnet/foresight/trace.js";
import { RESERVE } from "../../localnet/modules/accounts.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { isoTime } from "../../support/time.js";
import type { ModuleEvent } from "../history.js";
import { type KnownMessage, moduleCodecs, proposedBy } from "./messages.js";
import type { Edited, Standing } from "./standing.js";

/** The address prefix and denomination that events are written with. */
export interface EventTexts {
  readonly prefix: string;
  readonly denom: string;
}

/** Creates an event from its attributes. */
export const event = (
  type: string,
  attributes: Readonly<Record<string, string>>,
): ModuleEvent => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({
    key,
    value,
  })),
});

const formsOf = (hex: string, prefix: string) => parseAddress(hex, { prefix });

/** Writes coins as the framework does: none are an empty text. */
export const coinsText = (amount: bigint, { denom }: EventTexts): string =>
  amount === 0n ? "" : `${amount}${denom}`;

/** The bank module's events for one transfer, by kind. */
function bankEvents(
  from: string,
  to: string,
  amount: bigint,
  texts: EventTexts,
) {
  const sender = formsOf(from, texts.prefix).account;
  const recipient = formsOf(to, texts.prefix).account;
  const text = coinsText(amount, texts);
  return {
    spent: event("coin_spent", { spender: sender, amount: text }),
    received: event("coin_received", { receiver: recipient, amount: text }),
    transfer: event("transfer", { recipient, sender, amount: text }),
    message: event("message", { sender }),
    burn: event("burn", { burner: sender, amount: text }),
  };
}

/** Returns the bank module's events for a transfer. */
export function transferEvents(
  ...transfer: Parameters<typeof bankEvents>
): readonly ModuleEvent[] {
  const { spent, received, transfer: moved, message } = bankEvents(...transfer);
  return [spent, received, moved, message];
}

/** Returns the bank module's events for coins that a module burns. */
export function burnEvents(
  from: string,
  amount: bigint,
  texts: EventTexts,
): readonly ModuleEvent[] {
  const { spent, burn } = bankEvents(from, from, amount, texts);
  return [spent, burn];
}

/**
 * Returns the bank module's events for unbonded coins that an account gets
 * back. Like delegating, it emits no transfer event.
 */
export function releaseEvents(
  to: string,
  amount: bigint,
  texts: EventTexts,
): readonly ModuleEvent[] {
  const { notBondedPool } = MODULE_ACCOUNTS;
  const { spent, received } = bankEvents(notBondedPool, to, amount, texts);
  return [spent, received];
}

const POOLS: ReadonlySet<string> = new Set([
  MODULE_ACCOUNTS.bondedPool,
  MODULE_ACCOUNTS.notBondedPool,
]);

/** Returns the bank module's events for a payment to or from a module. */
function paymentEvents(
  { from, to, amount }: Payment,
  texts: EventTexts,
): readonly ModuleEvent[] {
  // The chain mints rewards at the start of a block, outside transactions.
  if (from === RESERVE) return [];
  if (to === RESERVE) return burnEvents(from, amount, texts);
  const { spent, received } = bankEvents(from, to, amount, texts);
  // Delegating emits no transfer event.
  return POOLS.has(to) && !POOLS.has(from)
    ? [spent, received]
    : transferEvents(from, to, amount, texts);
}

/** Returns the bank module's events for a payment to several accounts. */
export function multiSendEvents(
  from: string,
  transfers: readonly Pick<Payment, "to" | "amount">[],
  texts: EventTexts,
): readonly ModuleEvent[] {
  const all = transfers.reduce((sum, { amount }) => sum + amount, 0n);
  const { message, spent } = bankEvents(from, from, all, texts);
  return [
    message,
    spent,
    ...transfers.flatMap(({ to, amount }) => {
      const { received, transfer } = bankEvents(from, to, amount, texts);
      return [received, transfer];
    }),
  ];
}

/**
 * Returns a transfer's events without one side, which the chain books at the
 * end of the block, as for fees of EVM transactions.
 */
export const transferEventsBut = (
  left: "coin_spent" | "coin_received",
  ...transfer: Parameters<typeof transferEvents>
): readonly ModuleEvent[] =>
  transferEvents(...transfer).filter(({ type }) => type !== left);

/**
 * Returns the events that precede a transaction's messages: fee, sequence,
 * signature.
 */
export function anteEvents(
  sender: string,
  fee: bigint,
  sequence: bigint,
  signature: Uint8Array,
  texts: EventTexts,
): readonly ModuleEvent[] {
  const { account } = formsOf(sender, texts.prefix);
  return [
    ...transferEvents(sender, MODULE_ACCOUNTS.feeCollector, fee, texts),
    event("tx", { fee: `${fee}${texts.denom}`, fee_payer: account }),
    event("tx", { acc_seq: `${account}/${sequence}` }),
    event("tx", { signature: Buffer.from(signature).toString("base64") }),
  ];
}

/** Adds the index of their message to events. */
export const inMessage = (
  index: number,
  events: readonly ModuleEvent[],
): readonly ModuleEvent[] =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: [...attributes, { key: "msg_index", value: String(index) }],
  }));

/** Returns the events of a successful message. */
export async function messageEvents(
  { typeUrl, module, signer }: KnownMessage,
  index: number,
  acts: readonly Act[],
  texts: EventTexts,
  standing: Standing,
): Promise<readonly ModuleEvent[]> {
  const sender = formsOf(signer, texts.prefix).account;
  const paid = acts.filter((act): act is Payment => "amount" in act);
  return inMessage(index, [
    event("message", { action: typeUrl, sender, module }),
    ...(typeUrl === MsgMultiSend.typeUrl
      ? multiSendEvents(signer, paid, texts)
      : await moduleEvents(acts, texts, standing)),
  ]);
}

/**
 * Translates module actions to the events of the framework's modules.
 *
 * @param standing is kept up to date with them
 */
export async function moduleEvents(
  acts: readonly Act[],
  texts: EventTexts,
  standing: Standing,
): Promise<readonly ModuleEvent[]> {
  const told = acts.map((act) => ("log" in act ? parsed(act) : undefined));
  const events: ModuleEvent[] = [];
  for (const [i, act] of acts.entries()) {
    // The framework reports a proposal before its deposit: `submissionEvents`
    // writes both.
    if (told[i + 1]?.name === "SubmitProposal" && isDeposit(act)) continue;
    if ("amount" in act) {
      events.push(...paymentEvents(act, texts));
    } else if ("rewards" in act) {
      const { delegator, operator, rewards } = act;
      events.push(
        event("withdraw_rewards", {
          amount: `${rewards}${texts.denom}`,
          validator: formsOf(operator, texts.prefix).valoper,
          delegator: formsOf(delegator, texts.prefix).account,
        }),
      );
    } else {
      const log = told[i];
      if (log === undefined) continue;
      const earlier = acts.slice(0, i);
      events.push(
        ...(await logEvents(log, act.input, earlier, texts, standing)),
      );
    }
  }
  return events;
}

/** @param earlier the acts before the log, the last of which belong to it */
async function logEvents(
  log: LogDescription,
  input: string,
  earlier: readonly Act[],
  texts: EventTexts,
  standing: Standing,
): Promise<readonly ModuleEvent[]> {
  const { name, args } = log;
  switch (name) {
    case "SubmitProposal": {
      const before = earlier.at(-1);
      const deposit = isDeposit(before) ? before.amount : 0n;
      return await submissionEvents(log, input, deposit, texts, standing);
    }
    case "Deposit": {
      const id: bigint = args.proposalId;
      const coins: readonly { denom: string; amount: bigint }[] = args.amount;
      const amount = coins
        .filter(({ denom }) => denom === texts.denom)
        .reduce((sum, coin) => sum + coin.amount, 0n);
      return [
        ...translated(log, texts),
        ...((await standing.deposited(id, amount))
          ? [event("proposal_deposit", { voting_period_start: String(id) })]
          : []),
      ];
    }
    case "Unbond":
      return [unbondEvent(log, earlier, texts)];
    case "EditValidator": {
      const { valoper } = formsOf(args.validatorAddress, texts.prefix);
      const { commissionRate, minSelfDelegation } = args;
      const edited = await standing.edited(
        valoper,
        commissionRate,
        minSelfDelegation,
      );
      return edited === undefined ? [] : [editEvent(edited)];
    }
    default:
      return translated(log, texts);
  }
}

/** The framework writes a commission as protobuf's compact text. */
function editEvent({ commission, minSelfDelegation }: Edited): ModuleEvent {
  const { commissionRates, updateTime } = commission;
  const { rate, maxRate, maxChangeRate } = commissionRates;
  return event("edit_validator", {
    commission_rate: `commission_rates:<rate:"${rate}" max_rate:"${maxRate}" max_change_rate:"${maxChangeRate}" > update_time:<seconds:${updateTime.seconds} > `,
    min_self_delegation: minSelfDelegation,
  });
}

/** The log has the amount that was asked for, a node's event what came of it. */
function unbondEvent(
  { args }: LogDescription,
  earlier: readonly Act[],
  { prefix, denom }: EventTexts,
): ModuleEvent {
  const [delegator, validator] = [args.delegatorAddress, args.validatorAddress];
  const isOf = (act: Act) =>
    "rewards" in act &&
    act.delegator === delegator.toLowerCase() &&
    act.operator === validator.toLowerCase();
  const changed = earlier.findLast(isOf);
  const bond =
    changed !== undefined && "rewards" in changed ? changed.bond : undefined;
  const amount =
    bond === undefined ? args.amount : unbondedTokens(args.amount, bond);
  return event("unbond", {
    validator: formsOf(validator, prefix).valoper,
    delegator: formsOf(delegator, prefix).account,
    amount: `${amount}${denom}`,
    completion_time: isoTime(args.completionTime),
  });
}

const ONE = 10n ** 18n;

/** Returns the tokens for the shares that an amount is worth. */
function unbondedTokens(amount: bigint, { tokens, shares }: Bond): bigint {
  const taken = (shares * amount) / tokens;
  if (taken === shares) return tokens;
  // Decimals of 18 places are divided with 18 more, and rounded half to even.
  const quotient = (taken * tokens * ONE * ONE) / shares;
  const [whole, rest] = [quotient / ONE, (quotient % ONE) * 2n];
  const up = rest > ONE || (rest === ONE && whole % 2n === 1n);
  return (up ? whole + 1n : whole) / ONE;
}

const isDeposit = (act: Act | undefined): act is Payment =>
  act !== undefined && "amount" in act && act.to === MODULE_ACCOUNTS.governance;

/** Decodes a precompile's log; `undefined` for any other log. */
function parsed({ log }: Told): LogDescription | undefined {
  const { topics = [], data = "0x" } = log;
  for (const codec of moduleCodecs) {
    const found = codec.parseLog({ topics: [...topics], data });
    if (found !== null) return found;
  }
  return undefined;
}

async function submissionEvents(
  { args }: LogDescription,
  input: string,
  deposit: bigint,
  texts: EventTexts,
  standing: Standing,
): Promise<readonly ModuleEvent[]> {
  const proposer = formsOf(args.proposer, texts.prefix).account;
  const proposal_id = String(args.proposalId);
  const { governance } = MODULE_ACCOUNTS;
  const { types, expedited } = proposedBy(input);
  const begins = await standing.submitted(args.proposalId, deposit, expedited);
  return [
    event("submit_proposal", {
      proposal_id,
      proposal_proposer: proposer,
      proposal_messages: types.join(","),
    }),
    ...transferEvents(args.proposer, governance, deposit, texts),
    event("proposal_deposit", {
      depositor: proposer,
      amount: coinsText(deposit, texts),
      proposal_id,
    }),
    ...(begins
      ? [event("submit_proposal", { voting_period_start: proposal_id })]
      : []),
  ];
}

function translated(
  { name, args }: LogDescription,
  { prefix, denom }: EventTexts,
): readonly ModuleEvent[] {
  const account = (hex: string) => formsOf(hex, prefix).account;
  const valoper = (hex: string) => formsOf(hex, prefix).valoper;
  const amount = (value: bigint) => `${value}${denom}`;
  const coins = (list: readonly { denom: string; amount: bigint }[]) =>
    list.map((coin) => `${coin.amount}${coin.denom}`).join(",");
  switch (name) {
    case "Delegate":
      return [
        event("delegate", {
          validator: valoper(args.validatorAddress),
          delegator: account(args.delegatorAddress),
          amount: amount(args.amount),
          new_shares: `${args.newShares / 10n ** 18n}.${String(args.newShares % 10n ** 18n).padStart(18, "0")}`,
        }),
      ];
    case "Redelegate":
      return [
        event("redelegate", {
          source_validator: valoper(args.validatorSrcAddress),
          destination_validator: valoper(args.validatorDstAddress),
          delegator: account(args.delegatorAddress),
          amount: amount(args.amount),
          completion_time: isoTime(args.completionTime),
        }),
      ];
    case "CreateValidator":
      return [
        event("create_validator", {
          validator: valoper(args.validatorAddress),
          amount: amount(args.value),
        }),
      ];
    case "CancelUnbondingDelegation":
      return [
        event("cancel_unbonding_delegation", {
          amount: amount(args.amount),
          validator: valoper(args.validatorAddress),
          delegator: account(args.delegatorAddress),
          creation_height: String(args.creationHeight),
        }),
      ];
    case "WithdrawDelegatorReward":
      return [
        event("withdraw_rewards", {
          amount: amount(args.amount),
          validator: valoper(args.validatorAddress),
          delegator: account(args.delegatorAddress),
        }),
      ];
    case "WithdrawValidatorCommission":
      return [
        event("withdraw_commission", { amount: amount(args.commission) }),
      ];
    case "SetWithdrawerAddress":
      return [
        event("set_withdraw_address", {
          withdraw_address: args.withdrawerAddress,
        }),
      ];
    case "CancelProposal":
      return [
        event("cancel_proposal", {
          proposal_id: String(args.proposalId),
          sender: account(args.proposer),
        }),
      ];
    case "Deposit":
      return [
        event("proposal_deposit", {
          depositor: account(args.depositor),
          amount: coins(args.amount),
          proposal_id: String(args.proposalId),
        }),
      ];
    case "Vote":
      return [
        event("proposal_vote", {
          voter: account(args.voter),
          option: JSON.stringify([
            { option: Number(args.option), weight: "1.000000000000000000" },
          ]),
          proposal_id: String(args.proposalId),
        }),
      ];
    case "VoteWeighted":
      return [
        event("proposal_vote", {
          voter: account(args.voter),
          option: JSON.stringify(
            args.options.map((one: { option: bigint; weight: string }) => ({
              option: Number(one.option),
              weight: one.weight,
            })),
          ),
          proposal_id: String(args.proposalId),
        }),
      ];
    default:
      return [];
  }
}
