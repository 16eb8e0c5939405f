import {
  type GovernanceParams,
  type Proposal,
  PROPOSAL_STATUSES,
  type ProposalStatus,
  type Tally,
} from "../../framework/query/answers.js";
import {
  deposits as depositsQuestion,
  governanceParams,
  proposal as proposalQuestion,
  proposals as proposalsQuestion,
  tally as tallyQuestion,
} from "../../framework/query/governance.js";
import { validators as validatorsQuestion } from "../../framework/query/staking.js";
import type { ChainFacts } from "../../chain/index.js";
import { DualstackError } from "../../support/errors.js";
import { taskCommand } from "../../support/major.js";
import { cleanText } from "../../support/text.js";
import { type Money, nativeMoney } from "../shared/money.js";
import type { ModuleReader } from "../modules/reader.js";
import {
  ONE,
  coinMoney,
  instant,
  percent,
  shareOf,
  partOf,
} from "../modules/values.js";

/** A status as people write it; the index is the chain's number. */
const STATUS_NAMES = [
  "unspecified",
  "deposit",
  "voting",
  "passed",
  "rejected",
  "failed",
] as const;
export type StatusName = (typeof STATUS_NAMES)[number];

export interface ProposalRow {
  readonly id: bigint;
  readonly status: StatusName;
  readonly title: string;
  /** When the proposal's current period ends, in UTC. */
  readonly ends?: string;
}

export interface ProposalsReport {
  readonly network: string;
  readonly chainId: number;
  /** The newest first. */
  readonly proposals: readonly ProposalRow[];
}

/** The votes for one option. */
export interface TallyEntry {
  readonly votes: Money;
  /** Percent of all votes. */
  readonly share: string;
}

export interface ProposalReport extends ProposalRow {
  readonly network: string;
  readonly chainId: number;
  readonly summary: string;
  readonly metadata: string;
  /** Type URLs of its messages; the precompile returns no more of them. */
  readonly messages: readonly string[];
  readonly proposer?: string;
  readonly proposerAccount?: string;
  readonly submitted?: string;
  readonly depositEnds?: string;
  readonly votingStarts?: string;
  readonly votingEnds?: string;
  readonly deposit: readonly Money[];
  /** The deposit with which voting begins. */
  readonly depositNeeded: readonly Money[];
  readonly depositors: readonly {
    readonly address: string;
    readonly account: string;
    readonly amount: readonly Money[];
  }[];
  /** As it stands, or as it ended; absent before voting. */
  readonly tally?: Readonly<Record<keyof Tally, TallyEntry>>;
  /** What decides the vote, in percent; absent before voting. */
  readonly measures?: {
    /**
     * Share of all bonded tokens that voted; absent once voting is over, since
     * the bonded tokens are today's.
     */
    readonly turnout?: string;
    /** The turnout that is needed to pass. */
    readonly quorum: string;
    /** The share of yes among yes and no. */
    readonly yes: string;
    /** The share of yes that is needed to pass. */
    readonly threshold: string;
    /** The share of vetoes above which the proposal is rejected. */
    readonly veto: string;
  };
  /** Why it was rejected or failed, if the tally or the chain tells. */
  readonly reason?: string;
}

export interface ParamsReport
  extends Omit<
    GovernanceParams,
    | "minDeposit"
    | "expeditedMinDeposit"
    | "maxDepositPeriod"
    | "votingPeriod"
    | "expeditedVotingPeriod"
  > {
  readonly network: string;
  readonly chainId: number;
  /** Seconds, like the other periods. */
  readonly maxDepositPeriod: number;
  readonly votingPeriod: number;
  readonly expeditedVotingPeriod: number;
  readonly minDeposit: readonly Money[];
  readonly expeditedMinDeposit: readonly Money[];
}

const MAX_TITLE = 300;
const MAX_SUMMARY = 10_200;

/**
 * All proposals, or those with one status.
 *
 * @throws DualstackError for an unknown status
 */
