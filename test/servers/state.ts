import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";
import type { ModuleEvent } from "../../src/local-node/history.js";
import type { BaseAccount } from "cosmjs-types/cosmos/auth/v1beta1/auth";
import type { Coin, DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import type {
  Deposit,
  Params as GovernanceParams,
  Proposal,
  TallyResult,
  Vote,
} from "cosmjs-types/cosmos/gov/v1/gov";
import type {
  DelegationResponse,
  Params as StakingParams,
  Pool,
  RedelegationResponse,
  UnbondingDelegation,
  Validator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

/**
 * What the test servers know about a chain. All of them answer from this, in
 * the messages of protobuf: decimals are strings times 10^18.
 */
export interface State {
  validators: Validator[];
  delegations: DelegationResponse[];
  unbondings: UnbondingDelegation[];
  redelegations: RedelegationResponse[];
  stakingParams: StakingParams;
  pool: Pool;
  /** By delegator and validator, in the chain's order. */
  rewards: { delegator: string; validator: string; reward: DecCoin[] }[];
  commission: Map<string, DecCoin[]>;
  outstanding: Map<string, DecCoin[]>;
  communityPool: DecCoin[];
  withdrawAddresses: Map<string, string>;
  proposals: Proposal[];
  votes: Vote[];
  deposits: Deposit[];
  tallies: Map<bigint, TallyResult>;
  governanceParams: GovernanceParams;
  balances: Map<string, Coin[]>;
  accounts: Map<string, BaseAccount>;
  /** Names of modules, by the addresses of their accounts. */
  moduleAccounts?: Map<string, string>;
  evm: {
    denom: string;
    precompiles: string[];
    baseFee: bigint;
    minGasPrice: bigint;
    minGasMultiplier: bigint;
  };
}

export interface ChainLog {
  address: string;
  topics: string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
  transactionIndex: string;
  blockHash: string;
  blockTimestamp: string;
  logIndex: string;
  removed: boolean;
}

export interface Block {
  number: bigint;
  hash: string;
  parentHash: string;
  timestamp: bigint;
  logs: ChainLog[];
  /** When it was made, to imitate an index that lags. */
  at: number;
}

/** What a block did on the framework's side. */
export interface ModuleBlock {
  readonly transactions: readonly {
    readonly bytes: Uint8Array;
    readonly code?: number;
    /** Why it failed. */
    readonly log?: string;
    readonly events: readonly ModuleEvent[];
  }[];
  readonly events?: readonly ModuleEvent[];
}

export type NewLog = Pick<ChainLog, "address" | "topics" | "data">;

export const hashOf = (text: string) =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`;

const quantity = (value: bigint | number) => `0x${value.toString(16)}`;

/** A chain of blocks, with the state at the end of each that is still kept. */
export class Chain {
  readonly chainId: string;
  readonly evmChainId: number;
  readonly blocks = new Map<bigint, Block>();
  /** What blocks did on the framework's side; tests set this before they mine. */
  readonly modules = new Map<bigint, ModuleBlock>();
  /** Transactions of the EVM in blocks, in the node's form. */
  readonly transactions = new Map<bigint, Record<string, string | null>[]>();
  readonly #states = new Map<bigint, State>();
  readonly #keep: number;
  readonly #listeners = new Set<(block: Block) => void>();
  readonly #pendingListeners = new Set<(hash: string) => void>();
  /** Changed by tests and transactions; becomes the state of the next block. */
  state: State;
  height: bigint;
  #transactions = 0;
  /** What sets its blocks apart from those of the same numbers before. */
  #branch = "";
  #clock = 1_795_250_000n;

  constructor(
    state: State,
    options: {
      height?: bigint;
      chainId?: string;
      evmChainId?: number;
      keep?: number;
    } = {},
  ) {
    this.state = state;
    this.height = options.height ?? 1n;
    this.chainId = options.chainId ?? "dualstack_26218-1";
    this.evmChainId = options.evmChainId ?? 26218;
    this.#keep = options.keep ?? 10_000;
    this.#states.set(this.height, structuredClone(state));
    this.#add([]);
  }

  get earliest(): bigint {
    return this.#states.keys().next().value ?? this.height;
  }

  /** The state at the end of a block; undefined if it is not kept or does not exist yet. */
  at(height: bigint): State | undefined {
    return this.#states.get(height);
  }

  get head(): Block {
    const block = this.blocks.get(this.height);
    if (block === undefined) {
      throw new Error("the newest block is kept");
    }
    return block;
  }

  /** Adds a block; `keepState: false` saves the copy if no test needs it. */
  mine(logs: readonly NewLog[] = [], keepState = false): Block {
    this.height++;
    if (keepState) {
      this.#states.set(this.height, structuredClone(this.state));
    }
    const block = this.#add(logs);
    for (const listener of [...this.#listeners]) {
      listener(block);
    }
    return block;
  }

  announce(hash: string): void {
    for (const listener of [...this.#pendingListeners]) {
      listener(hash);
    }
  }

  onBlock(listener: (block: Block) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onPending(listener: (hash: string) => void): () => void {
    this.#pendingListeners.add(listener);
    return () => this.#pendingListeners.delete(listener);
  }

  /**
   * Goes back to an earlier block, and on from there with other ones; from 0 it
   * is a new chain.
   *
   * @param later seconds by which its blocks are later than those before
   */
  setBack(height: bigint, later = 0n): void {
    for (let number = this.height; number > height; number--) {
      this.blocks.delete(number);
    }
    this.height = height;
    this.#branch += "'";
    this.#clock += later;
  }

  #add(logs: readonly NewLog[]): Block {
    const number = this.height;
    const hash = hashOf(`block ${number}${this.#branch}`);
    const timestamp = this.#clock + number;
    const block: Block = {
      number,
      hash,
      parentHash:
        this.blocks.get(number - 1n)?.hash ?? hashOf(`block ${number - 1n}`),
      timestamp,
      at: Date.now(),
      logs: logs.map((log, i) => ({
        ...log,
        blockNumber: quantity(number),
        transactionHash: hashOf(`transaction ${++this.#transactions}`),
        transactionIndex: quantity(i),
        blockHash: hash,
        blockTimestamp: quantity(timestamp),
        // In its transaction, as a real node counts.
        logIndex: quantity(0),
        removed: false,
      })),
    };
    this.blocks.set(number, block);
    this.blocks.delete(number - BigInt(this.#keep));
    return block;
  }
}
