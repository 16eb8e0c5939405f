import type { LogDescription } from "ethers";

import { parseAddress } from "../../address/index.js";
import type { Log } from "../../localnet/foresight/trace.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { isoTime } from "../../support/time.js";
import type { ModuleEvent } from "../history.js";
import { type KnownMessage, moduleCodecs, type Step } from "./messages.js";

/** How addresses and amounts are written in events. */
export interface EventTexts {
  readonly prefix: string;
  readonly denom: string;
}

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

/** What the bank says of coins on their way. */
export function transferEvents(
  from: string,
  to: string,
  amount: bigint,
  { prefix, denom }: EventTexts,
): readonly ModuleEvent[] {
  const sender = formsOf(from, prefix).account;
  const recipient = formsOf(to, prefix).account;
  // No coins at all are no text.
  const text = amount === 0n ? "" : `${amount}${denom}`;
  return [
    event("coin_spent", { spender: sender, amount: text }),
    event("coin_received", { receiver: recipient, amount: text }),
    event("transfer", { recipient, sender, amount: text }),
    event("message", { sender }),
  ];
}

/** The same where one side of it is booked at the end of the block, as that of fees of the EVM's transactions. */
export const transferEventsBut = (
  left: "coin_spent" | "coin_received",
  ...transfer: Parameters<typeof transferEvents>
): readonly ModuleEvent[] =>
  transferEvents(...transfer).filter(({ type }) => type !== left);

/** What is said of a transaction before its messages: the fee, the sequence, the signature. */
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

/** Events with the index of their message. */
export const inMessage = (
  index: number,
  events: readonly ModuleEvent[],
): readonly ModuleEvent[] =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: [...attributes, { key: "msg_index", value: String(index) }],
  }));

/** The events of one message that went well. */
export function messageEvents(
  { typeUrl, module, signer }: KnownMessage,
  index: number,
  steps: readonly Step[],
  logs: readonly Log[],
  texts: EventTexts,
): readonly ModuleEvent[] {
  const sender = formsOf(signer, texts.prefix).account;
  const events = [
    event("message", { action: typeUrl, sender, module }),
    ...steps.flatMap((step) =>
      "amount" in step
        ? transferEvents(signer, step.to, step.amount, texts)
        : [],
    ),
    ...logs.flatMap((log) => moduleEvents(log, texts)),
  ];
  return inMessage(index, events);
}

/** A precompile's event in the words of the framework's modules; none for other logs. */
export function moduleEvents(
  log: Log,
  texts: EventTexts,
): readonly ModuleEvent[] {
  for (const codec of moduleCodecs) {
    const found = codec.parseLog({
      topics: [...(log.topics ?? [])],
      data: log.data ?? "0x",
    });
    if (found !== null) {
      return translated(found, texts);
    }
  }
  return [];
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
          amount: amount(args.amount),
          completion_time: isoTime(args.completionTime),
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
    case "FundCommunityPool":
      return transferEvents(
        args.depositor,
        MODULE_ACCOUNTS.distribution,
        args.amount,
        { prefix, denom: args.denom },
      );
    case "SubmitProposal":
      return [
        event("submit_proposal", {
          proposal_id: String(args.proposalId),
          proposal_proposer: account(args.proposer),
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
        ...args.amount.flatMap((coin: { denom: string; amount: bigint }) =>
          transferEvents(
            args.depositor,
            MODULE_ACCOUNTS.governance,
            coin.amount,
            { prefix, denom: coin.denom },
          ),
        ),
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
