import type { Address } from "../../address/index.js";

/**
 * Answers to questions about the chain's modules, with the same units and names
 * whichever endpoint was asked: amounts are bigint in base units; shares,
 * rates, rewards and pools are bigint times 10^18, as the framework stores
 * them; times are Unix seconds, durations nanoseconds; what is missing is null
 * or an empty list. Fields with `?` are not known to every endpoint.
 */

/** An address in the forms of both stacks. */
export type AddressForms = Omit<Address, "form">;

export const BOND_STATUSES = [
  "BOND_STATUS_UNSPECIFIED",
  "BOND_STATUS_UNBONDED",
  "BOND_STATUS_UNBONDING",
  "BOND_STATUS_BONDED",
] as const;
export type BondStatus = (typeof BOND_STATUSES)[number];

export const PROPOSAL_STATUSES = [
  "PROPOSAL_STATUS_UNSPECIFIED",
  "PROPOSAL_STATUS_DEPOSIT_PERIOD",
  "PROPOSAL_STATUS_VOTING_PERIOD",
  "PROPOSAL_STATUS_PASSED",
  "PROPOSAL_STATUS_REJECTED",
  "PROPOSAL_STATUS_FAILED",
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

export const VOTE_OPTIONS = [
  "VOTE_OPTION_UNSPECIFIED",
  "VOTE_OPTION_YES",
  "VOTE_OPTION_ABSTAIN",
  "VOTE_OPTION_NO",
  "VOTE_OPTION_NO_WITH_VETO",
] as const;
export type VoteOption = (typeof VOTE_OPTIONS)[number];

/** Which part of a long list to return; by default the node returns 100 entries. */
export interface PageRequest {
  /** `nextKey` of the previous page, from any endpoint. */
  readonly key?: Uint8Array;
  readonly offset?: bigint;
  readonly limit?: bigint;
  readonly countTotal?: boolean;
  readonly reverse?: boolean;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The key of the next page; null on the last one. */
  readonly nextKey: Uint8Array | null;
}

/** An amount of one denomination, in base units. */
export interface Coin {
  readonly denom: string;
  readonly amount: bigint;
}

/** An amount with a fraction, in base units times 10^18; the precompiles drop the fraction. */
export interface DecCoin {
  readonly denom: string;
  readonly amount: bigint;
}

/** A validator. */
export interface Validator {
  readonly operator: AddressForms;
  /** The ed25519 key with which it signs blocks, 32 bytes. */
  readonly consensusKey: Uint8Array;
  readonly jailed: boolean;
  readonly status: BondStatus;
  /** Base units. */
  readonly tokens: bigint;
  /** Times 10^18. */
  readonly delegatorShares: bigint;
  readonly description: {
    readonly moniker: string;
    readonly identity: string;
    readonly website: string;
    readonly securityContact: string;
    readonly details: string;
  };
  readonly unbondingHeight: bigint;
  /** Unix seconds. */
  readonly unbondingTime: bigint | null;
  /** Of rewards, times 10^18: 10^17 is 10 %. */
  readonly commissionRate: bigint;
  readonly maxCommissionRate?: bigint;
  readonly maxCommissionChangeRate?: bigint;
  /** Unix seconds. */
  readonly commissionUpdateTime?: bigint | null;
  /** Base units. */
  readonly minSelfDelegation: bigint;
}

/** A delegation; its balance is what the shares are worth now. */
export interface Delegation {
  readonly delegator: AddressForms;
  readonly validator: AddressForms;
  /** Times 10^18. */
  readonly shares: bigint;
  readonly balance: Coin;
}

/** Tokens that were undelegated together. */
export interface UnbondingEntry {
  readonly creationHeight: bigint;
  /** Unix seconds. */
  readonly completionTime: bigint | null;
  /** Base units. */
  readonly initialBalance: bigint;
  /** Base units, after slashes. */
  readonly balance: bigint;
  readonly unbondingId: bigint;
  readonly onHoldReferences: bigint;
}

/** What a delegator has unbonding from a validator. */
export interface Unbonding {
  readonly delegator: AddressForms;
  readonly validator: AddressForms;
  readonly entries: readonly UnbondingEntry[];
}

/** Tokens that were redelegated together. */
export interface RedelegationEntry {
  readonly creationHeight: bigint;
  /** Unix seconds. */
  readonly completionTime: bigint | null;
  /** Base units. */
  readonly initialBalance: bigint;
  /** At the new validator, times 10^18. */
  readonly shares: bigint;
  /** Base units. */
  readonly balance: bigint;
  readonly unbondingId?: bigint;
}

/** A delegator's redelegations from one validator to another that are under way. */
export interface Redelegation {
  readonly delegator: AddressForms;
  readonly source: AddressForms;
  readonly destination: AddressForms;
  readonly entries: readonly RedelegationEntry[];
}

/** The stake of the whole chain, in base units. */
export interface StakingPool {
  readonly bonded: bigint;
  readonly notBonded: bigint;
}

/** The parameters of staking. */
export interface StakingParams {
  /** Nanoseconds. */
  readonly unbondingTime: bigint;
  readonly maxValidators: number;
  readonly maxEntries: number;
  readonly historicalEntries: number;
  readonly bondDenom: string;
  /** Times 10^18. */
  readonly minCommissionRate: bigint;
}

/** An account's rewards from one validator. */
export interface RewardsOfValidator {
  readonly validator: AddressForms;
  readonly reward: readonly DecCoin[];
}

/** An account's rewards from all validators. */
export interface TotalRewards {
  readonly rewards: readonly RewardsOfValidator[];
  readonly total: readonly DecCoin[];
}

/** Votes by option, in base units of stake. */
export interface Tally {
  readonly yes: bigint;
  readonly abstain: bigint;
  readonly no: bigint;
  readonly noWithVeto: bigint;
}

/** What a proposal does when it passes. */
export interface ProposalMessage {
  readonly typeUrl: string;
  /** The message itself: JSON from REST, bytes of protobuf from gRPC and the node RPC. */
  readonly value?: unknown;
}

/** A proposal; times are Unix seconds. */
export interface Proposal {
  readonly id: bigint;
  readonly messages: readonly ProposalMessage[];
  readonly status: ProposalStatus;
  /** The result once voting is over; all 0 before. */
  readonly finalTally: Tally;
  readonly submitTime: bigint | null;
  readonly depositEndTime: bigint | null;
  readonly totalDeposit: readonly Coin[];
  readonly votingStartTime: bigint | null;
  readonly votingEndTime: bigint | null;
  readonly metadata: string;
  readonly title: string;
  readonly summary: string;
  readonly proposer: AddressForms | null;
  readonly expedited?: boolean;
  readonly failedReason?: string;
}

/** A vote. */
export interface Vote {
  readonly proposalId: bigint;
  readonly voter: AddressForms;
  /** Weights are decimal strings, as they were stored: `0.6`, `1.000000000000000000`. */
  readonly options: readonly {
    readonly option: VoteOption;
    readonly weight: string;
  }[];
  readonly metadata: string;
}

/** What an account deposited for a proposal. */
export interface Deposit {
  readonly proposalId: bigint;
  readonly depositor: AddressForms;
  readonly amount: readonly Coin[];
}

/** The parameters of governance: ratios are decimal strings, durations nanoseconds. */
export interface GovernanceParams {
  readonly votingPeriod: bigint;
  readonly minDeposit: readonly Coin[];
  readonly maxDepositPeriod: bigint;
  readonly quorum: string;
  readonly threshold: string;
  readonly vetoThreshold: string;
  readonly minInitialDepositRatio: string;
  readonly proposalCancelRatio: string;
  readonly proposalCancelDest: string;
  readonly expeditedVotingPeriod: bigint;
  readonly expeditedThreshold: string;
  readonly expeditedMinDeposit: readonly Coin[];
  readonly burnVoteQuorum: boolean;
  readonly burnProposalDepositPrevote: boolean;
  readonly burnVoteVeto: boolean;
  readonly minDepositRatio: string;
}
