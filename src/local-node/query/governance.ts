import { ProposalStatus } from "cosmjs-types/cosmos/gov/v1/gov";
import * as gov from "cosmjs-types/cosmos/gov/v1/query";

import { internalFault, invalidArgument, notFound } from "../fault.js";
import {
  account,
  given,
  method,
  type Question,
  retold,
  type Service,
} from "./method.js";
import { addressKey, idKey, paginate } from "./paging.js";

function checkId(id: bigint): bigint {
  if (id === 0n) {
    throw invalidArgument("proposal id can not be 0");
  }
  return id;
}

async function proposalOf({ books }: Question, id: bigint) {
  checkId(id);
  const found = (await books.governance.proposals()).find(
    (candidate) => candidate.id === id,
  );
  if (found === undefined) {
    throw notFound(`proposal ${id} doesn't exist`);
  }
  return found;
}

/** Queries of the governance module. */
export const GOVERNANCE: Service = {
  Constitution: method(
    gov.QueryConstitutionRequest,
    gov.QueryConstitutionResponse,
    async ({ books }) => ({
      constitution: await books.governance.constitution(),
    }),
  ),
  Proposals: method(
    gov.QueryProposalsRequest,
    gov.QueryProposalsResponse,
    async (question, { proposalStatus, voter, depositor, pagination }) => {
      const { books } = question;
      // The framework reads them for each proposal: without any, it does not.
      const read = (text: string) =>
        retold(() => account(question, text), internalFault);
      const chosen = [];
      for (const proposal of await books.governance.proposals()) {
        const { id, status } = proposal;
        const fits =
          (proposalStatus === ProposalStatus.PROPOSAL_STATUS_UNSPECIFIED ||
            status === proposalStatus) &&
          (voter === "" ||
            (await books.governance.votes(id)).some(
              (vote) => vote.voter === read(voter),
            )) &&
          (depositor === "" ||
            (await books.governance.deposits(id)).some(
              (deposit) => deposit.depositor === read(depositor),
            ));
        if (fits) {
          chosen.push(proposal);
        }
      }
      const page = paginate(chosen, pagination, ({ id }) => idKey(id));
      return { proposals: page.items, pagination: page.pagination };
    },
  ),
  Proposal: method(
    gov.QueryProposalRequest,
    gov.QueryProposalResponse,
    async (question, { proposalId }) => ({
      proposal: await proposalOf(question, proposalId),
    }),
  ),
  Votes: method(
    gov.QueryVotesRequest,
    gov.QueryVotesResponse,
    async ({ books }, { proposalId, pagination }) => {
      const page = paginate(
        await books.governance.votes(checkId(proposalId)),
        pagination,
        ({ voter }) => addressKey(voter),
      );
      return { votes: page.items, pagination: page.pagination };
    },
  ),
  Vote: method(
    gov.QueryVoteRequest,
    gov.QueryVoteResponse,
    async (question, { proposalId, voter }) => {
      checkId(proposalId);
      const wanted = account(question, given(voter, "empty voter address"));
      const vote = (await question.books.governance.votes(proposalId)).find(
        (candidate) => candidate.voter === wanted,
      );
      if (vote === undefined) {
        throw invalidArgument(
          `voter: ${voter} not found for proposal: ${proposalId}`,
        );
      }
      return { vote };
    },
  ),
  Deposits: method(
    gov.QueryDepositsRequest,
    gov.QueryDepositsResponse,
    async ({ books }, { proposalId, pagination }) => {
      const page = paginate(
        await books.governance.deposits(checkId(proposalId)),
        pagination,
        ({ depositor }) => addressKey(depositor),
      );
      return { deposits: page.items, pagination: page.pagination };
    },
  ),
  Deposit: method(
    gov.QueryDepositRequest,
    gov.QueryDepositResponse,
    async (question, { proposalId, depositor }) => {
      checkId(proposalId);
      const wanted = account(
        question,
        given(depositor, "empty depositor address"),
      );
      const deposit = (
        await question.books.governance.deposits(proposalId)
      ).find((candidate) => candidate.depositor === wanted);
      if (deposit === undefined) {
        throw notFound(
          `collections: not found: key '("${proposalId}", "${wanted}")' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Deposit`,
        );
      }
      return { deposit };
    },
  ),
  TallyResult: method(
    gov.QueryTallyResultRequest,
    gov.QueryTallyResultResponse,
    async ({ books }, { proposalId }) => {
      const tally = await books.governance.tally(checkId(proposalId));
      if (tally === undefined) {
        throw notFound(`proposal ${proposalId} doesn't exist`);
      }
      return { tally };
    },
  ),
  Params: method(
    gov.QueryParamsRequest,
    gov.QueryParamsResponse,
    async ({ books }, { paramsType }) => {
      const params = await books.governance.params();
      const { votingPeriod, minDeposit, maxDepositPeriod } = params;
      const { quorum, threshold, vetoThreshold } = params;
      switch (paramsType) {
        case "voting":
          return { votingParams: { votingPeriod }, params };
        case "deposit":
          return { depositParams: { minDeposit, maxDepositPeriod }, params };
        case "tallying":
          return { tallyParams: { quorum, threshold, vetoThreshold }, params };
        case "":
          return { params };
        default:
          throw invalidArgument(
            `unknown params type: ${paramsType.slice(0, 60)}`,
          );
      }
    },
  ),
};
