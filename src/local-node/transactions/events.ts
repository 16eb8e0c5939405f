import { MsgMultiSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import type { LogDescription } from "ethers";

import { parseAddress } from "../../address/index.js";
import type { Act, Told } from "../../localnet/acts.js";
import type { Payment } from "../../localnet/foresight/trace.js";
import { RESERVE } from "../../localnet/modules/accounts.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { isoTime } from "../../support/time.js";
import type { ModuleEvent } from "../history.js";
import { type KnownMessage, moduleCodecs, proposedTypes } from "./messages.js";

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

/** The bank module's events for one transfer, by kind. */
function bankEvents(
  from: string,
  to: string,
  amount: bigint,
  { prefix, denom }: EventTexts,
) {
  const sender = formsOf(from, prefix).account;
  const recipient = formsOf(to, prefix).account;
  // The framework writes no coins as an empty string.
  const text = amount === 0n ? "" : `${amount}${denom}`;
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
  const { spent, received, burn } = bankEvents(from, to, amount, texts);
  if (to === RESERVE) return [spent, burn];
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
export function messageEvents(
  { typeUrl, module, signer }: KnownMessage,
  index: number,
  acts: readonly Act[],
  texts: EventTexts,
): readonly ModuleEvent[] {
  const sender = formsOf(signer, texts.prefix).account;
  const paid = acts.filter((act): act is Payment => "amount" in act);
  return inMessage(index, [
    event("message", { action: typeUrl, sender, module }),
    ...(typeUrl === MsgMultiSend.typeUrl
      ? multiSendEvents(signer, paid, texts)
      : moduleEvents(acts, texts)),
  ]);
}

/** Translates module actions to the events of the framework's modules. */
export function moduleEvents(
  acts: readonly Act[],
  texts: EventTexts,
): readonly ModuleEvent[] {
  const { prefix, denom } = texts;
  const told = acts.map((act) => ("log" in act ? parsed(act) : undefined));
  return acts.flatMap((act, i) => {
    // The framework reports a proposal before its deposit: `submissionEvents`
    // writes both.
    if (told[i + 1]?.name === "SubmitProposal" && isDeposit(act)) return [];
    if ("amount" in act) return paymentEvents(act, texts);
    if ("rewards" in act) {
      const { delegator, operator, rewards } = act;
      return [
        event("withdraw_rewards", {
          amount: `${rewards}${denom}`,
          validator: formsOf(operator, prefix).valoper,
          delegator: formsOf(delegator, prefix).account,
        }),
      ];
    }
    const log = told[i];
    if (log?.name === "SubmitProposal") {
      const before = acts[i - 1];
      const deposit = isDeposit(before) ? before.amount : 0n;
      return submissionEvents(log, act.input, deposit, texts);
    }
    return log === undefined ? [] : translated(log, texts);
  });
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

function submissionEvents(
  { args }: LogDescription,
  input: string,
  deposit: bigint,
  texts: EventTexts,
): readonly ModuleEvent[] {
  const proposer = formsOf(args.proposer, texts.prefix).account;
  const proposal_id = String(args.proposalId);
  const { governance } = MODULE_ACCOUNTS;
  return [
    event("submit_proposal", {
      proposal_id,
      proposal_proposer: proposer,
      proposal_messages: proposedTypes(input).join(","),
    }),
    ...transferEvents(args.proposer, governance, deposit, texts),
    event("proposal_deposit", {
      depositor: proposer,
      amount: deposit === 0n ? "" : `${deposit}${texts.denom}`,
      proposal_id,
    }),
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
    case "Unbond":
      return [
        event("unbond", {
          validator: valoper(args.validatorAddress),
          delegator: account(args.delegatorAddress),
          amount: amount(args.amount),
          completion_time: isoTime(args.completionTime),
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