export async function listProposals(
  reader: ModuleReader,
  { status }: { readonly status?: string } = {},
): Promise<ProposalsReport> {
  const { name, chainId } = reader.network;
  const wanted = status === undefined ? undefined : parseStatus(status);
  const found = await reader.all(
    proposalsQuestion,
    wanted === undefined ? {} : { status: wanted },
  );
  return {
    network: name,
    chainId,
    proposals: found.map(toRow).sort((a, b) => (a.id > b.id ? -1 : 1)),
  };
}

/** @throws DualstackError if there is no such proposal */
export async function showProposal(
  reader: ModuleReader,
  { proposal: id }: { readonly proposal: string },
): Promise<ProposalReport> {
  const { network } = reader;
  const { facts } = network;
  const proposal = await requireProposal(reader, id);
  const { status, proposer } = proposal;
  const of = { proposalId: proposal.id };
  const voting = status === "PROPOSAL_STATUS_VOTING_PERIOD";
  const [depositors, params, live, bonded] = await Promise.all([
    reader.all(depositsQuestion, of),
    reader.ask(governanceParams, {}),
    voting ? reader.ask(tallyQuestion, of) : null,
    voting ? bondedTokens(reader) : undefined,
  ]);
  const tally =
    status === "PROPOSAL_STATUS_DEPOSIT_PERIOD"
      ? undefined
      : (live ?? proposal.finalTally);
  return {
    network: network.name,
    chainId: network.chainId,
    ...toRow(proposal),
    summary: cleanText(proposal.summary, MAX_SUMMARY),
    metadata: cleanText(proposal.metadata),
    messages: proposal.messages.map(({ typeUrl }) => cleanText(typeUrl)),
    ...(proposer === null
      ? {}
      : { proposer: proposer.hex, proposerAccount: proposer.account }),
    submitted: instant(proposal.submitTime),
    depositEnds: instant(proposal.depositEndTime),
    votingStarts: instant(proposal.votingStartTime),
    votingEnds: instant(proposal.votingEndTime),
    deposit: proposal.totalDeposit.map((coin) => coinMoney(coin, facts)),
    depositNeeded: params.minDeposit.map((coin) => coinMoney(coin, facts)),
    depositors: depositors.map(({ depositor, amount }) => ({
      address: depositor.hex,
      account: depositor.account,
      amount: amount.map((coin) => coinMoney(coin, facts)),
    })),
    ...(tally === undefined
      ? {}
      : {
          tally: tallyEntries(tally, facts),
          measures: measuresOf(proposal, tally, params, bonded),
        }),
    ...reasonOf(proposal, params),
  };
}

const toSeconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;

/** The tokens that can vote. */
async function bondedTokens(reader: ModuleReader): Promise<bigint> {
  const bonded = await reader.all(validatorsQuestion, {
    status: "BOND_STATUS_BONDED",
  });
  return bonded.reduce((sum, { tokens }) => sum + tokens, 0n);
}

const totalOf = ({ yes, abstain, no, noWithVeto }: Tally): bigint =>
  yes + abstain + no + noWithVeto;

function measuresOf(
  { expedited = false }: Proposal,
  tally: Tally,
  params: GovernanceParams,
  bonded: bigint | undefined,
): NonNullable<ProposalReport["measures"]> {
  const { yes, no, noWithVeto } = tally;
  const { quorum, vetoThreshold } = params;
  return {
    ...(bonded === undefined
      ? {}
      : { turnout: shareOf(totalOf(tally), bonded) }),
    quorum: percent(partOf(quorum)),
    yes: shareOf(yes, yes + no + noWithVeto),
    threshold: percent(
      partOf(expedited ? params.expeditedThreshold : params.threshold),
    ),
    veto: percent(partOf(vetoThreshold)),
  };
}

/**
 * The chain records why a message failed, but not why a vote was lost: that
 * follows from the tally.
 */
