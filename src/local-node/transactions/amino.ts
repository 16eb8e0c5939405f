import { type AminoMsg, makeSignDoc, serializeSignDoc } from "@cosmjs/amino";
import {
  type AminoConverters,
  AminoTypes,
  createDefaultAminoConverters,
} from "@cosmjs/stargate";
import type { Coin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import type {
  MsgCancelProposal,
  MsgDeposit,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from "cosmjs-types/cosmos/gov/v1/tx";
import type { MsgCommunityPoolSpend } from "cosmjs-types/cosmos/distribution/v1beta1/tx";
import type { MsgUnjail } from "cosmjs-types/cosmos/slashing/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";

import { MESSAGE_TYPES } from "../message-types.js";
import type { Signed } from "./signed.js";

const coins = (list: readonly Coin[]) =>
  list.map(({ denom, amount }) => ({ amount, denom }));

/** Amino JSON omits empty strings and false flags. */
const given = (fields: Readonly<Record<string, string | boolean>>) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== "" && value),
  );

const oneWay = (aminoType: string, toAmino: (value: never) => object) => ({
  aminoType,
  toAmino,
  fromAmino: () => {
    throw new Error(`${aminoType} is only written here`);
  },
});

/** Messages of gov v1, and those that proposals contain, which CosmJS lacks. */
const OTHERS: Readonly<Record<string, ReturnType<typeof oneWay>>> = {
  "/cosmos.gov.v1.MsgSubmitProposal": oneWay(
    "cosmos-sdk/v1/MsgSubmitProposal",
    (m: MsgSubmitProposal) => ({
      ...(m.messages.length === 0
        ? {}
        : { messages: m.messages.map(messageOf) }),
      initial_deposit: coins(m.initialDeposit),
      ...given({
        proposer: m.proposer,
        metadata: m.metadata,
        title: m.title,
        summary: m.summary,
        expedited: m.expedited,
      }),
    }),
  ),
  "/cosmos.gov.v1.MsgDeposit": oneWay(
    "cosmos-sdk/v1/MsgDeposit",
    (m: MsgDeposit) => ({
      proposal_id: String(m.proposalId),
      depositor: m.depositor,
      amount: coins(m.amount),
    }),
  ),
  "/cosmos.gov.v1.MsgVote": oneWay("cosmos-sdk/v1/MsgVote", (m: MsgVote) => ({
    proposal_id: String(m.proposalId),
    voter: m.voter,
    ...(Number(m.option) === 0 ? {} : { option: m.option }),
    ...given({ metadata: m.metadata }),
  })),
  "/cosmos.gov.v1.MsgVoteWeighted": oneWay(
    "cosmos-sdk/v1/MsgVoteWeighted",
    (m: MsgVoteWeighted) => ({
      proposal_id: String(m.proposalId),
      voter: m.voter,
      options: m.options.map(({ option, weight }) => ({ option, weight })),
      ...given({ metadata: m.metadata }),
    }),
  ),
  "/cosmos.gov.v1.MsgCancelProposal": oneWay(
    "cosmos-sdk/v1/MsgCancelProposal",
    (m: MsgCancelProposal) => ({
      proposal_id: String(m.proposalId),
      proposer: m.proposer,
    }),
  ),
  "/cosmos.slashing.v1beta1.MsgUnjail": oneWay(
    "cosmos-sdk/MsgUnjail",
    (m: MsgUnjail) => ({ address: m.validatorAddr }),
  ),
  "/cosmos.distribution.v1beta1.MsgCommunityPoolSpend": oneWay(
    "cosmos-sdk/distr/MsgCommunityPoolSpend",
    (m: MsgCommunityPoolSpend) => ({
      authority: m.authority,
      recipient: m.recipient,
      amount: coins(m.amount),
    }),
  ),
};

const TYPES: AminoTypes = new AminoTypes({
  ...createDefaultAminoConverters(),
  ...(OTHERS as unknown as AminoConverters),
});

/** @throws Error when the message has no Amino form */
function messageOf({ typeUrl, value }: Any): AminoMsg {
  const codec = MESSAGE_TYPES.find((one) => one.typeUrl === typeUrl);
  if (codec === undefined) throw new Error(`${typeUrl} has no Amino form`);
  return TYPES.toAmino({ typeUrl, value: codec.decode(value) });
}

/**
 * Returns the sign document of SIGN_MODE_LEGACY_AMINO_JSON.
 *
 * @throws Error when a message has no Amino form
 */
export function aminoDocument(
  { body, auth }: Signed,
  accountNumber: bigint,
  chainId: string,
): Uint8Array {
  const { fee, signerInfos } = auth;
  return serializeSignDoc(
    makeSignDoc(
      body.messages.map(messageOf),
      {
        amount: coins(fee?.amount ?? []),
        gas: String(fee?.gasLimit ?? 0n),
        ...given({ payer: fee?.payer ?? "", granter: fee?.granter ?? "" }),
      },
      chainId,
      body.memo,
      accountNumber,
      String(signerInfos[0]?.sequence ?? 0n),
      body.timeoutHeight === 0n ? undefined : body.timeoutHeight,
    ),
  );
}
