import { parseAddress } from "../../address/index.js";
import { ZERO_ADDRESS } from "../../address/zero.js";
import type { ChainFacts } from "../../chain/facts.js";
import { malformed } from "../errors.js";
import type { Rpc } from "../services.js";
import {
  type Deposit,
  type GovernanceParams,
  type Page,
  type Proposal,
  PROPOSAL_STATUSES,
  type ProposalStatus,
  type Tally,
  type Vote,
} from "./answers.js";
import {
  precompileProposal,
  precompileTally,
  precompileVote,
  protobufCoins,
  protobufDeposit,
  protobufProposal,
  protobufTally,
  protobufVote,
  restProposal,
  restTally,
  restVote,
} from "./governance-values.js";
import {
  precompileNext,
  precompilePage,
  protobufNext,
  protobufPage,
  question,
  restPage,
} from "./question.js";
import type { Paged } from "./staking.js";
import { durationOf, forms } from "./values.js";

const BASE = "/gov/v1";

const client = async (rpc: Rpc) => {
  const { QueryClientImpl } = await import("cosmjs-types/cosmos/gov/v1/query");
  return new QueryClientImpl(rpc);
};

export interface OfProposal {
  readonly proposalId: bigint;
}

const NO_PROPOSAL = /proposal \d+ doesn't exist/;

/** Proposals: all, or those with a status, a voter or a depositor. */
export const proposals = question<
  Paged & {
    readonly status?: ProposalStatus;
    readonly voter?: string;
    readonly depositor?: string;
  },
  Page<Proposal>
>({
  title: "proposals",
  rest: async (get, { status, voter, depositor, page }, { facts }) => {
    const answer = await get(`${BASE}/proposals`, {
      proposal_status: status,
      voter: voter === undefined ? undefined : account(voter, facts),
      depositor:
        depositor === undefined ? undefined : account(depositor, facts),
      ...restPage(page),
    });
    return {
      items: answer
        .objects("proposals")
        .map((item) => restProposal(item, facts)),
      nextKey: answer.nextKey(),
    };
  },
  protobuf: async (rpc, { status, voter, depositor, page }, { facts }) => {
    const answer = await (
      await client(rpc)
    ).Proposals({
      proposalStatus: status === undefined ? 0 : numberOf(status),
      voter: voter === undefined ? "" : account(voter, facts),
      depositor: depositor === undefined ? "" : account(depositor, facts),
      pagination: protobufPage(page),
    });
    return {
      items: answer.proposals.map((item) => protobufProposal(item, facts)),
      nextKey: protobufNext(answer.pagination),
    };
  },
  precompile: async (reader, args, { facts, height }) => {
    const hex = (address: string | undefined) =>
      address === undefined
        ? ZERO_ADDRESS
        : parseAddress(address, { prefix: facts.bech32Prefix }).hex;
    const [items, next] = await reader.read(
      "governance",
      "getProposals",
      [
        args.status === undefined ? 0 : numberOf(args.status),
        hex(args.voter),
        hex(args.depositor),
        precompilePage(args.page),
      ],
      height,
    );
    return {
      items: items.map((item) => precompileProposal(item, facts)),
      nextKey: precompileNext(next),
    };
  },
});

/** One proposal, or null. */
export const proposal = question<OfProposal, Proposal | null>({
  title: "proposal",
  missing: { text: NO_PROPOSAL, answer: null },
  rest: async (get, { proposalId }, { facts }) => {
    const answer = await get(`${BASE}/proposals/${proposalId}`);
    return restProposal(answer.object("proposal"), facts);
  },
  protobuf: async (rpc, { proposalId }, { facts }) => {
    const answer = await (await client(rpc)).Proposal({ proposalId });
    return answer.proposal === undefined
      ? null
      : protobufProposal(answer.proposal, facts);
  },
  precompile: async (reader, { proposalId }, { facts, height }) =>
    precompileProposal(
      await reader.read("governance", "getProposal", [proposalId], height),
      facts,
    ),
});

/** The votes on a proposal; the chain deletes them when voting ends. */
export const votes = question<OfProposal & Paged, Page<Vote>>({
  title: "votes",
  rest: async (get, { proposalId, page }, { facts }) => {
    const answer = await get(
      `${BASE}/proposals/${proposalId}/votes`,
      restPage(page),
    );
    return {
      items: answer.objects("votes").map((item) => restVote(item, facts)),
      nextKey: answer.nextKey(),
    };
  },
  protobuf: async (rpc, { proposalId, page }, { facts }) => {
    const answer = await (
      await client(rpc)
    ).Votes({ proposalId, pagination: protobufPage(page) });
    return {
      items: answer.votes.map((item) => protobufVote(item, facts)),
      nextKey: protobufNext(answer.pagination),
    };
  },
  precompile: async (reader, { proposalId, page }, { facts, height }) => {
    const [items, next] = await reader.read(
      "governance",
      "getVotes",
      [proposalId, precompilePage(page)],
      height,
    );
    return {
      items: items.map((item) => precompileVote(item, facts)),
      nextKey: precompileNext(next),
    };
  },
});

/** An account's vote on a proposal, or null. */
export const vote = question<
  OfProposal & { readonly voter: string },
  Vote | null
>({
  title: "vote",
  missing: { text: /voter: .* not found for proposal/, answer: null },
  rest: async (get, { proposalId, voter }, { facts }) => {
    const answer = await get(
      `${BASE}/proposals/${proposalId}/votes/${account(voter, facts)}`,
    );
    return restVote(answer.object("vote"), facts);
  },
  protobuf: async (rpc, { proposalId, voter }, { facts }) => {
    const answer = await (
      await client(rpc)
    ).Vote({ proposalId, voter: account(voter, facts) });
    return answer.vote === undefined ? null : protobufVote(answer.vote, facts);
  },
  precompile: async (reader, { proposalId, voter }, { facts, height }) => {
    const { hex } = parseAddress(voter, { prefix: facts.bech32Prefix });
    return precompileVote(
      await reader.read("governance", "getVote", [proposalId, hex], height),
      facts,
    );
  },
});

