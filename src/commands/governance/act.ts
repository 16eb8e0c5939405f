import { bytesToHex } from "@noble/hashes/utils";

import type { Proposal } from "../../framework/query/answers.js";
import {
  governanceParams,
  proposal as proposalQuestion,
} from "../../framework/query/governance.js";
import { totalRewards } from "../../framework/query/distribution.js";
import { DualstackError } from "../../support/errors.js";
import { taskCommand } from "../../support/major.js";
import {
  type Money,
  nativeMoney,
  parseSomeNative,
  tokens,
} from "../shared/money.js";
import { ModuleReader } from "../modules/reader.js";
import { type ModuleReport, transact } from "../modules/transact.js";
import { coinMoney, instant, moneyText, percentOf } from "../modules/values.js";
import { type Sender, senderOf, type SendOptions } from "../shared/sending.js";
import type { Ui } from "../shared/ui.js";
import type { ProposalFile } from "./proposal-file.js";
import {
  requireProposal,
  statusName,
  type StatusName,
  titleOf,
} from "./proposals.js";
import {
  parseVote,
  OPTION_NUMBERS,
  voteText,
  type WeightedOption,
} from "./vote-options.js";

/** What all reports on transactions about a proposal have in common. */
export interface GovernanceReport extends ModuleReport {
  /** Absent after a dry run of a submission. */
  readonly proposal?: bigint;
  readonly title: string;
}

export interface DepositReport extends GovernanceReport {
  readonly deposit: Money;
  /** The proposal's status afterwards: enough deposit starts the vote at once. */
  readonly status?: StatusName;
  /** The end of the proposal's current period, in UTC. */
  readonly ends?: string;
}

export interface SubmitReport extends DepositReport {
  readonly messages: readonly string[];
  readonly expedited: boolean;
}

export interface VoteReport extends GovernanceReport {
  readonly vote: readonly WeightedOption[];
}

export interface CancelProposalReport extends GovernanceReport {
  readonly deposit: readonly Money[];
  /** The fraction of every deposit that is lost: 1 is all of it. */
  readonly lostRatio: string;
}

export interface ProposalOptions extends SendOptions {
  readonly proposal: string;
}

/**
 * Submits a proposal with a first deposit from the sending account.
 *
 * @throws DualstackError if no deposit is given, or the chain refuses the
 * proposal
 */
export async function submitProposal(
  sender: Sender,
  ui: Ui,
  file: ProposalFile,
  options: SendOptions & {
    /** As people write it; default: the deposit in the file. */
    readonly deposit?: string;
  },
): Promise<SubmitReport> {
  const { network } = sender;
  const { facts } = network;
  const reader = new ModuleReader(sender);
  const { minDeposit, expeditedMinDeposit } = await reader.ask(
    governanceParams,
    {},
  );
  const text = options.deposit ?? file.deposit;
  if (text === undefined) {
    const needed = (file.expedited ? expeditedMinDeposit : minDeposit).map(
      (coin) => coinMoney(coin, facts),
    );
    throw new DualstackError("no deposit was given", {
      network: network.name,
      fix: `Add --deposit. Voting begins once the deposits reach ${moneyText(needed)}; others may add to yours.`,
    });
  }
  const amount = parseSomeNative(text, facts);
  const deposit = nativeMoney(amount, facts);
  const { report, event } = await transact(
    sender,
    ui,
    {
      precompile: "governance",
      method: "submitProposal",
      args: [
        await senderOf(sender),
        `0x${bytesToHex(file.json)}`,
        [{ denom: facts.baseDenom, amount }],
      ],
      what: `submitting the proposal "${file.title}"`,
      order: `Submit the proposal "${file.title}" (${file.messages.length === 0 ? "no messages" : file.messages.join(", ")}) with a deposit of ${tokens(deposit)}`,
      debited: amount,
    },
    options,
  );
  const id = event("SubmitProposal")?.proposalId;
  return {
    ...report,
    ...(id === undefined ? {} : { proposal: id }),
    title: file.title,
    messages: file.messages,
    expedited: file.expedited,
    deposit,
    ...(await nowOf(reader, id)),
  };
}

/**
 * Adds to a proposal's deposit.
 *
 * @throws DualstackError if there is no such proposal, or the chain refuses
 */
export async function depositOn(
  sender: Sender,
  ui: Ui,
  options: ProposalOptions & { readonly amount: string },
): Promise<DepositReport> {
  const { network } = sender;
  const { facts } = network;
  const amount = parseSomeNative(options.amount, facts);
  const deposit = nativeMoney(amount, facts);
  const reader = new ModuleReader(sender);
  const proposal = await requireProposal(reader, options.proposal);
  mustBeIn(proposal, ["deposit", "voting"], sender);
  const { report } = await transact(
    sender,
    ui,
    {
      precompile: "governance",
      method: "deposit",
      args: [
        await senderOf(sender),
        proposal.id,
        [{ denom: facts.baseDenom, amount }],
      ],
      what: `depositing ${tokens(deposit)}`,
      order: `Deposit ${tokens(deposit)} on ${named(proposal)}`,
      debited: amount,
    },
    options,
  );
  return {
    ...report,
    proposal: proposal.id,
    title: titleOf(proposal),
    deposit,
    ...(await nowOf(reader, report.dryRun ? undefined : proposal.id)),
  };
}

