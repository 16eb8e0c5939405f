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
import {
  MsgBeginRedelegate,
  MsgCancelUnbondingDelegation,
  MsgDelegate,
  MsgUndelegate,
} from "cosmjs-types/cosmos/staking/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";

import { parseAddress } from "../../address/index.js";
import type { ModuleCall, Transfer } from "../../localnet/action.js";
import { distributionAbi } from "../../precompiles/abi/distribution.js";
import { governanceAbi } from "../../precompiles/abi/governance.js";
import { stakingAbi } from "../../precompiles/abi/staking.js";
import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import { anyToJson } from "../rest/json.js";

/** A refusal of what a message says, before anything runs. */
export class MessageFault extends Error {}

/** What messages are read with. */
export interface MessageContext {
  readonly addresses: PrecompileAddresses;
  readonly prefix: string;
  readonly denom: string;
}

export type Step = Transfer | ModuleCall;

interface MessageCodec<T> {
  decode(bytes: Uint8Array): T;
}

interface MessageKind {
  readonly codec: MessageCodec<unknown>;
  /** Of the framework's module, as its events name it. */
  readonly module: string;
  /** Who must have signed; an account's or an operator's address. */
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

const call = (
  of: keyof typeof CODECS,
  method: string,
  args: readonly unknown[],
  { addresses }: MessageContext,
): readonly Step[] => [
  {
    to: addresses[of].toLowerCase(),
    data: CODECS[of].encodeFunctionData(method, args),
  },
];

/** The amount of a coin that must be of the native denomination. */
function nativeAmount(
  coin: Coin | undefined,
  { denom }: MessageContext,
): bigint {
  if (coin?.denom !== denom) {
    throw new MessageFault(
      `invalid coin denomination: got ${coin?.denom ?? ""}, expected ${denom}: invalid request`,
    );
  }
  return BigInt(coin.amount);
}

const coinsOf = (coins: readonly Coin[]) =>
  coins.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));

function transfers(
  to: string,
  coins: readonly Coin[],
  context: MessageContext,
): readonly Step[] {
  return coins.map(({ denom, amount }) => {
    // Nobody owns another denomination than the native one.
    if (denom !== context.denom) {
      throw new MessageFault(
        `spendable balance 0${denom} is smaller than ${amount}${denom}: insufficient funds`,
      );
    }
    return { to: hexOf(to, context), amount: BigInt(amount), denom };
  });
}

