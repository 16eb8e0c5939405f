import type { BaseAccount } from "cosmjs-types/cosmos/auth/v1beta1/auth";
import type { Metadata } from "cosmjs-types/cosmos/bank/v1beta1/bank";
import type { Coin, DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import type {
  Params as DistributionParams,
  ValidatorSlashEvent,
} from "cosmjs-types/cosmos/distribution/v1beta1/distribution";
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

import type { RpcRequest } from "../rpc/provider.js";
import type { Block } from "./block.js";
import type { AbciRefusal } from "./fault.js";
import type { TransactionRecord } from "./history.js";

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

/**
 * The books of the chain's modules at the end of one block, as protobuf
 * messages: decimals are strings of the number times 10^18. Addresses are
 * bech32, in the account or operator form; lists are in the order of the
 * framework's stores.
 */
export interface Books {
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
  stakingParams(): Promise<StakingParams>;
  pool(): Promise<Pool>;
  /** One entry per validator, in the chain's order. */
  rewardsOf(delegator: string): Promise<readonly DelegationReward[]>;
  commissionOf(validator: string): Promise<readonly DecCoin[]>;
  outstandingOf(validator: string): Promise<readonly DecCoin[]>;
  /**
   * Slashes of a validator in the reward periods `from` to `to`: the framework
   * compares periods with what its query calls heights.
   */
  slashesOf(
    validator: string,
    from: bigint,
    to: bigint,
  ): Promise<readonly ValidatorSlashEvent[]>;
  communityPool(): Promise<readonly DecCoin[]>;
  withdrawAddress(delegator: string): Promise<string>;
  distributionParams(): Promise<DistributionParams>;
  proposals(): Promise<readonly Proposal[]>;
  votes(proposal: bigint): Promise<readonly Vote[]>;
  deposits(proposal: bigint): Promise<readonly Deposit[]>;
  /** The current tally; `undefined` when there is no such proposal. */
  tally(proposal: bigint): Promise<TallyResult | undefined>;
  governanceParams(): Promise<GovernanceParams>;
  constitution(): Promise<string>;
  balances(account: string): Promise<readonly Coin[]>;
  supply(): Promise<readonly Coin[]>;
  denominations(): Promise<readonly Metadata[]>;
  account(address: string): Promise<Account | undefined>;
  accounts(): Promise<readonly Account[]>;
  moduleAccounts(): Promise<readonly Account[]>;
  evm(): Promise<EvmFacts>;
  /**
   * An account's EVM state.
   *
   * @param address in hex: 0x…
   */
  evmAccount(address: string): Promise<EvmAccount>;
  /**
   * The value of a contract's storage slot.
   *
   * @param place the slot: 32 bytes in hex
   */
  storage(address: string, place: string): Promise<string>;
  /** Yearly rewards as a fraction of the bonded tokens, times 10^18. */
  rewardRate(): Promise<bigint>;
  /** The minting rate; on a fork, that of the forked block. */
  minter(): Promise<Minted>;
  mintParams(): Promise<MintParams>;
  slashingParams(): Promise<SlashingParams>;
  /** The validators' signing records. */
  signingInfos(): Promise<readonly SigningInfo[]>;
  /**
   * Unix time in seconds at which the end of a block next has something to do;
   * far in the future when nothing is due.
   */
  nextDue(): Promise<bigint>;
}

/** The chain, as queries see it. */
export interface Ledger {
  /** The framework's chain ID. */
  readonly chainId: string;
  readonly evmChainId: number;
  /** The bech32 prefix of account addresses. */
  readonly prefix: string;
  /** Height of the newest block. */
  readonly height: bigint;
  /** Height of the oldest block: 1, except on a fork. */
  readonly firstHeight: bigint;
  /**
   * Returns the books at the end of a block.
   *
   * @param height of the block; 0 for the newest
   * @throws Fault when the block's state is not available
   */
  booksAt(height: bigint): Books;
  /** The newest block. */
  readonly head: Block;
  /** Returns the block at a height; `undefined` when there is none. */
  blockAt(height: bigint): Promise<Block | undefined>;
  /** Finds a transaction by its framework hash in upper-case hex. */
  transaction(hash: string): Promise<TransactionRecord | undefined>;
  /** Heights of blocks with transactions, oldest first. */
  readonly busyHeights: readonly bigint[];
  /**
   * Answers a JSON-RPC request of the EVM.
   *
   * @throws the error that JSON-RPC reports
   */
  request(request: RpcRequest): Promise<unknown>;
  /**
   * Adds a framework transaction to the pool.
   *
   * @returns its hash, with the refusal when the pool does not accept it
   * @throws Fault when the pool has seen it before
   */
  broadcast(
    transaction: Uint8Array,
  ): Promise<{ readonly hash: string; readonly refusal?: AbciRefusal }>;
  /**
   * Returns a block's transactions of both stacks, in order; none when there is
   * no such block.
   *
   * @throws Fault when the block is older than the fork
   */
  transactionsAt(height: bigint): Promise<readonly TransactionRecord[]>;
  /**
   * Returns the gas that a framework transaction would use.
   *
   * @throws Fault when it is refused or fails
   */
  simulate(transaction: Uint8Array): Promise<bigint>;
}
