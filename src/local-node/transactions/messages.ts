import { hexToBytes } from "@noble/hashes/utils";
import { Interface } from "ethers";
import { MsgMultiSend, MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import type { Coin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import {
  MsgFundCommunityPool,
  MsgSetWithdrawAddress,
  MsgWithdrawDelegatorReward,
  MsgWithdrawValidatorCommission,
} from "cosmjs-types/cosmos/distribution/v1beta1/tx";
import {
  MsgCancelProposal,
  MsgDeposit,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from "cosmjs-types/cosmos/gov/v1/tx";
import * as old from "cosmjs-types/cosmos/gov/v1beta1/tx";
import { MsgUnjail } from "cosmjs-types/cosmos/slashing/v1beta1/tx";
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgDelegate,
  MsgUndelegate,
} from "cosmjs-types/cosmos/staking/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";

import {
  isAddress,
  operatorPrefix,
  parseAddress,
} from "../../address/index.js";
import type { Step } from "../../localnet/action.js";
import { distributionAbi } from "../../precompiles/distribution/abi.js";
import { governanceAbi } from "../../precompiles/governance/abi.js";
import {
  MODULE_ACCOUNTS,
  moduleAddress,
} from "../../precompiles/module-accounts.js";
import { stakingAbi } from "../../precompiles/staking/abi.js";
import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import { anyToJson, decimal } from "../rest/json.js";

/** Refuses a message's contents before anything runs. */
export class MessageFault extends Error {}

/** What reading a message depends on. */
export interface MessageContext {
  readonly addresses: PrecompileAddresses;
  readonly prefix: string;
  readonly denom: string;
}

interface MessageCodec<T> {
  decode(bytes: Uint8Array): T;
}

interface MessageKind {
  readonly codec: MessageCodec<unknown>;
  /** Name of the framework's module in events. */
  readonly module: string;
  /** Returns the required signer's account or operator address. */
  signer(message: unknown): string;
  steps(message: unknown, context: MessageContext): readonly Step[];
}

const CODECS = {
  staking: new Interface(stakingAbi),
  distribution: new Interface(distributionAbi),
  governance: new Interface(governanceAbi),
} as const;

const kind = <T>(
  module: string,
  codec: MessageCodec<T>,
  signer: (message: T) => string,
  steps: (message: T, context: MessageContext) => readonly Step[],
): MessageKind => ({ module, codec, signer, steps }) as unknown as MessageKind;

const hexOf = (text: string, { prefix }: MessageContext) =>
  parseAddress(text, { prefix }).hex.toLowerCase();

/**
 * A message that maps to a precompile call whose first argument is the signer.
 */
const act = <T>(
  of: keyof typeof CODECS,
  name: string,
  codec: MessageCodec<T>,
  signer: (message: T) => string,
  others: (message: T, context: MessageContext) => readonly unknown[],
): MessageKind =>
  kind(of, codec, signer, (message, context) => [
    {
      to: context.addresses[of].toLowerCase(),
      data: CODECS[of].encodeFunctionData(name, [
        hexOf(signer(message), context),
        ...others(message, context),
      ]),
    },
  ]);

/**
 * Returns a coin's amount in base units.
 *
 * @throws MessageFault when it is not of the native denomination
 */
function nativeAmount(
  coin: Coin | undefined,
  { denom }: MessageContext,
): bigint {
  if (coin?.denom !== denom) {
    throw new MessageFault(
      `invalid coin denomination: got ${coin?.denom ?? ""}, expected ${denom}: invalid request`,
    );
  }
  // The modules refuse a negative amount as they refuse none.
  const amount = BigInt(coin.amount);
  return amount < 0n ? 0n : amount;
}

const invalidCoins = (coins: readonly Coin[]) =>
  new MessageFault(
    `${coins.map(({ denom, amount }) => `${amount}${denom}`).join()}: invalid coins`,
  );

/** @throws MessageFault when an amount is negative */
function coinsOf(coins: readonly Coin[]) {
  if (coins.some(({ amount }) => amount.startsWith("-"))) {
    throw invalidCoins(coins);
  }
  return coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));
}

/**
 * Requires coins to send: some, each of another denomination and in their
 * order, of positive amounts.
 *
 * @throws MessageFault
 */
function requireCoins(coins: readonly Coin[]): void {
  const isValid = coins.every(
    ({ denom, amount }, i) =>
      /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(denom) &&
      BigInt(amount) > 0n &&
      denom > (coins[i - 1]?.denom ?? ""),
  );
  if (coins.length === 0 || !isValid) throw invalidCoins(coins);
}

/**
 * Reads who is to receive coins.
 *
 * @returns the address in lower-case hex
 * @throws MessageFault when it is not an account's
 */