function reasonOf(
  { status, failedReason, finalTally: tally, expedited = false }: Proposal,
  params: GovernanceParams,
): { readonly reason?: string } {
  if (failedReason !== undefined && failedReason.trim() !== "") {
    return { reason: cleanText(failedReason) };
  }
  if (status !== "PROPOSAL_STATUS_REJECTED") {
    return {};
  }
  const { yes, no, noWithVeto, abstain } = tally;
  const all = totalOf(tally);
  const threshold = partOf(
    expedited ? params.expeditedThreshold : params.threshold,
  );
  if (all === 0n) {
    return { reason: "nobody voted, or too few for the quorum" };
  }
  if (noWithVeto * ONE > all * partOf(params.vetoThreshold)) {
    return { reason: "it was vetoed" };
  }
  if (all === abstain) {
    return { reason: "everybody abstained" };
  }
  return {
    reason:
      yes * ONE > (yes + no + noWithVeto) * threshold
        ? "too few voted: the quorum was not reached"
        : "too few voted yes, or too few voted at all",
  };
}

/** The settings of governance. */
export async function showParams(reader: ModuleReader): Promise<ParamsReport> {
  const { name, chainId, facts } = reader.network;
  const params = await reader.ask(governanceParams, {});
  return {
    network: name,
    chainId,
    ...params,
    maxDepositPeriod: toSeconds(params.maxDepositPeriod),
    votingPeriod: toSeconds(params.votingPeriod),
    expeditedVotingPeriod: toSeconds(params.expeditedVotingPeriod),
    minDeposit: params.minDeposit.map((coin) => coinMoney(coin, facts)),
    expeditedMinDeposit: params.expeditedMinDeposit.map((coin) =>
      coinMoney(coin, facts),
    ),
  };
}

/**
 * The proposal with a number.
 *
 * @throws DualstackError if there is none
 */
export async function requireProposal(
  reader: ModuleReader,
  text: string,
): Promise<Proposal> {
  const { name } = reader.network;
  const list = `${taskCommand("gov list", name)} lists them.`;
  const id = /^\s*[0-9]{1,19}\s*$/.test(text) ? BigInt(text.trim()) : 0n;
  if (id === 0n) {
    throw new DualstackError(
      `"${cleanText(text, 40)}" is not a proposal number`,
      { network: name, fix: list },
    );
  }
  const proposal = await reader.ask(proposalQuestion, { proposalId: id });
  if (proposal === null) {
    throw new DualstackError(`there is no proposal ${id}`, {
      network: name,
      fix: `It may have been cancelled, or removed because its deposit was never completed. ${list}`,
    });
  }
  return proposal;
}

/** The status as people write it. */
export const statusName = (status: ProposalStatus): StatusName =>
  STATUS_NAMES[PROPOSAL_STATUSES.indexOf(status)] ?? "unspecified";

export const titleOf = ({ title }: Pick<Proposal, "title">): string =>
  cleanText(title, MAX_TITLE);

function toRow(proposal: Proposal): ProposalRow {
  const status = statusName(proposal.status);
  const ends = instant(
    status === "deposit" ? proposal.depositEndTime : proposal.votingEndTime,
  );
  return {
    id: proposal.id,
    status,
    title: titleOf(proposal),
    ...(ends === undefined ? {} : { ends }),
  };
}

function tallyEntries(
  tally: Tally,
  facts: ChainFacts,
): Record<keyof Tally, TallyEntry> {
  const { yes, abstain, no, noWithVeto } = tally;
  const all = yes + abstain + no + noWithVeto;
  const entry = (votes: bigint): TallyEntry => ({
    votes: nativeMoney(votes, facts),
    share: shareOf(votes, all),
  });
  return {
    yes: entry(yes),
    abstain: entry(abstain),
    no: entry(no),
    noWithVeto: entry(noWithVeto),
  };
}

function parseStatus(text: string): ProposalStatus {
  const index = STATUS_NAMES.findIndex(
    (name) => name === text.trim().toLowerCase(),
  );
  const status = PROPOSAL_STATUSES[index];
  if (index <= 0 || status === undefined) {
    throw new DualstackError(
      `there is no proposal status "${cleanText(text, 40)}"`,
      { fix: `Write --status ${STATUS_NAMES.slice(1).join(", ")}.` },
    );
  }
  return status;
}
