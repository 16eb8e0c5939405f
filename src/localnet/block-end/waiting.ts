// Keeps the plans of pending transactions where blocks are mined by hand or by
// a timer.

import { fromQuantity, isRecord } from "../../rpc/quantities.js";
import type { LocalNode } from "../node/node.js";
import { NO_PLAN, type Plan } from "../arrangement/plan.js";

/** A transaction that is no longer pending. */
interface Done {
  readonly plan: Plan;
  /** Its block number; 0 for a dropped transaction, whose plan is empty. */
  readonly block: bigint;
}

/** Pending transactions by hash, with their plans. */
export class WaitingTransactions {
  readonly #node: LocalNode;
  #plans = new Map<string, Plan>();

  constructor(node: LocalNode) {
    this.#node = node;
  }

  get size(): number {
    return this.#plans.size;
  }

  add(hash: string, plan: Plan): void {
    this.#plans.set(hash, plan);
  }

  clear(): void {
    this.#plans.clear();
  }

  /** The accounts known to need a payer's code in the next blocks. */
  get payers(): ReadonlySet<string> {
    return new Set(
      [...this.#plans.values()].flatMap((plan) => [...plan.payers]),
    );
  }

  /**
   * Contracts that the transactions create and that owe a payment afterwards.
   */
  get owing(): ReadonlySet<string> {
    return new Set(
      [...this.#plans.values()].flatMap((plan) => [...plan.owing]),
    );
  }

  /** Removes and returns the transactions that were mined or dropped. */
  async takeDone(): Promise<Done[]> {
    const all = [...this.#plans].map(
      async ([hash, plan]): Promise<Done | undefined> => {
        const transaction = await this.#node.ask("eth_getTransactionByHash", [
          hash,
        ]);
        const { blockNumber } = isRecord(transaction)
          ? transaction
          : { blockNumber: "0x0" };
        if (blockNumber === null || blockNumber === undefined) return undefined;
        this.#plans.delete(hash);
        const block = fromQuantity(blockNumber, "a block's number");
        return { plan: isRecord(transaction) ? plan : NO_PLAN, block };
      },
    );
    return (await Promise.all(all)).filter((done) => done !== undefined);
  }

  /** Returns the transactions, for {@link restore} after a revert. */
  save(): ReadonlyMap<string, Plan> {
    return new Map(this.#plans);
  }

  restore(saved: ReadonlyMap<string, Plan>): void {
    this.#plans = new Map(saved);
  }
}