function receiverOf(text: string, { prefix }: MessageContext): string {
  const refused = (why: string) =>
    new MessageFault(`invalid to address: ${why}: invalid address`);
  if (text.trim() === "") {
    throw refused("empty address string is not allowed: invalid address");
  }
  if (!isAddress(text, { prefix })) {
    throw refused(
      `unknown address format: ${text.slice(0, 120)}: unknown address`,
    );
  }
  const { form, hex } = parseAddress(text, { prefix });
  if (form === "valoper") {
    throw refused(
      `hrp does not match bech32 prefix: expected '${prefix}' got '${operatorPrefix(prefix)}': internal logic error`,
    );
  }
  return hex.toLowerCase();
}

/** Modules' accounts, which nobody may send to. */
const MODULES: ReadonlySet<string> = new Set([
  ...Object.values(MODULE_ACCOUNTS),
  moduleAddress("mint"),
]);

/** @throws MessageFault when the chain lets nobody send to an account */
function requireOpen(
  hex: string,
  text: string,
  { addresses }: MessageContext,
): void {
  const isPrecompile = Object.values(addresses).some(
    (address) => address.toLowerCase() === hex,
  );
  if (isPrecompile || MODULES.has(hex)) {
    throw new MessageFault(
      `${text} is not allowed to receive funds: unauthorized`,
    );
  }
}

function transfers(
  to: string,
  coins: readonly Coin[],
  context: MessageContext,
): readonly Step[] {
  const receiver = receiverOf(to, context);
  requireCoins(coins);
  requireOpen(receiver, to, context);
  return coins.map(({ denom, amount }) => {
    // Accounts hold the native denomination only.
    if (denom !== context.denom) {
      throw new MessageFault(
        `spendable balance 0${denom} is smaller than ${amount}${denom}: insufficient funds`,
      );
    }
    return { to: receiver, amount: BigInt(amount), denom };
  });
}

/** Encodes a proposal as the JSON that the governance precompile takes. */
const proposalJson = ({
  messages,
  metadata,
  title,
  summary,
  expedited,
}: MsgSubmitProposal) =>
  `0x${Buffer.from(
    JSON.stringify({
      messages: messages.map(anyToJson),
      metadata,
      title,
      summary,
      expedited,
    }),
  ).toString("hex")}`;

const KINDS: Readonly<Record<string, MessageKind>> = {
  "/cosmos.bank.v1beta1.MsgSend": kind(
    "bank",
    MsgSend,
    (m) => m.fromAddress,
    (m, context) => transfers(m.toAddress, m.amount, context),
  ),
  "/cosmos.bank.v1beta1.MsgMultiSend": kind(
    "bank",
    MsgMultiSend,
    ({ inputs: [first] }) => first?.address ?? "",
    ({ inputs, outputs }, context) => {
      const sum = (list: readonly { readonly coins: readonly Coin[] }[]) =>
        list
          .flatMap(({ coins }) => coins)
          .reduce((all, coin) => all + nativeAmount(coin, context), 0n);
      if (inputs.length !== 1) {
        throw new MessageFault("multiple senders not allowed");
      }
      if (outputs.length === 0) {
        throw new MessageFault("no outputs to send transaction");
      }
      for (const { coins } of [...inputs, ...outputs]) requireCoins(coins);
      if (sum(inputs) !== sum(outputs)) {
        throw new MessageFault("sum inputs != sum outputs");
      }
      return outputs.flatMap(({ address, coins }) =>
        transfers(address, coins, context),
      );
    },
  ),
  "/cosmos.staking.v1beta1.MsgDelegate": act(
    "staking",
    "delegate",
    MsgDelegate,
    (m) => m.delegatorAddress,
    (m, c) => [m.validatorAddress, nativeAmount(m.amount, c)],
  ),
  "/cosmos.staking.v1beta1.MsgUndelegate": act(
    "staking",
    "undelegate",
    MsgUndelegate,
    (m) => m.delegatorAddress,
    (m, c) => [m.validatorAddress, nativeAmount(m.amount, c)],
  ),
  "/cosmos.staking.v1beta1.MsgBeginRedelegate": act(
    "staking",
    "redelegate",
    MsgBeginRedelegate,
    (m) => m.delegatorAddress,
    (m, c) => [
      m.validatorSrcAddress,
      m.validatorDstAddress,
      nativeAmount(m.amount, c),
    ],
  ),
  "/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation": act(
    "staking",
    "cancelUnbondingDelegation",
    MsgCancelUnbondingDelegation,
    (m) => m.delegatorAddress,
    (m, c) => [m.validatorAddress, nativeAmount(m.amount, c), m.creationHeight],
  ),
  "/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward": act(
    "distribution",
    "withdrawDelegatorRewards",
    MsgWithdrawDelegatorReward,
    (m) => m.delegatorAddress,
    (m) => [m.validatorAddress],
  ),
  "/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission": kind(
    "distribution",
    MsgWithdrawValidatorCommission,
    (m) => m.validatorAddress,
    ({ validatorAddress }, { addresses }) => [
      {
        to: addresses.distribution.toLowerCase(),
        data: CODECS.distribution.encodeFunctionData(
          "withdrawValidatorCommission",
          [validatorAddress],
        ),
      },
    ],
  ),
  "/cosmos.distribution.v1beta1.MsgSetWithdrawAddress": act(
    "distribution",
    "setWithdrawAddress",
    MsgSetWithdrawAddress,
    (m) => m.delegatorAddress,
    (m) => [m.withdrawAddress],
  ),
  "/cosmos.distribution.v1beta1.MsgFundCommunityPool": act(
    "distribution",
    "fundCommunityPool",
    MsgFundCommunityPool,
    (m) => m.depositor,
    ({ amount }) => {
      if (amount.length === 0) {
        throw new MessageFault("amount cannot be nil: invalid coins");
      }
      return [coinsOf(amount)];
    },
  ),
  "/cosmos.slashing.v1beta1.MsgUnjail": kind(
    "slashing",
    MsgUnjail,
    (m) => m.validatorAddr,
    ({ validatorAddr }, context) => [{ unjail: hexOf(validatorAddr, context) }],
  ),
  "/cosmos.gov.v1.MsgSubmitProposal": act(
    "governance",
    "submitProposal",
    MsgSubmitProposal,
    (m) => m.proposer,
    (m) => [proposalJson(m), coinsOf(m.initialDeposit)],
  ),
  "/cosmos.gov.v1.MsgDeposit": act(
    "governance",
    "deposit",
    MsgDeposit,
    (m) => m.depositor,
    (m) => [m.proposalId, coinsOf(m.amount)],
  ),
  "/cosmos.gov.v1.MsgVote": act(
    "governance",
    "vote",
    MsgVote,
    (m) => m.voter,
    (m) => [m.proposalId, m.option, m.metadata],
  ),
  "/cosmos.gov.v1.MsgVoteWeighted": act(
    "governance",
    "voteWeighted",
    MsgVoteWeighted,
    (m) => m.voter,
    (m) => [m.proposalId, m.options, m.metadata],
  ),
  "/cosmos.gov.v1.MsgCancelProposal": act(
    "governance",
    "cancelProposal",
    MsgCancelProposal,
    (m) => m.proposer,
    (m) => [m.proposalId],
  ),
};

