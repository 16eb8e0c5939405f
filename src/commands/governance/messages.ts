import type {
  CancelProposalReport,
  DepositReport,
  GovernanceReport,
  SubmitReport,
  VoteReport,
} from "./act.js";
import type {
  ParamsReport,
  ProposalReport,
  ProposalsReport,
  TallyEntry,
} from "./proposals.js";
import { percentOf } from "../modules/values.js";
import { voteText } from "./vote-options.js";
import { tokens } from "../shared/money.js";
import {
  labelled,
  onNetwork,
  sums,
  table,
  timeText,
} from "../shared/layout.js";
import { moduleText } from "../shared/transaction-messages.js";

export function proposalsText(
  report: ProposalsReport,
  width?: number,
): string[] {
  const { proposals } = report;
  return [
    onNetwork(
      proposals.length === 1 ? "1 proposal" : `${proposals.length} proposals`,
      report,
    ),
    ...(proposals.length === 0
      ? []
      : [
          "",
          ...table(
            [["Number", "right"], ["Status"], ["Ends"], ["Title"]],
            proposals.map(({ id, status, ends, title }) => [
              id.toString(),
              status,
              timeText(ends),
              title,
            ]),
            width,
          ),
        ]),
  ];
}

export function proposalText(report: ProposalReport): string[] {
  const { tally, measures, status } = report;
  const given = (text: string) => (text === "" ? undefined : text);
  const votes = ({ votes: amount, share }: TallyEntry) =>
    `${tokens(amount)} (${share} %)`;
  return [
    onNetwork(`Proposal ${report.id}, "${report.title}",`, report),
    "",
    ...labelled([
      ["Status", status],
      ["Proposer", report.proposer],
      ["", report.proposerAccount],
      ...report.messages.map(
        (message, index) => [index === 0 ? "Messages" : "", message] as const,
      ),
      ["Submitted", report.submitted && timeText(report.submitted)],
      [
        "Deposit until",
        status === "deposit" ? timeText(report.depositEnds) : undefined,
      ],
      [
        "Deposit",
        status === "deposit"
          ? `${sums(report.deposit)}, voting begins with ${sums(report.depositNeeded)}`
          : sums(report.deposit),
      ],
      ...report.depositors.map(
        ({ address, amount }) =>
          ["", `${sums(amount)} from ${address}`] as const,
      ),
      [
        "Voting",
        report.votingEnds === undefined
          ? undefined
          : `${timeText(report.votingStarts)} to ${timeText(report.votingEnds)}`,
      ],
      ["Yes", tally && votes(tally.yes)],
      ["Abstain", tally && votes(tally.abstain)],
      ["No", tally && votes(tally.no)],
      ["No with veto", tally && votes(tally.noWithVeto)],
      ["Turnout", measures && turnoutText(measures)],
      [
        "Passes with",
        measures &&
          `more than ${measures.threshold} % yes, abstentions aside (now ${measures.yes} %), and at most ${measures.veto} % vetoes`,
      ],
      ["Reason", report.reason],
      ["Metadata", given(report.metadata)],
      ["Summary", given(report.summary)],
    ]),
  ];
}

const turnoutText = ({
  turnout,
  quorum,
}: NonNullable<ProposalReport["measures"]>): string =>
  turnout === undefined
    ? `${quorum} % was needed`
    : `${turnout} %, ${quorum} % needed`;

export function paramsText(report: ParamsReport): string[] {
  const flag = (value: boolean) => (value ? "burnt" : "returned");
  return [
    onNetwork("Governance", report),
    "",
    ...labelled([
      ["Deposit needed", sums(report.minDeposit)],
      ["  if expedited", sums(report.expeditedMinDeposit)],
      ["  within", duration(report.maxDepositPeriod)],
      [
        "  initially",
        `at least ${percentOf(report.minInitialDepositRatio)} of it`,
      ],
      ["  each time", `at least ${percentOf(report.minDepositRatio)} of it`],
      ["Voting", duration(report.votingPeriod)],
      ["  if expedited", duration(report.expeditedVotingPeriod)],
      ["Quorum", percentOf(report.quorum)],
      ["Threshold", percentOf(report.threshold)],
      ["  if expedited", percentOf(report.expeditedThreshold)],
      ["Veto", percentOf(report.vetoThreshold)],
      [
        "Cancelling costs",
        `${percentOf(report.proposalCancelRatio)} of the deposits${report.proposalCancelDest === "" ? "" : `, for ${report.proposalCancelDest}`}`,
      ],
      ["Deposits", `${flag(report.burnVoteVeto)} on a veto`],
      ["", `${flag(report.burnVoteQuorum)} without quorum`],
      ["", `${flag(report.burnProposalDepositPrevote)} if voting never begins`],
    ]),
  ];
}

export const submitText = (report: SubmitReport): string[] =>
  moduleText(
    report,
    [
      report.proposal === undefined
        ? "The proposal"
        : `Proposal ${report.proposal}`,
      "submitted",
    ],
    [
      ["Title", report.title],
      ...report.messages.map(
        (message, index) => [index === 0 ? "Messages" : "", message] as const,
      ),
      ...depositEntries(report),
    ],
  );

export const depositText = (report: DepositReport): string[] =>
  moduleText(
    report,
    [tokens(report.deposit), "deposited"],
    [["Proposal", about(report)], ...depositEntries(report).slice(1)],
  );

export const voteReportText = (report: VoteReport): string[] =>
  moduleText(
    report,
    [`Vote "${voteText(report.vote)}"`, "cast"],
    [["Proposal", about(report)]],
  );

export const cancelProposalText = (report: CancelProposalReport): string[] =>
  moduleText(
    report,
    [`Proposal ${report.proposal}`, "cancelled"],
    [
      ["Proposal", about(report)],
      ["Deposit", sums(report.deposit)],
      ["Lost", `${percentOf(report.lostRatio)} of it`],
    ],
  );

const about = ({ proposal, title }: GovernanceReport) =>
  `${proposal}, "${title}"`;

const depositEntries = ({ deposit, status, ends }: DepositReport) =>
  [
    ["Deposit", tokens(deposit)],
    [
      "Status",
      status === undefined
        ? undefined
        : ends === undefined
          ? status
          : `${status}, until ${timeText(ends)}`,
    ],
  ] as const;

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** @example duration(172_800) // "2 d" */
function duration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return [
    ...parts,
    ...(rest === 0 && parts.length > 0 ? [] : [`${Number(rest.toFixed(9))} s`]),
  ].join(" ");
}
