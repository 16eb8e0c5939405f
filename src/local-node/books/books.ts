import type { BaseAccount } from "cosmjs-types/cosmos/auth/v1beta1/auth";
import type { Metadata } from "cosmjs-types/cosmos/bank/v1beta1/bank";
import type { Coin, DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import type { PageRequest } from "cosmjs-types/cosmos/base/query/v1beta1/pagination";
import type { Params as DistributionParams } from "cosmjs-types/cosmos/distribution/v1beta1/distribution";
import type { QueryValidatorSlashesResponse } from "cosmjs-types/cosmos/distribution/v1beta1/query";
import type {
  Deposit,
  Params as GovernanceParams,
  Proposal,
  TallyResult,
  Vote,
} from "cosmjs-types/cosmos/gov/v1/gov";
import type { Params as MintParams } from "cosmjs-types/cosmos/mint/v1beta1/mint";
import type {
  Params as SlashingParams,
  ValidatorSigningInfo,
} from "cosmjs-types/cosmos/slashing/v1beta1/slashing";
import type {
  DelegationResponse,
  Params as StakingParams,
  Pool,
  RedelegationResponse,
  UnbondingDelegation,
  Validator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

/** A framework account; module accounts have a name and permissions. */
export interface Account extends BaseAccount {
  readonly module?: { readonly name: string; readonly permissions: string[] };
}

/**
 * Facts of the EVM; prices in base units per gas, the multiplier times 10^18.
 */
export interface EvmFacts {
  readonly denom: string;
  /** Addresses in lower-case hex. */
  readonly precompiles: readonly string[];
  readonly baseFee: bigint;
  readonly minGasPrice: bigint;
  readonly minGasMultiplier: bigint;
}

/** An account's EVM state. */
export interface EvmAccount {
  /** Base units. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
}

/** The minting rate; both values are times 10^18. */
export interface Minted {
  /** Yearly, as a fraction of the supply. */
  readonly inflation: bigint;
  /** Base units per year. */
  readonly annualProvisions: bigint;
}

/** The pending rewards of one delegation. */
export interface DelegationReward {
  readonly validator: string;
  readonly reward: readonly DecCoin[];
}

/** A validator's signing record. */
export interface SigningInfo extends Omit<ValidatorSigningInfo, "address"> {
  /** The consensus address: 20 bytes in upper-case hex. */
  readonly consensus: string;
}

/** The staking module's books. */
export interface StakingBooks {
  validators(): Promise<readonly Validator[]>;
  delegationsOf(delegator: string): Promise<readonly DelegationResponse[]>;
  /**
   * Accounts that may have a delegation; on a fork, only those seen since the
   * forked block.
   */
  delegators(): Promise<readonly string[]>;
  delegationsTo(validator: string): Promise<readonly DelegationResponse[]>;
  unbondingsOf(delegator: string): Promise<readonly UnbondingDelegation[]>;
  unbondingsFrom(validator: string): Promise<readonly UnbondingDelegation[]>;
  redelegationsOf(delegator: string): Promise<readonly RedelegationResponse[]>;
  redelegationsFrom(
    validator: string,
  ): Promise<readonly RedelegationResponse[]>;
  params(): Promise<StakingParams>;
  pool(): Promise<Pool>;
}

/** The distribution module's books. */
export interface DistributionBooks {
  /** One entry per validator, in the chain's order. */
  rewardsOf(delegator: string): Promise<readonly DelegationReward[]>;
  commissionOf(validator: string): Promise<readonly DecCoin[]>;
  outstandingOf(validator: string): Promise<readonly DecCoin[]>;
  /**
   * Slashes of a validator in the reward periods `from` to `to`: the framework
   * compares periods with what its query calls heights. Without a page: all.
   */
  slashesOf(
    validator: string,
    from: bigint,
    to: bigint,
    page?: PageRequest,
  ): Promise<Required<QueryValidatorSlashesResponse>>;
  communityPool(): Promise<readonly DecCoin[]>;
  withdrawAddress(delegator: string): Promise<string>;
  params(): Promise<DistributionParams>;
}

/** The governance module's books. */
export interface GovernanceBooks {
  proposals(): Promise<readonly Proposal[]>;
  votes(proposal: bigint): Promise<readonly Vote[]>;
  deposits(proposal: bigint): Promise<readonly Deposit[]>;
  /** The current tally; `undefined` when there is no such proposal. */
  tally(proposal: bigint): Promise<TallyResult | undefined>;
  params(): Promise<GovernanceParams>;
  constitution(): Promise<string>;
}

/** The bank module's books. */
export interface BankBooks {
  balances(account: string): Promise<readonly Coin[]>;
  supply(): Promise<readonly Coin[]>;
  denominations(): Promise<readonly Metadata[]>;
}

/** The auth module's books. */
export interface AuthBooks {
  account(address: string): Promise<Account | undefined>;
  accounts(): Promise<readonly Account[]>;
  moduleAccounts(): Promise<readonly Account[]>;
}

/** The mint module's books. */
export interface MintBooks {
  /** Yearly rewards as a fraction of the bonded tokens, times 10^18. */
  rewardRate(): Promise<bigint>;
  /** The minting rate; on a fork, that of the forked block. */
  minter(): Promise<Minted>;
  params(): Promise<MintParams>;
}

/** The slashing module's books. */
export interface SlashingBooks {
  params(): Promise<SlashingParams>;
  /** The validators' signing records. */
  signingInfos(): Promise<readonly SigningInfo[]>;
}

/** The EVM's state. */
export interface EvmBooks {
  facts(): Promise<EvmFacts>;
  /**
   * An account's EVM state.
   *
   * @param address in hex: 0x…
   */
  account(address: string): Promise<EvmAccount>;
  /**
   * The value of a contract's storage slot.
   *
   * @param place the slot: 32 bytes in hex
   */
  storage(address: string, place: string): Promise<string>;
}

/**
 * The books of the chain's modules at the end of one block, as protobuf
 * messages: decimals are strings of the number times 10^18. Addresses are
 * bech32, in the account or operator form; lists are in the order of the
 * framework's stores.
 */
export interface Books {
  readonly staking: StakingBooks;
  readonly distribution: DistributionBooks;
  readonly governance: GovernanceBooks;
  readonly bank: BankBooks;
  readonly auth: AuthBooks;
  readonly mint: MintBooks;
  readonly slashing: SlashingBooks;
  readonly evm: EvmBooks;
  /**
   * Unix time in seconds at which the end of a block next has something to do;
   * far in the future when nothing is due.
   */
  nextDue(): Promise<bigint>;
}
