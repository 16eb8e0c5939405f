// Between a request and its block, where blocks are mined by hand or by a
// timer.

import { fromQuantity, isRecord } from "../../rpc/quantities.js";
import type { LocalNode } from "../node/node.js";
import { NO_PLAN, type Plan } from "../arrangement/plan.js";

/** A transaction that waits no longer. */
interface Done {
  readonly plan: Plan;
  /** Its block; 0 for one that was dropped, whose plan is empty. */
  readonly block: bigint;
}

/** Transactions that wait for a block, and what they need there. */
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

  /** Where payers' codes are needed in the next blocks, as far as it is known. */
  get payers(): ReadonlySet<string> {
    return new Set(
      [...this.#plans.values()].flatMap((plan) => [...plan.payers]),
    );
  }

  /** Contracts that they create and that owe something then. */
  get owing(): ReadonlySet<string> {
    return new Set(
      [...this.#plans.values()].flatMap((plan) => [...plan.owing]),
    );
  }

  /** Takes out those that are in a block now, and those that were dropped. */
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

  save(): ReadonlyMap<string, Plan> {
    return new Map(this.#plans);
  }

  restore(saved: ReadonlyMap<string, Plan>): void {
    this.#plans = new Map(saved);
  }
}