/** The deposits on a proposal. */
export const deposits = question<OfProposal & Paged, Page<Deposit>>({
  title: "deposits",
  rest: async (get, { proposalId, page }, { facts }) => {
    const answer = await get(
      `${BASE}/proposals/${proposalId}/deposits`,
      restPage(page),
    );
    return {
      items: answer.objects("deposits").map((item) => ({
        proposalId: item.integer("proposal_id"),
        depositor: forms(item.text("depositor"), facts.bech32Prefix),
        amount: item.coins("amount"),
      })),
      nextKey: answer.nextKey(),
    };
  },
  protobuf: async (rpc, { proposalId, page }, { facts }) => {
    const answer = await (
      await client(rpc)
    ).Deposits({ proposalId, pagination: protobufPage(page) });
    return {
      items: answer.deposits.map((item) => protobufDeposit(item, facts)),
      nextKey: protobufNext(answer.pagination),
    };
  },
  precompile: async (reader, { proposalId, page }, { facts, height }) => {
    const [items, next] = await reader.read(
      "governance",
      "getDeposits",
      [proposalId, precompilePage(page)],
      height,
    );
    return {
      items: items.map((item) => ({
        proposalId: item.proposalId,
        depositor: forms(item.depositor, facts.bech32Prefix),
        amount: item.amount.map((coin) => ({ ...coin })),
      })),
      nextKey: precompileNext(next),
    };
  },
});

/**
 * The tally of a vote, in base units of voting power; null if there is no such
 * proposal. While voting goes on, the figures include rounding errors.
 */
export const tally = question<OfProposal, Tally | null>({
  title: "tally",
  missing: { text: NO_PROPOSAL, answer: null },
  rest: async (get, { proposalId }) =>
    restTally(
      (await get(`${BASE}/proposals/${proposalId}/tally`)).object("tally"),
    ),
  protobuf: async (rpc, { proposalId }) => {
    const answer = await (await client(rpc)).TallyResult({ proposalId });
    return protobufTally(answer.tally);
  },
  precompile: async (reader, { proposalId }, { height }) =>
    precompileTally(
      await reader.read("governance", "getTallyResult", [proposalId], height),
    ),
});

/** The parameters of governance. */
export const governanceParams = question<
  Record<never, never>,
  GovernanceParams
>({
  title: "governance parameters",
  rest: async (get) => {
    // Any of the three types returns all of them; without one the path is unknown.
    const item = (await get(`${BASE}/params/voting`)).object("params");
    return {
      votingPeriod: item.duration("voting_period"),
      minDeposit: item.coins("min_deposit"),
      maxDepositPeriod: item.duration("max_deposit_period"),
      quorum: item.text("quorum"),
      threshold: item.text("threshold"),
      vetoThreshold: item.text("veto_threshold"),
      minInitialDepositRatio: item.text("min_initial_deposit_ratio"),
      proposalCancelRatio: item.text("proposal_cancel_ratio"),
      proposalCancelDest: item.text("proposal_cancel_dest"),
      expeditedVotingPeriod: item.duration("expedited_voting_period"),
      expeditedThreshold: item.text("expedited_threshold"),
      expeditedMinDeposit: item.coins("expedited_min_deposit"),
      burnVoteQuorum: item.flag("burn_vote_quorum"),
      burnProposalDepositPrevote: item.flag("burn_proposal_deposit_prevote"),
      burnVoteVeto: item.flag("burn_vote_veto"),
      minDepositRatio: item.text("min_deposit_ratio"),
    };
  },
  protobuf: async (rpc) => {
    const { params } = await (
      await client(rpc)
    ).Params({ paramsType: "voting" });
    if (params === undefined) {
      throw malformed("the node", "answered without governance parameters");
    }
    return {
      votingPeriod: durationOf(params.votingPeriod),
      minDeposit: protobufCoins(params.minDeposit),
      maxDepositPeriod: durationOf(params.maxDepositPeriod),
      quorum: params.quorum,
      threshold: params.threshold,
      vetoThreshold: params.vetoThreshold,
      minInitialDepositRatio: params.minInitialDepositRatio,
      proposalCancelRatio: params.proposalCancelRatio,
      proposalCancelDest: params.proposalCancelDest,
      expeditedVotingPeriod: durationOf(params.expeditedVotingPeriod),
      expeditedThreshold: params.expeditedThreshold,
      expeditedMinDeposit: protobufCoins(params.expeditedMinDeposit),
      burnVoteQuorum: params.burnVoteQuorum,
      burnProposalDepositPrevote: params.burnProposalDepositPrevote,
      burnVoteVeto: params.burnVoteVeto,
      minDepositRatio: params.minDepositRatio,
    };
  },
  precompile: async (reader, _args, { height }) => {
    const params = await reader.read("governance", "getParams", [], height);
    return {
      ...params,
      minDeposit: params.minDeposit.map((coin) => ({ ...coin })),
      expeditedMinDeposit: params.expeditedMinDeposit.map((coin) => ({
        ...coin,
      })),
    };
  },
});

const account = (address: string, facts: ChainFacts) =>
  parseAddress(address, { prefix: facts.bech32Prefix }).account;

const numberOf = (status: ProposalStatus) => PROPOSAL_STATUSES.indexOf(status);
