import type {
  Deposit as ProtobufDeposit,
  Proposal as ProtobufProposal,
  TallyResult as ProtobufTally,
  Vote as ProtobufVote,
} from "cosmjs-types/cosmos/gov/v1/gov";

import type { ChainFacts } from "../../chain/facts.js";
import type { governanceAbi } from "../../precompiles/index.js";
import type { ViewAnswer } from "../abi.js";
import { asObject, type Json } from "../json.js";
import {
  type Coin,
  type Deposit,
  type Proposal,
  PROPOSAL_STATUSES,
  type Tally,
  type Vote,
  VOTE_OPTIONS,
} from "./answers.js";
import {
  type Fields,
  forms,
  formsOrNone,
  named,
  oneOf,
  timeOf,
  timeOrNone,
  toInteger,
} from "./values.js";

export const protobufCoins = (
  coins: readonly { readonly denom: string; readonly amount: string }[],
): readonly Coin[] =>
  coins.map(({ denom, amount }) => ({
    denom,
    amount: toInteger(amount, "coin.amount"),
  }));

export function restProposal(item: Fields, facts: ChainFacts): Proposal {
  return {
    id: item.integer("id"),
    messages: item.objects("messages").map((message) => ({
      typeUrl: message.text("@type"),
      value: withoutType(message),
    })),
    status: oneOf(PROPOSAL_STATUSES, item.text("status"), "proposal.status"),
    finalTally: restTally(item.object("final_tally_result")),
    submitTime: item.time("submit_time"),
    depositEndTime: item.time("deposit_end_time"),
    totalDeposit: item.coins("total_deposit"),
    votingStartTime: item.time("voting_start_time"),
    votingEndTime: item.time("voting_end_time"),
    metadata: item.text("metadata"),
    title: item.text("title"),
    summary: item.text("summary"),
    proposer: formsOrNone(item.text("proposer"), facts.bech32Prefix),
    expedited: item.flag("expedited"),
    failedReason: item.text("failed_reason"),
  };
}

function withoutType(message: Fields): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(asObject(message.value) ?? {}).filter(
      ([key]) => key !== "@type",
    ),
  );
}

export function protobufProposal(
  item: ProtobufProposal,
  facts: ChainFacts,
): Proposal {
  return {
    id: item.id,
    messages: item.messages.map(({ typeUrl, value }) => ({ typeUrl, value })),
    status: named(PROPOSAL_STATUSES, item.status, "proposal.status"),
    finalTally: protobufTally(item.finalTallyResult),
    submitTime: timeOf(item.submitTime),
    depositEndTime: timeOf(item.depositEndTime),
    totalDeposit: protobufCoins(item.totalDeposit),
    votingStartTime: timeOf(item.votingStartTime),
    votingEndTime: timeOf(item.votingEndTime),
    metadata: item.metadata,
    title: item.title,
    summary: item.summary,
    proposer: formsOrNone(item.proposer, facts.bech32Prefix),
    expedited: item.expedited,
    failedReason: item.failedReason,
  };
}

export function precompileProposal(
  item: ViewAnswer<typeof governanceAbi, "getProposal">,
  facts: ChainFacts,
): Proposal {
  return {
    id: item.id,
    messages: item.messages.map((typeUrl) => ({ typeUrl })),
    status: named(PROPOSAL_STATUSES, item.status, "proposal.status"),
    finalTally: precompileTally(item.finalTallyResult),
    submitTime: timeOrNone(item.submitTime),
    depositEndTime: timeOrNone(item.depositEndTime),
    totalDeposit: item.totalDeposit.map((coin) => ({ ...coin })),
    votingStartTime: timeOrNone(item.votingStartTime),
    votingEndTime: timeOrNone(item.votingEndTime),
    metadata: item.metadata,
    title: item.title,
    summary: item.summary,
    proposer: formsOrNone(item.proposer, facts.bech32Prefix),
  };
}

export const restTally = (item: Fields): Tally => ({
  yes: item.integer("yes_count"),
  abstain: item.integer("abstain_count"),
  no: item.integer("no_count"),
  noWithVeto: item.integer("no_with_veto_count"),
});

export const protobufTally = (item: ProtobufTally | undefined): Tally => ({
  yes: toInteger(item?.yesCount ?? "0", "tally.yesCount"),
  abstain: toInteger(item?.abstainCount ?? "0", "tally.abstainCount"),
  no: toInteger(item?.noCount ?? "0", "tally.noCount"),
  noWithVeto: toInteger(item?.noWithVetoCount ?? "0", "tally.noWithVetoCount"),
});

export const precompileTally = (
  item: ViewAnswer<typeof governanceAbi, "getTallyResult">,
): Tally => ({
  yes: toInteger(item.yes, "tally.yes"),
  abstain: toInteger(item.abstain, "tally.abstain"),
  no: toInteger(item.no, "tally.no"),
  noWithVeto: toInteger(item.noWithVeto, "tally.noWithVeto"),
});

export const restVote = (item: Fields, facts: ChainFacts): Vote => ({
  proposalId: item.integer("proposal_id"),
  voter: forms(item.text("voter"), facts.bech32Prefix),
  options: item.objects("options").map((choice) => ({
    option: oneOf(VOTE_OPTIONS, choice.text("option"), "vote.option"),
    weight: choice.text("weight"),
  })),
  metadata: item.text("metadata"),
});

export const protobufVote = (item: ProtobufVote, facts: ChainFacts): Vote => ({
  proposalId: item.proposalId,
  voter: forms(item.voter, facts.bech32Prefix),
  options: item.options.map(({ option, weight }) => ({
    option: named(VOTE_OPTIONS, option, "vote.option"),
    weight,
  })),
  metadata: item.metadata,
});

export const precompileVote = (
  item: ViewAnswer<typeof governanceAbi, "getVote">,
  facts: ChainFacts,
): Vote => ({
  proposalId: item.proposalId,
  voter: forms(item.voter, facts.bech32Prefix),
  options: item.options.map(({ option, weight }) => ({
    option: named(VOTE_OPTIONS, option, "vote.option"),
    weight,
  })),
  metadata: item.metadata,
});

export const protobufDeposit = (
  item: ProtobufDeposit,
  facts: ChainFacts,
): Deposit => ({
  proposalId: item.proposalId,
  depositor: forms(item.depositor, facts.bech32Prefix),
  amount: protobufCoins(item.amount),
});
