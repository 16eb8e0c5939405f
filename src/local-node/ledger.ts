import type { RpcRequest } from "../rpc/provider.js";
import type { Block } from "./block.js";
import type { Books } from "./books/books.js";
import type { AbciRefusal } from "./fault.js";
import type { TransactionRecord } from "./history.js";

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
