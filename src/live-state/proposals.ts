import type { ReadContext } from "./context.js";
import { type Fields, needed, type View } from "./at-block.js";
import { allPages, firstPageOf } from "./pages.js";
import type { LiveBase, LiveProposal } from "./state.js";
import * as values from "./values.js";

const NOBODY = `0x${"0".repeat(40)}`;
const ALL: View = {
  precompile: "governance",
  method: "getProposals",
  args: [0, NOBODY, NOBODY],
};
const VOTING_PERIOD = 2;
/** The longest text of a proposal is its summary; see the framework's limits. */
const MAX_TEXT = 20_000;

/** All proposals; votes and deposits of those that are not over. */
export async function readProposals(
  { at }: ReadContext,
  { denom }: LiveBase,
): Promise<LiveProposal[]> {
  const proposals = (await allPages(at, ALL)).flatMap((page) =>
    values.list(page.proposals),
  );
  const open = proposals.filter(
    ({ status }) => Number(status) <= VOTING_PERIOD,
  );
  const views = open.flatMap(({ id }): View[] =>
    (["getDeposits", "getVotes"] as const).map((method) => ({
      precompile: "governance",
      method,
      args: [id],
    })),
  );
  const firsts = await at.views(views.map(firstPageOf));
  const lists = await Promise.all(
    views.map(
      async (view, index) => await allPages(at, view, needed(firsts[index])),
    ),
  );
  return proposals.map((proposal) => {
    const index = open.indexOf(proposal);
    const [deposits = [], votes = []] =
      index < 0 ? [] : lists.slice(2 * index, 2 * index + 2);
    return {
      ...proposalIn(proposal, denom),
      deposits: deposits.flatMap((page) => depositsIn(page, denom)),
      votes: votes.flatMap(votesIn),
    };
  });
}

function proposalIn(
  p: Fields,
  denom: string,
): Omit<LiveProposal, "deposits" | "votes"> {
  const tally = values.fields(p.finalTallyResult);
  const { messages } = p;
  return {
    id: values.count(p.id),
    status: Number(values.count(p.status)),
    proposer: values.address(p.proposer),
    submitTime: values.count(p.submitTime),
    depositEndTime: values.count(p.depositEndTime),
    votingStartTime: values.count(p.votingStartTime),
    votingEndTime: values.count(p.votingEndTime),
    totalDeposit: values.coin(p.totalDeposit, denom),
    tally: [
      values.amount(tally.yes),
      values.amount(tally.abstain),
      values.amount(tally.no),
      values.amount(tally.noWithVeto),
    ],
    metadata: values.text(p.metadata, MAX_TEXT),
    title: values.text(p.title, MAX_TEXT),
    summary: values.text(p.summary, MAX_TEXT),
    messages: Array.isArray(messages)
      ? messages.map((url) => values.text(url, 200))
      : [],
  };
}

const depositsIn = (answer: Fields, denom: string) =>
  values.list(answer.deposits).map(({ depositor, amount }) => ({
    depositor: values.address(depositor),
    amount: values.coin(amount, denom),
  }));

const votesIn = (answer: Fields) =>
  values.list(answer.votes).map(({ voter, options, metadata }) => ({
    voter: values.address(voter),
    options: values.list(options).map(({ option, weight }) => ({
      option: Number(option),
      weight: values.text(weight, 40),
    })),
    metadata: values.text(metadata, MAX_TEXT),
  }));