/**
 * Votes on a proposal, replacing an earlier vote of the account.
 *
 * @throws DualstackError if the proposal is not in its voting period
 */
export async function vote(
  sender: Sender,
  ui: Ui,
  options: ProposalOptions & {
    /** One option, or several with weights: `yes=0.6,no=0.4`. */
    readonly option: string;
  },
): Promise<VoteReport> {
  const choice = parseVote(options.option);
  const reader = new ModuleReader(sender);
  const proposal = await requireProposal(reader, options.proposal);
  mustBeIn(proposal, ["voting"], sender);
  const voter = await senderOf(sender);
  const { rewards } = await reader.ask(totalRewards, { delegator: voter });
  if (rewards.length === 0) {
    ui.note(`${voter} has delegated nothing, so its vote has no weight.`);
  }
  const shared = {
    precompile: "governance",
    what: `voting on proposal ${proposal.id}`,
    order: `Vote ${voteText(choice)} on ${named(proposal)}`,
  } as const;
  const [first] = choice;
  const { report } =
    choice.length === 1 && first !== undefined
      ? await transact(
          sender,
          ui,
          {
            ...shared,
            method: "vote",
            args: [voter, proposal.id, OPTION_NUMBERS[first.option], ""],
          },
          options,
        )
      : await transact(
          sender,
          ui,
          {
            ...shared,
            method: "voteWeighted",
            args: [
              voter,
              proposal.id,
              choice.map(({ option, weight }) => ({
                option: OPTION_NUMBERS[option],
                weight,
              })),
              "",
            ],
          },
          options,
        );
  return {
    ...report,
    proposal: proposal.id,
    title: titleOf(proposal),
    vote: choice,
  };
}

/**
 * Cancels a proposal that the sending account submitted; part of the deposits
 * is lost.
 *
 * @throws DualstackError if another account submitted it, or voting is over
 */
export async function cancelProposal(
  sender: Sender,
  ui: Ui,
  options: ProposalOptions,
): Promise<CancelProposalReport> {
  const { network } = sender;
  const reader = new ModuleReader(sender);
  const proposal = await requireProposal(reader, options.proposal);
  mustBeIn(proposal, ["deposit", "voting"], sender);
  const proposer = await senderOf(sender);
  if (proposal.proposer !== null && proposal.proposer.hex !== proposer) {
    throw new DualstackError(
      `only the account that submitted proposal ${proposal.id} can cancel it: ${proposal.proposer.hex}`,
      { network: network.name, address: proposer },
    );
  }
  const { proposalCancelRatio } = await reader.ask(governanceParams, {});
  const deposit = proposal.totalDeposit.map((coin) =>
    coinMoney(coin, network.facts),
  );
  const lostRatio = shortDecimal(proposalCancelRatio);
  const { report } = await transact(
    sender,
    ui,
    {
      precompile: "governance",
      method: "cancelProposal",
      args: [proposer, proposal.id],
      what: `cancelling proposal ${proposal.id}`,
      order: `Cancel ${named(proposal)} and lose ${percentOf(lostRatio)} of its deposit of ${moneyText(deposit)}`,
    },
    options,
  );
  return {
    ...report,
    proposal: proposal.id,
    title: titleOf(proposal),
    deposit,
    lostRatio,
  };
}

/** A decimal text without trailing zeros. */
const shortDecimal = (text: string): string =>
  text.includes(".") ? text.replace(/\.?0+$/, "") : text;

const named = (proposal: Proposal): string =>
  `proposal ${proposal.id}, "${titleOf(proposal)}",`;

function mustBeIn(
  proposal: Proposal,
  allowed: readonly StatusName[],
  { network }: Sender,
): void {
  const status = statusName(proposal.status);
  if (!allowed.includes(status)) {
    throw new DualstackError(
      status === "deposit"
        ? `voting on proposal ${proposal.id} has not begun: its deposit is not complete`
        : `voting on proposal ${proposal.id} is over: it is ${status}`,
      {
        network: network.name,
        ...(status === "deposit"
          ? {
              fix: `Complete it with ${taskCommand("gov deposit", network.name, proposal.id.toString(), "<amount>")}.`,
            }
          : {}),
      },
    );
  }
}

// The deposit may have started the vote.
async function nowOf(
  reader: ModuleReader,
  id: bigint | undefined,
): Promise<Pick<DepositReport, "status" | "ends">> {
  if (id === undefined) {
    return {};
  }
  const proposal = await reader.ask(proposalQuestion, { proposalId: id });
  if (proposal === null) {
    return {};
  }
  const status = statusName(proposal.status);
  const ends = instant(
    status === "deposit" ? proposal.depositEndTime : proposal.votingEndTime,
  );
  return { status, ...(ends === undefined ? {} : { ends }) };
}
