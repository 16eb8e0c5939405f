import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import {
  MsgCommunityPoolSpend,
  MsgFundCommunityPool,
} from "cosmjs-types/cosmos/distribution/v1beta1/tx";
import {
  type Deposit,
  Params,
  Proposal,
  ProposalStatus,
  type TallyResult,
  type Vote,
} from "cosmjs-types/cosmos/gov/v1/gov";
import type { Any } from "cosmjs-types/google/protobuf/any";

import { ZERO_ADDRESS } from "../../address/zero.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import type { GovernanceBooks } from "./books.js";
import {
  coins,
  EVERYTHING,
  type Reading,
  type Struct,
  time,
} from "./reading.js";

/** Values of Action in contracts/localnet/governance/Messages.sol. */
const ACTIONS = { send: 1n, spendPool: 2n, fundPool: 3n } as const;

/** The reason that the chain gives for all rejected proposals. */
const TOO_FEW_VOTES = "proposal did not get enough votes to pass";

/** The contracts store an absent time as 0. */
const optionalTime = (seconds: bigint) =>
  seconds > 0n ? time(seconds) : undefined;
const period = (nanoseconds: bigint) => ({
  seconds: nanoseconds / 1_000_000_000n,
  nanos: Number(nanoseconds % 1_000_000_000n),
});
const tallyOf = (tally: Struct): TallyResult => ({
  yesCount: tally.yes,
  abstainCount: tally.abstain,
  noCount: tally.no,
  noWithVetoCount: tally.noWithVeto,
});

/** Proposals, and what was voted and deposited. */
export class EmulatedGovernanceBooks implements GovernanceBooks {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async proposals(): Promise<readonly Proposal[]> {
    const [list] = await this.#reading.views.call(
      "governance",
      "getProposals",
      [
        ProposalStatus.PROPOSAL_STATUS_UNSPECIFIED,
        ZERO_ADDRESS,
        ZERO_ADDRESS,
        EVERYTHING,
      ],
    );
    return await Promise.all(
      (list as readonly Struct[]).map(async (one) => await this.#proposal(one)),
    );
  }

  async #proposal(p: Struct): Promise<Proposal> {
    const [expedited, messages, failure] = await this.#reading.views.call(
      "system",
      "proposalContents",
      [p.id],
    );
    return Proposal.fromPartial({
      id: p.id,
      messages: messages.map((message: Struct) => this.#message(message)),
      status: Number(p.status),
      finalTallyResult: tallyOf(p.finalTallyResult),
      submitTime: optionalTime(p.submitTime),
      depositEndTime: optionalTime(p.depositEndTime),
      totalDeposit: coins(p.totalDeposit),
      votingStartTime: optionalTime(p.votingStartTime),
      votingEndTime: optionalTime(p.votingEndTime),
      metadata: p.metadata,
      title: p.title,
      summary: p.summary,
      proposer: this.#reading.form(p.proposer, "account"),
      expedited,
      failedReason:
        Number(p.status) === ProposalStatus.PROPOSAL_STATUS_REJECTED
          ? TOO_FEW_VOTES
          : String(failure),
    });
  }

  // The contracts keep only messages that have an effect here; of others, the
  // type.
  #message({ typeUrl, action, recipient, amount }: Struct): Any {
    const governance = this.#reading.form(
      MODULE_ACCOUNTS.governance,
      "account",
    );
    const { denom } = this.#reading.around.settings;
    const sum = [{ denom, amount: String(amount) }];
    const value = () => {
      switch (action) {
        case ACTIONS.send:
          return MsgSend.encode({
            fromAddress: governance,
            toAddress: this.#reading.form(recipient, "account"),
            amount: sum,
          });
        case ACTIONS.spendPool:
          return MsgCommunityPoolSpend.encode({
            authority: governance,
            recipient: this.#reading.form(recipient, "account"),
            amount: sum,
          });
        case ACTIONS.fundPool:
          return MsgFundCommunityPool.encode({
            depositor: governance,
            amount: sum,
          });
        default:
          return undefined;
      }
    };
    return { typeUrl, value: value()?.finish() ?? new Uint8Array() };
  }

  async votes(proposal: bigint): Promise<readonly Vote[]> {
    const [list] = await this.#reading.views.call("governance", "getVotes", [
      proposal,
      EVERYTHING,
    ]);
    return (list as readonly Struct[]).map((vote) => ({
      proposalId: proposal,
      voter: this.#reading.form(vote.voter, "account"),
      options: vote.options.map((one: Struct) => ({
        option: Number(one.option),
        weight: String(one.weight),
      })),
      metadata: String(vote.metadata),
    }));
  }

  async deposits(proposal: bigint): Promise<readonly Deposit[]> {
    const [list] = await this.#reading.views.call("governance", "getDeposits", [
      proposal,
      EVERYTHING,
    ]);
    return (list as readonly Struct[]).map((deposit) => ({
      proposalId: proposal,
      depositor: this.#reading.form(deposit.depositor, "account"),
      amount: coins(deposit.amount),
    }));
  }

  async tally(proposal: bigint): Promise<TallyResult | undefined> {
    const found = await this.#reading.views.find(
      "governance",
      "getTallyResult",
      [proposal],
    );
    return found === undefined ? undefined : tallyOf(found[0]);
  }

  async params(): Promise<Params> {
    const [p] = await this.#reading.views.call("governance", "getParams");
    return Params.fromPartial({
      minDeposit: coins(p.minDeposit),
      maxDepositPeriod: period(p.maxDepositPeriod),
      votingPeriod: period(p.votingPeriod),
      quorum: p.quorum,
      threshold: p.threshold,
      vetoThreshold: p.vetoThreshold,
      minInitialDepositRatio: p.minInitialDepositRatio,
      proposalCancelRatio: p.proposalCancelRatio,
      proposalCancelDest: p.proposalCancelDest,
      expeditedVotingPeriod: period(p.expeditedVotingPeriod),
      expeditedThreshold: p.expeditedThreshold,
      expeditedMinDeposit: coins(p.expeditedMinDeposit),
      burnVoteQuorum: p.burnVoteQuorum,
      burnProposalDepositPrevote: p.burnProposalDepositPrevote,
      burnVoteVeto: p.burnVoteVeto,
      minDepositRatio: p.minDepositRatio,
    });
  }

  async constitution(): Promise<string> {
    const [text] = await this.#reading.views.call(
      "governance",
      "getConstitution",
    );
    return String(text);
  }
}
