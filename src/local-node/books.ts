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

/** An account of the framework; those of modules have a name and rights. */
export interface Account extends BaseAccount {
  readonly module?: { readonly name: string; readonly permissions: string[] };
}

/** What the EVM's side tells of itself; prices in base units of gas, the multiplier times 10^18. */
export interface EvmFacts {
  readonly denom: string;
  readonly precompiles: readonly string[];
  readonly baseFee: bigint;
  readonly minGasPrice: bigint;
  readonly minGasMultiplier: bigint;
}

/** An account on the EVM's side. */
export interface EvmAccount {
  /** Base units. */
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
}

/** What is minted; times 10^18. */
export interface Minted {
  /** Of all tokens, in a year. */
  readonly inflation: bigint;
  /** Base units in a year. */
  readonly annualProvisions: bigint;
}

/** The rewards of one delegation. */
export interface DelegationReward {
  readonly validator: string;
  readonly reward: readonly DecCoin[];
}

/** How a validator has signed. */
export interface SigningInfo extends Omit<ValidatorSigningInfo, "address"> {
  /** Its address of consensus: 20 bytes in hexadecimal, in capitals. */
  readonly consensus: string;
}

/**
 * The books of the chain's modules at the end of one block, in the messages of
 * protobuf: decimals are texts of the number times 10^18. Addresses are bech32
 * texts, in the form of accounts or of operators; lists come in the order of
 * the framework's stores.
 */
export interface Books {
  validators(): Promise<readonly Validator[]>;
  delegationsOf(delegator: string): Promise<readonly DelegationResponse[]>;
  /** Who may have delegated; on a fork those that it has met. */
  delegators(): Promise<readonly string[]>;
  delegationsTo(validator: string): Promise<readonly DelegationResponse[]>;
  unbondingsOf(delegator: string): Promise<readonly UnbondingDelegation[]>;
  unbondingsFrom(validator: string): Promise<readonly UnbondingDelegation[]>;
  redelegationsOf(delegator: string): Promise<readonly RedelegationResponse[]>;
  stakingParams(): Promise<StakingParams>;
  pool(): Promise<Pool>;
  /** By validator, as the chain lists them. */
  rewardsOf(delegator: string): Promise<readonly DelegationReward[]>;
  commissionOf(validator: string): Promise<readonly DecCoin[]>;
  outstandingOf(validator: string): Promise<readonly DecCoin[]>;
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
  /** The count as it stands; `undefined`: there is no such proposal. */
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
  /** An account as the EVM has it. @param address 0x… */
  evmAccount(address: string): Promise<EvmAccount>;
  /** A word of a contract's storage. @param place 32 bytes */
  storage(address: string, place: string): Promise<string>;
  /** What stakers earn a year; 10^18 is 100 % of what is bonded. */
  rewardRate(): Promise<bigint>;
  /** On a fork that of its beginning. */
  minter(): Promise<Minted>;
  mintParams(): Promise<MintParams>;
  slashingParams(): Promise<SlashingParams>;
  /** How the validators have signed. */
  signingInfos(): Promise<readonly SigningInfo[]>;
  /** When the end of a block next has something to do, in seconds; far away where nothing waits. */
  nextDue(): Promise<bigint>;
}

/** The chain as queries see it. */
export interface Ledger {
  /** The framework's chain ID. */
  readonly chainId: string;
  readonly evmChainId: number;
  /** Of account addresses. */
  readonly prefix: string;
  /** Of the newest block. */
  readonly height: bigint;
  /** Of the first block that there is: 1, but on a fork. */
  readonly firstHeight: bigint;
  /**
   * @param height of a block; 0 for the newest
   * @throws Fault where its state is not there
   */
  booksAt(height: bigint): Books;
  /** The newest block. */
  readonly head: Block;
  /** `undefined`: there is no such block. */
  blockAt(height: bigint): Promise<Block | undefined>;
  /** By its hash in capitals. */
  transaction(hash: string): Promise<TransactionRecord | undefined>;
  /** Heights that have transactions, the oldest first. */
  readonly busyHeights: readonly bigint[];
  /** A request of the EVM's JSON-RPC. @throws what JSON-RPC answers as an error */
  request(request: RpcRequest): Promise<unknown>;
  /**
   * Takes a transaction of the framework: its hash, and the refusal where it is
   * not taken.
   *
   * @throws Fault where it was seen before
   */
  broadcast(
    transaction: Uint8Array,
  ): Promise<{ readonly hash: string; readonly refusal?: AbciRefusal }>;
  /** What the framework's side has of a block, in its order; nothing where there is no such block. */
  transactionsAt(height: bigint): Promise<readonly TransactionRecord[]>;
  /** What a framework transaction would use. @throws Fault where it is refused */
  simulate(transaction: Uint8Array): Promise<bigint>;
}
