/**
 * Types of a chain's staking, distribution and governance state at one block.
 * Amounts are in base units, rates are scaled by 10^18, times are Unix seconds,
 * addresses are hex with checksum.
 */

/** A hex string. */
export type Hex = `0x${string}`;

/** A validator's description. */
export interface LiveDescription {
  readonly moniker: string;
  readonly identity: string;
  readonly website: string;
  readonly securityContact: string;
  readonly details: string;
}

/** A slash of a validator, which ended one of its reward periods. */
export interface LiveSlash {
  /** Block height; 0 if unknown. */
  readonly height: bigint;
  readonly period: bigint;
  readonly fraction: bigint;
  /** Cumulative rewards per token until then, scaled by 10^18; 0 if unknown. */
  readonly ratio: bigint;
}

/** A validator's rewards; amounts are in base units scaled by 10^18. */
export interface LiveRewards {
  /** The current period. */
  readonly period: bigint;
  /** Cumulative rewards per token until the current period began. */
  readonly ratio: bigint;
  /** Rewards of the current period. */
  readonly current: bigint;
  readonly commission: bigint;
  readonly outstanding: bigint;
  readonly slashes: readonly LiveSlash[];
}

/** A validator. */
export interface LiveValidator {
  readonly operator: Hex;
  /** Ed25519 consensus key, 32 bytes. */
  readonly pubkey: Hex;
  readonly jailed: boolean;
  /** 1 unbonded, 2 unbonding, 3 bonded. */
  readonly status: number;
  readonly tokens: bigint;
  /** Scaled by 10^18. */
  readonly shares: bigint;
  readonly description: LiveDescription;
  readonly unbondingHeight: bigint;
  readonly unbondingTime: bigint;
  readonly rate: bigint;
  /** Limits of the commission; absent if the stores cannot be read. */
  readonly limits?: {
    readonly maxRate: bigint;
    readonly maxChangeRate: bigint;
    readonly commissionTime: bigint;
  };
  readonly minSelfDelegation: bigint;
  readonly rewards: LiveRewards;
}

/** Staking parameters, as far as they can be read. */
export interface LiveStakingParams {
  /** Seconds. */
  readonly unbondingTime?: bigint;
  readonly maxValidators?: bigint;
  readonly maxEntries?: bigint;
  readonly lastUnbondingId?: bigint;
}

/** Governance parameters in the emulator's units. */
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

/** An account's deposit for a proposal, in base units. */
export interface LiveDeposit {
  readonly depositor: Hex;
  readonly amount: bigint;
}

/** A vote on a proposal. */
export interface LiveVote {
  readonly voter: Hex;
  readonly options: readonly {
    readonly option: bigint;
    /** The voter's text, such as "0.5". */
    readonly weight: string;
  }[];
  readonly metadata: string;
}

/** A proposal, with deposits and votes as long as it is open. */
export interface LiveProposal {
  readonly id: bigint;
  /** 1 deposit period, 2 voting period, 3 passed, 4 rejected, 5 failed. */
  readonly status: number;
  /** Type URLs of its messages. */
  readonly types: readonly string[];
  /**
   * The proposal's JSON; absent if it cannot be read, or the proposal is
   * closed.
   */
  readonly json?: string;
  readonly expedited: boolean;
  readonly submitTime: bigint;
  readonly depositEndTime: bigint;
  readonly votingStartTime: bigint;
  readonly votingEndTime: bigint;
  readonly totalDeposit: bigint;
  /** The final tally: yes, abstain, no, no with veto. */
  readonly tally: readonly bigint[];
  readonly metadata: string;
  readonly title: string;
  readonly summary: string;
  readonly proposer: Hex;
  readonly deposits: readonly LiveDeposit[];
  readonly votes: readonly LiveVote[];
}

/** The state that concerns all accounts. */
export interface LiveBase {
  readonly height: bigint;
  /** The staked denomination. */
  readonly denom: string;
  readonly time: bigint;
  readonly staking: LiveStakingParams;
  /** Base units scaled by 10^18. */
  readonly communityPool: bigint;
  /**
   * Whether the distribution module's amounts are exact; otherwise they are
   * whole base units.
   */
  readonly exact: boolean;
  /**
   * Yearly rewards of all validators before the tax, in base units; absent if
   * they are unknown.
   */
  readonly yearlyRewards?: bigint | undefined;
  /** The community pool's part of the rewards, scaled by 10^18. */
  readonly tax: bigint;
  /**
   * Fees that the block's transactions paid, in base units; the next block
   * distributes them.
   */
  readonly fees: bigint;
  readonly validators: readonly LiveValidator[];
  readonly governance: LiveGovernanceParams;
}

/** What the slashing module notes about a validator's signatures. */
export interface LiveSigner {
  /** Consensus address. */
  readonly consensus: Hex;
  /** Block height at which it was bonded last. */
  readonly startHeight: bigint;
  /** Blocks that were counted. */
  readonly counted: bigint;
  readonly jailedUntil: bigint;
  readonly tombstoned: boolean;
  /** Blocks of the window that it did not sign. */
  readonly missed: bigint;
}

/** The state of the slashing module. */
export interface LiveSlashing {
  readonly params: {
    /** Blocks. */
    readonly signedBlocksWindow: bigint;
    readonly minSignedPerWindow: bigint;
    /** Seconds. */
    readonly downtimeJailDuration: bigint;
    readonly doubleSignFraction: bigint;
    readonly downtimeFraction: bigint;
  };
  readonly signers: readonly LiveSigner[];
}

/** A delegation. */
export interface LiveDelegation {
  readonly operator: Hex;
  /** Scaled by 10^18. */
  readonly shares: bigint;
  /** From where its rewards count; absent if the stores cannot be read. */
  readonly start?: {
    /** The reward period that had ended before. */
    readonly period: bigint;
    readonly height: bigint;
    readonly stake: bigint;
    /** Cumulative rewards per token until then. */
    readonly ratio: bigint;
  };
  /**
   * Rewards until the block, in base units scaled by 10^18; only if `start` is
   * unknown.
   */
  readonly rewards?: bigint;
}

/** An unbonding entry. */
export interface LiveUnbondingEntry {
  readonly creationHeight: bigint;
  readonly completionTime: bigint;
  readonly initialBalance: bigint;
  readonly balance: bigint;
  readonly unbondingId: bigint;
}

/** A redelegation. */
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

/**
 * Why a part of an account's state could not be read; thrown when it is needed.
 */
export interface Unread {
  readonly what: string;
  readonly error: Error;
}

/** An account's state in the staking and distribution modules. */
export interface LiveAccount {
  readonly address: Hex;
  /** The account that receives its rewards. */
  readonly withdrawAddress: Hex;
  readonly delegations: readonly LiveDelegation[];
  /** By operator; lists that could not be read are in `unread` instead. */
  readonly unbonding: ReadonlyMap<Hex, readonly LiveUnbondingEntry[]>;
  /** Absent if they could not be read; see `unread`. */
  readonly redelegations?: readonly LiveRedelegation[];
  /** Errors by operator, for unbonding entries, or by `redelegations`. */
  readonly unread: ReadonlyMap<string, Unread>;
}
