import * as gov from "cosmjs-types/cosmos/gov/v1beta1/query";
import type {
  Proposal,
  TallyResult,
  Vote,
} from "cosmjs-types/cosmos/gov/v1/gov";

import { invalidArgument, ModuleFault } from "../fault.js";
import { GOVERNANCE } from "./governance.js";
import { method, type Question, type Service } from "./method.js";

const tallyOf = (tally: TallyResult | undefined) => ({
  yes: tally?.yesCount ?? "0",
  abstain: tally?.abstainCount ?? "0",
  no: tally?.noCount ?? "0",
  noWithVeto: tally?.noWithVetoCount ?? "0",
});

/**
 * Converts a proposal to v1beta1, which holds exactly one message, its content.
 *
 * @throws Fault when the proposal has none or several
 */
function proposalOf({ messages, id, status, ...rest }: Proposal) {
  const [content, ...others] = messages;
  if (content === undefined || others.length > 0) {
    throw new ModuleFault(
      "sdk",
      29,
      "invalid type",
      "can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one",
    );
  }
  return {
    proposalId: id,
    content,
    status,
    finalTallyResult: tallyOf(rest.finalTallyResult),
    submitTime: rest.submitTime,
    depositEndTime: rest.depositEndTime,
    totalDeposit: rest.totalDeposit,
    votingStartTime: rest.votingStartTime,
    votingEndTime: rest.votingEndTime,
  };
}

// gov v1 writes weights as decimals, v1beta1 as integers times 10^18.
const voteOf = ({ proposalId, voter, options }: Vote) => ({
  proposalId,
  voter,
  option: options.length === 1 ? (options[0]?.option ?? 0) : 0,
  options: options.map(({ option, weight }) => ({
    option,
    weight: atomics(weight),
  })),
});

function atomics(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return String(BigInt(whole + fraction.padEnd(18, "0").slice(0, 18)));
}

/** Asks the gov v1 query of the same name. */
async function ask<T>(
  name: keyof typeof GOVERNANCE & string,
  question: Question,
  request: object,
): Promise<T> {
  const found = GOVERNANCE[name];
  if (found === undefined) throw new Error(`there is no ${name}`);
  return (await found.answer(
    question,
    found.request.fromPartial(request),
  )) as T;
}

const bytes = (decimal: string) => new TextEncoder().encode(atomics(decimal));

/** Queries of the governance module's v1beta1 API. */
export const GOVERNANCE_V1BETA1: Service = {
  Proposal: method(
    gov.QueryProposalRequest,
    gov.QueryProposalResponse,
    async (question, request) => {
      const { proposal } = await ask<{ proposal: Proposal }>(
        "Proposal",
        question,
        request,
      );
      return { proposal: proposalOf(proposal) };
    },
  ),
  Proposals: method(
    gov.QueryProposalsRequest,
    gov.QueryProposalsResponse,
    async (question, request) => {
      const { proposals, pagination } = await ask<{
        proposals: readonly Proposal[];
        pagination: object;
      }>("Proposals", question, request);
      return { proposals: proposals.map(proposalOf), pagination };
    },
  ),
  Vote: method(
    gov.QueryVoteRequest,
    gov.QueryVoteResponse,
    async (question, request) => {
      const { vote } = await ask<{ vote: Vote }>("Vote", question, request);
      return { vote: voteOf(vote) };
    },
  ),
  Votes: method(
    gov.QueryVotesRequest,
    gov.QueryVotesResponse,
    async (question, request) => {
      const { votes, pagination } = await ask<{
        votes: readonly Vote[];
        pagination: object;
      }>("Votes", question, request);
      return { votes: votes.map(voteOf), pagination };
    },
  ),
  Deposit: method(
    gov.QueryDepositRequest,
    gov.QueryDepositResponse,
    async (question, request) => await ask("Deposit", question, request),
  ),
  Deposits: method(
    gov.QueryDepositsRequest,
    gov.QueryDepositsResponse,
    async (question, request) => await ask("Deposits", question, request),
  ),
  TallyResult: method(
    gov.QueryTallyResultRequest,
    gov.QueryTallyResultResponse,
    async (question, request) => {
      const { tally } = await ask<{ tally: TallyResult }>(
        "TallyResult",
        question,
        request,
      );
      return { tally: tallyOf(tally) };
    },
  ),
  Params: method(
    gov.QueryParamsRequest,
    gov.QueryParamsResponse,
    async (question, request) => {
      await ask("Params", question, request);
      if (request.paramsType === "") {
        throw invalidArgument(" is not a valid parameter type");
      }
      const p = await question.books.governance.params();
      const { paramsType: of } = request;
      return {
        votingParams: of === "voting" ? { votingPeriod: p.votingPeriod } : {},
        depositParams:
          of === "deposit"
            ? { minDeposit: p.minDeposit, maxDepositPeriod: p.maxDepositPeriod }
            : {},
        tallyParams:
          of === "tallying"
            ? {
                quorum: bytes(p.quorum),
                threshold: bytes(p.threshold),
                vetoThreshold: bytes(p.vetoThreshold),
              }
            : {},
      };
    },
  ),
};
