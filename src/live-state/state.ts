/**
 * What is read of a chain's staking, distribution and governance state at one
 * block. Amounts are in base units, rates have 18 places (10^18 is 1), times
 * are seconds since 1970, addresses are hex with checksum.
 */

export type Hex = `0x${string}`;

export interface LiveDescription {
  readonly moniker: string;
  readonly identity: string;
  readonly website: string;
  readonly securityContact: string;
  readonly details: string;
}

/** Part of a validator's stake was taken when one of its periods ended. */
export interface LiveSlash {
  /** 0 where it is not known. */
  readonly height: bigint;
  readonly period: bigint;
  readonly fraction: bigint;
  /** Rewards of one token until then, 18 places; 0 where it is not known. */
  readonly ratio: bigint;
}

/** What the distribution module has noted of a validator. Amounts have 18 places more than base units. */
export interface LiveRewards {
  /** The current period. */
  readonly period: bigint;
  /** Rewards of one token until the current period began. */
  readonly ratio: bigint;
  /** Rewards of the current period. */
  readonly current: bigint;
  readonly commission: bigint;
  readonly outstanding: bigint;
  readonly slashes: readonly LiveSlash[];
}

export interface LiveValidator {
  readonly operator: Hex;
  /** Ed25519, 32 bytes. */
  readonly pubkey: Hex;
  readonly jailed: boolean;
  /** 1 unbonded, 2 unbonding, 3 bonded. */
  readonly status: number;
  readonly tokens: bigint;
  /** 18 places more than base units. */
  readonly shares: bigint;
  readonly description: LiveDescription;
  readonly unbondingHeight: bigint;
  readonly unbondingTime: bigint;
  readonly rate: bigint;
  /** Absent where no store tells it. */
  readonly limits?: {
    readonly maxRate: bigint;
    readonly maxChangeRate: bigint;
    readonly commissionTime: bigint;
  };
  readonly minSelfDelegation: bigint;
  readonly rewards: LiveRewards;
}

/** Parameters of staking, as far as they can be read. */
export interface LiveStakingParams {
  /** Seconds. */
  readonly unbondingTime?: bigint;
  readonly maxValidators?: bigint;
  readonly maxEntries?: bigint;
  readonly lastUnbondingId?: bigint;
}

/** Parameters of governance in the emulator's units. */
export interface LiveGovernanceParams {
  readonly votingPeriod: bigint;
  readonly expeditedVotingPeriod: bigint;
  readonly depositPeriod: bigint;
  readonly minDeposit: bigint;
  readonly expeditedMinDeposit: bigint;
  readonly quorum: bigint;
  readonly threshold: bigint;
  readonly expeditedThreshold: bigint;
  readonly vetoThreshold: bigint;
  readonly minInitialDepositRatio: bigint;
  readonly minDepositRatio: bigint;
  readonly proposalCancelRatio: bigint;
  readonly proposalCancelDest: string;
  readonly burnVoteQuorum: boolean;
  readonly burnProposalDepositPrevote: boolean;
  readonly burnVoteVeto: boolean;
  readonly constitution: string;
}

/** What an account has deposited for a proposal, in base units. */
export interface LiveDeposit {
  readonly depositor: Hex;
  readonly amount: bigint;
}

export interface LiveVote {
  readonly voter: Hex;
  readonly options: readonly {
    readonly option: bigint;
    /** As it was sent, such as "0.5". */
    readonly weight: string;
  }[];
  readonly metadata: string;
}

/** A proposal, with its deposits and votes while it is under way. */
export interface LiveProposal {
  readonly id: bigint;
  /** 1 deposit period, 2 voting period, 3 passed, 4 rejected, 5 failed. */
  readonly status: number;
  /** Type URLs of its messages. */
  readonly types: readonly string[];
  /** Its messages in a proposal's JSON; absent where they cannot be read, or are past. */
  readonly json?: string;
  readonly expedited: boolean;
  readonly submitTime: bigint;
  readonly depositEndTime: bigint;
  readonly votingStartTime: bigint;
  readonly votingEndTime: bigint;
  readonly totalDeposit: bigint;
  /** Yes, abstain, no, no with veto, as counted at the end. */
  readonly tally: readonly bigint[];
  readonly metadata: string;
  readonly title: string;
  readonly summary: string;
  readonly proposer: Hex;
  readonly deposits: readonly LiveDeposit[];
  readonly votes: readonly LiveVote[];
}

/** Everything that concerns all accounts. */
export interface LiveBase {
  readonly height: bigint;
  /** Denomination of what is staked. */
  readonly denom: string;
  readonly time: bigint;
  readonly staking: LiveStakingParams;
  /** Base units with 18 places more. */
  readonly communityPool: bigint;
  /** Whether the amounts of the distribution module are known to the last place; else they are whole units. */
  readonly exact: boolean;
  /** What all validators earn in a year together, the community's part taken off; absent where it cannot be told. */
  readonly yearlyRewards?: bigint;
  readonly validators: readonly LiveValidator[];
  readonly governance: LiveGovernanceParams;
}

export interface LiveDelegation {
  readonly operator: Hex;
  /** 18 places more than base units. */
  readonly shares: bigint;
  /** How its rewards come to be, where a store tells it. */
  readonly start?: {
    /** The period that had ended before. */
    readonly period: bigint;
    readonly height: bigint;
    readonly stake: bigint;
    /** Rewards of one token until then. */
    readonly ratio: bigint;
  };
  /** Rewards until now, 18 places more than base units, where no store tells how they came to be. */
  readonly rewards?: bigint;
}

export interface LiveUnbondingEntry {
  readonly creationHeight: bigint;
  readonly completionTime: bigint;
  readonly initialBalance: bigint;
  readonly balance: bigint;
  readonly unbondingId: bigint;
}

export interface LiveRedelegation {
  readonly source: Hex;
  readonly destination: Hex;
  readonly entries: readonly {
    readonly creationHeight: bigint;
    readonly completionTime: bigint;
    readonly initialBalance: bigint;
    readonly sharesDst: bigint;
  }[];
}

/** Why a part of the state could not be read; asked for again when it is needed. */
export interface Unread {
  readonly what: string;
  readonly error: Error;
}

/** What one account has with the staking and distribution modules. */
export interface LiveAccount {
  readonly address: Hex;
  /** Who gets its rewards. */
  readonly withdrawAddress: Hex;
  readonly delegations: readonly LiveDelegation[];
  /** By operator; absent where the list could not be read, see `unread`. */
  readonly unbonding: ReadonlyMap<Hex, readonly LiveUnbondingEntry[]>;
  /** Absent where it could not be read. */
  readonly redelegations?: readonly LiveRedelegation[];
  /** By operator, and `redelegations`. */
  readonly unread: ReadonlyMap<string, Unread>;
}
