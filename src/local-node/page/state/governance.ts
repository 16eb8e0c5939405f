import type { Proposal, TallyResult } from "cosmjs-types/cosmos/gov/v1/gov";

import type { Books } from "../../books/books.js";
import { DUE, PROPOSAL_STATUS, VOTES } from "../texts.js";
import { amountText, foreign, rateText, share, spanText } from "./display.js";
import type { Names } from "./names.js";
import type { Due } from "./staking.js";
import type { Field, ProposalRow, TallyPart } from "./types.js";

/** Most proposals that the page shows, the newest. */
const MOST = 20;
const MOST_VOTES = 50;
const ONE = 10n ** 18n;

const STATUS = { deposit: 1, voting: 2, passed: 3 } as const;

/**
 * Reads the newest proposals, newest first, and the ends of their current
 * periods.
 *
 * @param now Unix time in seconds
 */
export async function readProposals(
  books: Books,
  names: Names,
  now: bigint,
): Promise<{
  readonly proposals: readonly ProposalRow[];
  readonly due: readonly Due[];
}> {
  const all = [...(await books.governance.proposals())]
    .sort((a, b) => Number(b.id - a.id))
    .slice(0, MOST);
  return {
    proposals: await Promise.all(
      all.map(async (one) => await proposalRow(one, books, names, now)),
    ),
    due: all.flatMap((one) => dueOf(one, names)),
  };
}

const endOf = ({ status, votingEndTime, depositEndTime }: Proposal) =>
  status === STATUS.voting
    ? votingEndTime?.seconds
    : status === STATUS.deposit
      ? depositEndTime?.seconds
      : undefined;

async function proposalRow(
  proposal: Proposal,
  books: Books,
  names: Names,
  now: bigint,
): Promise<ProposalRow> {
  const { id, title, status, proposer, messages, totalDeposit } = proposal;
  const isVoting = status === STATUS.voting;
  const [tally, votes] = isVoting
    ? await Promise.all([
        books.governance.tally(id),
        books.governance.votes(id),
      ])
    : [proposal.finalTallyResult, []];
  const end = endOf(proposal);
  const deposit = totalDeposit.reduce(
    (sum, { amount }) => sum + BigInt(amount),
    0n,
  );
  return {
    id: String(id),
    title: foreign(title, 140) || VOTES.untitled,
    proposer: names.of(proposer),
    status: PROPOSAL_STATUS[status] ?? String(status),
    mood: isVoting
      ? "warm"
      : status === STATUS.deposit
        ? "quiet"
        : status === STATUS.passed
          ? "good"
          : "bad",
    ends: end === undefined ? "" : VOTES.endsIn(spanText(end - now)),
    isVoting,
    messages:
      messages
        .map(({ typeUrl }) => foreign(typeUrl, 100).split(".").at(-1) ?? "")
        .join(", ") || VOTES.noMessages,
    deposit: amountText(deposit, 18),
    tally: status === STATUS.deposit ? [] : tallyOf(tally),
    votes: votes
      .slice(0, MOST_VOTES)
      .map(
        ({ voter, options }): Field => [
          names.of(voter),
          options
            .map(({ option, weight }) =>
              options.length === 1
                ? (VOTES.options[option] ?? "")
                : `${VOTES.options[option]} ${rateText(weightOf(weight))}`,
            )
            .join(", "),
        ],
      ),
  };
}

/**
 * Reads a vote's weight, a decimal.
 *
 * @returns the weight times 10^18
 */
function weightOf(weight: string): bigint {
  const [whole = "0", fraction = ""] = weight.split(".");
  return (
    BigInt(whole || 0) * ONE + BigInt(fraction.padEnd(18, "0").slice(0, 18))
  );
}

function tallyOf(tally: TallyResult | undefined): readonly TallyPart[] {
  const counts = [
    [VOTES.yes, tally?.yesCount],
    [VOTES.no, tally?.noCount],
    [VOTES.veto, tally?.noWithVetoCount],
    [VOTES.abstain, tally?.abstainCount],
  ] as const;
  const amounts = counts.map(([, count]) => BigInt(count || 0));
  const whole = amounts.reduce((sum, one) => sum + one, 0n);
  return counts.map(([option], i) => {
    const amount = amounts[i] ?? 0n;
    return {
      option,
      amount: amountText(amount, 18),
      ...share(amount, whole),
    };
  });
}

function dueOf(proposal: Proposal, names: Names): readonly Due[] {
  const { id, title, status, votingStartTime, submitTime, proposer } = proposal;
  const until = endOf(proposal);
  const from = (status === STATUS.voting ? votingStartTime : submitTime)
    ?.seconds;
  return until === undefined || from === undefined
    ? []
    : [
        {
          id: `proposal ${id}`,
          kind: status === STATUS.voting ? DUE.vote : DUE.deposit,
          what: DUE.proposal(id, foreign(title, 60) || names.of(proposer)),
          amount: "",
          from,
          until,
        },
      ];
}