/** JSON of a proposal, as the governance precompile takes it. */
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
      if (sum(inputs) !== sum(outputs)) {
        throw new MessageFault("sum inputs != sum outputs");
      }
      return outputs.flatMap(({ address, coins }) =>
        transfers(address, coins, context),
      );
    },
  ),
  "/cosmos.staking.v1beta1.MsgDelegate": kind(
    "staking",
    MsgDelegate,
    (m) => m.delegatorAddress,
    (m, c) =>
      call(
        "staking",
        "delegate",
        [
          hexOf(m.delegatorAddress, c),
          m.validatorAddress,
          nativeAmount(m.amount, c),
        ],
        c,
      ),
  ),
  "/cosmos.staking.v1beta1.MsgUndelegate": kind(
    "staking",
    MsgUndelegate,
    (m) => m.delegatorAddress,
    (m, c) =>
      call(
        "staking",
        "undelegate",
        [
          hexOf(m.delegatorAddress, c),
          m.validatorAddress,
          nativeAmount(m.amount, c),
        ],
        c,
      ),
  ),
  "/cosmos.staking.v1beta1.MsgBeginRedelegate": kind(
    "staking",
    MsgBeginRedelegate,
    (m) => m.delegatorAddress,
    (m, c) =>
      call(
        "staking",
        "redelegate",
        [
          hexOf(m.delegatorAddress, c),
          m.validatorSrcAddress,
          m.validatorDstAddress,
          nativeAmount(m.amount, c),
        ],
        c,
      ),
  ),
  "/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation": kind(
    "staking",
    MsgCancelUnbondingDelegation,
    (m) => m.delegatorAddress,
    (m, c) =>
      call(
        "staking",
        "cancelUnbondingDelegation",
        [
          hexOf(m.delegatorAddress, c),
          m.validatorAddress,
          nativeAmount(m.amount, c),
          m.creationHeight,
        ],
        c,
      ),
  ),
  "/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward": kind(
    "distribution",
    MsgWithdrawDelegatorReward,
    (m) => m.delegatorAddress,
    (m, c) =>
      call(
        "distribution",
        "withdrawDelegatorRewards",
        [hexOf(m.delegatorAddress, c), m.validatorAddress],
        c,
      ),
  ),
  "/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission": kind(
    "distribution",
    MsgWithdrawValidatorCommission,
    (m) => m.validatorAddress,
    (m, c) =>
      call(
        "distribution",
        "withdrawValidatorCommission",
        [m.validatorAddress],
        c,
      ),
  ),
  "/cosmos.distribution.v1beta1.MsgSetWithdrawAddress": kind(
    "distribution",
    MsgSetWithdrawAddress,
    (m) => m.delegatorAddress,
    (m, c) =>
      call(
        "distribution",
        "setWithdrawAddress",
        [hexOf(m.delegatorAddress, c), m.withdrawAddress],
        c,
      ),
  ),
  "/cosmos.distribution.v1beta1.MsgFundCommunityPool": kind(
    "distribution",
    MsgFundCommunityPool,
    (m) => m.depositor,
    (m, c) =>
      call(
        "distribution",
        "fundCommunityPool",
        [hexOf(m.depositor, c), coinsOf(m.amount)],
        c,
      ),
  ),
  "/cosmos.gov.v1.MsgSubmitProposal": kind(
    "governance",
    MsgSubmitProposal,
    (m) => m.proposer,
    (m, c) =>
      call(
        "governance",
        "submitProposal",
        [hexOf(m.proposer, c), proposalJson(m), coinsOf(m.initialDeposit)],
        c,
      ),
  ),
  "/cosmos.gov.v1.MsgDeposit": kind(
    "governance",
    MsgDeposit,
    (m) => m.depositor,
    (m, c) =>
      call(
        "governance",
        "deposit",
        [hexOf(m.depositor, c), m.proposalId, coinsOf(m.amount)],
        c,
      ),
  ),
  "/cosmos.gov.v1.MsgVote": kind(
    "governance",
    MsgVote,
    (m) => m.voter,
    (m, c) =>
      call(
        "governance",
        "vote",
        [hexOf(m.voter, c), m.proposalId, m.option, m.metadata],
        c,
      ),
  ),
  "/cosmos.gov.v1.MsgVoteWeighted": kind(
    "governance",
    MsgVoteWeighted,
    (m) => m.voter,
    (m, c) =>
      call(
        "governance",
        "voteWeighted",
        [hexOf(m.voter, c), m.proposalId, m.options, m.metadata],
        c,
      ),
  ),
  "/cosmos.gov.v1.MsgCancelProposal": kind(
    "governance",
    MsgCancelProposal,
    (m) => m.proposer,
    (m, c) =>
      call(
        "governance",
        "cancelProposal",
        [hexOf(m.proposer, c), m.proposalId],
        c,
      ),
  ),
};

/** A message that the chain takes. */
export interface KnownMessage {
  readonly typeUrl: string;
  readonly module: string;
  /** In lower-case hex. */
  readonly signer: string;
  /** @throws MessageFault */
  steps(): readonly Step[];
}

/** `undefined`: the chain has no such message. @throws where its bytes are none */
export function readMessage(
  { typeUrl, value }: Any,
  context: MessageContext,
): KnownMessage | undefined {
  const found = Object.hasOwn(KINDS, typeUrl) ? KINDS[typeUrl] : undefined;
  if (found === undefined) {
    return undefined;
  }
  const message = found.codec.decode(value);
  return {
    typeUrl,
    module: found.module,
    signer: hexOf(found.signer(message), context),
    steps: () => found.steps(message, context),
  };
}

/** The precompiles' events by their ABIs. */
export const moduleCodecs = Object.values(CODECS);