/** Votes and deposits of gov v1beta1, which have the same effect. */
const OLD_KINDS: Readonly<Record<string, MessageKind>> = {
  [old.MsgDeposit.typeUrl]: act(
    "governance",
    "deposit",
    old.MsgDeposit,
    (m) => m.depositor,
    (m) => [m.proposalId, coinsOf(m.amount)],
  ),
  [old.MsgVote.typeUrl]: act(
    "governance",
    "vote",
    old.MsgVote,
    (m) => m.voter,
    (m) => [m.proposalId, m.option, ""],
  ),
  [old.MsgVoteWeighted.typeUrl]: act(
    "governance",
    "voteWeighted",
    old.MsgVoteWeighted,
    (m) => m.voter,
    (m) => [
      m.proposalId,
      // v1beta1 encodes weights times 10^18.
      m.options.map(({ option, weight }) => ({
        option,
        weight: decimal(weight),
      })),
      "",
    ],
  ),
};

/** A decoded message of a type that the chain supports. */
export interface KnownMessage {
  readonly typeUrl: string;
  readonly module: string;
  /** Address in lower-case hex. */
  readonly signer: string;
  /** The decoded protobuf message. */
  readonly value: object;
  /**
   * Returns the steps that execute the message.
   *
   * @throws MessageFault when the chain refuses its contents
   */
  steps(): readonly Step[];
}

/**
 * Decodes a message; `undefined` when the chain does not support its type.
 *
 * @throws when its bytes or its signer's address are invalid
 */
export function readMessage(
  { typeUrl, value }: Any,
  context: MessageContext,
): KnownMessage | undefined {
  const kinds = Object.hasOwn(KINDS, typeUrl) ? KINDS : OLD_KINDS;
  const found = Object.hasOwn(kinds, typeUrl) ? kinds[typeUrl] : undefined;
  if (found === undefined) {
    return undefined;
  }
  const message = found.codec.decode(value);
  return {
    typeUrl,
    module: found.module,
    signer: hexOf(found.signer(message), context),
    value: message as object,
    steps: () => found.steps(message, context),
  };
}

/** What a call of `submitProposal` proposes. */
export interface Proposed {
  /** Types of its messages. */
  readonly types: readonly string[];
  readonly expedited: boolean;
}

/** Reads the calldata of `submitProposal`. */
export function proposedBy(calldata: string): Proposed {
  try {
    const json = CODECS.governance.decodeFunctionData(
      "submitProposal",
      calldata,
    )[1];
    const text = Buffer.from(hexToBytes(String(json).slice(2))).toString();
    const { messages = [], expedited } = JSON.parse(text);
    return {
      types: messages.map((message: { "@type": string }) => message["@type"]),
      expedited: expedited === true,
    };
  } catch {
    // The module accepts JSON by other rules than JSON.parse.
    return { types: [], expedited: false };
  }
}

/** The precompiles' interfaces, which decode their logs. */
export const moduleCodecs = Object.values(CODECS);
