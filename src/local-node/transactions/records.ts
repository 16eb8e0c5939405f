import type { Act } from "../../localnet/acts.js";
import type { LocalEngine } from "../../localnet/engine.js";
import type { Ask } from "../../rpc/pipeline.js";
import { isRecord } from "../../rpc/quantities.js";
import { setBounded } from "../../support/bounded.js";
import type { Block } from "../block.js";
import type { Books } from "../books/books.js";
import type { TransactionRecord } from "../history.js";
import { evmRecord, logsOf } from "./evm.js";
import { Standing } from "./standing.js";
import type { FeeRules } from "./transaction.js";

/**
 * Number of transactions whose module actions are kept: finding them takes a
 * trace.
 */
const ACTS_KEPT = 10_000;

/** What {@link Records} reads transactions from. */
export interface RecordsOptions {
  readonly ask: Ask;
  readonly engine: Pick<LocalEngine, "isModule" | "actsOf">;
  readonly rules: FeeRules;
  /** Returns the books at the end of a block. */
  booksAt(height: bigint): Books;
}

/** The transactions of both stacks in the chain's blocks. */
export class Records {
  readonly #options: RecordsOptions;
  /** Module actions by block hash and transaction hash. */
  readonly #acts = new Map<string, readonly Act[]>();
  /** Framework transactions by block height. */
  readonly #executed = new Map<bigint, readonly TransactionRecord[]>();
  /** Block heights by transaction hash in the framework's form. */
  readonly #heights = new Map<string, bigint>();

  constructor(options: RecordsOptions) {
    this.#options = options;
  }

  /** Notes the framework transactions of a block. */
  execute(height: bigint, records: readonly TransactionRecord[]): void {
    this.#executed.set(height, records);
  }

  /** Notes the transactions of a new block, so that they can be found. */
  async note(block: Block): Promise<void> {
    for (const { hash } of await this.of(block)) {
      this.#heights.set(hash, block.height);
    }
  }

  /** Forgets the blocks from a height on, which the chain went back behind. */
  forgetFrom(height: bigint): void {
    for (const [hash, at] of this.#heights) {
      if (at >= height) this.#heights.delete(hash);
    }
    for (const at of this.#executed.keys()) {
      if (at >= height) this.#executed.delete(at);
    }
  }

  /** Returns a block's transactions, the EVM's first. */
  async of(block: Block): Promise<readonly TransactionRecord[]> {
    const { ask, rules, booksAt } = this.#options;
    const { height } = block;
    const { transactions } = block.evm;
    const runs = await Promise.all(
      (Array.isArray(transactions) ? transactions : []).map(
        async (transaction: Readonly<Record<string, unknown>>) => {
          const found = await ask("eth_getTransactionReceipt", [
            transaction["hash"],
          ]);
          const receipt = isRecord(found) ? found : {};
          const acts = await this.#actsOf(transaction, receipt);
          return { transaction, receipt, acts };
        },
      ),
    );
    const standing = new Standing(
      () => (height > 1n ? booksAt(height - 1n) : undefined),
      block.time,
      rules.denom,
    );
    const evm: TransactionRecord[] = [];
    for (const [index, run] of runs.entries()) {
      evm.push(await evmRecord(run, index, rules, standing));
    }
    const executed = this.#executed.get(height) ?? [];
    return [
      ...evm,
      ...executed.map((record, i) => ({ ...record, index: evm.length + i })),
    ];
  }

  /**
   * Returns the module actions of an EVM transaction. Without a log of a module
   * there are none, and no trace is needed.
   */
  async #actsOf(
    transaction: Readonly<Record<string, unknown>>,
    receipt: Readonly<Record<string, unknown>>,
  ): Promise<readonly Act[]> {
    const { engine } = this.#options;
    if (!logsOf(receipt).some(({ address }) => engine.isModule(address)))
      return [];
    const key = `${String(transaction["blockHash"])} ${String(transaction["hash"])}`;
    let acts = this.#acts.get(key);
    if (acts === undefined) {
      acts = await engine.actsOf(transaction);
      setBounded(this.#acts, key, acts, ACTS_KEPT);
    }
    return acts;
  }

  /**
   * Returns the height of the block with a transaction; `undefined` when no
   * block has it.
   *
   * @param hash the framework's, in upper-case hex
   */
  heightOf(hash: string): bigint | undefined {
    return this.#heights.get(hash);
  }

  /** Heights of blocks with transactions, oldest first. */
  get busyHeights(): readonly bigint[] {
    return [...new Set(this.#heights.values())].sort((a, b) =>
      a < b ? -1 : a > b ? 1 : 0,
    );
  }
}
