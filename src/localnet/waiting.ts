import { fromQuantity, isRecord } from "../rpc/quantities.js";
import type { LocalNode } from "./node.js";
import { NO_PLAN, type Plan } from "./plan.js";

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

  /** Who must be able to pay in the next blocks. */
  get actors(): ReadonlySet<string> {
    return new Set(
      [...this.#plans.values()].flatMap((plan) => [...plan.actors]),
    );
  }

  /** Contracts whose payment is taken only when their transaction is in a block. */
  get owing(): ReadonlySet<string> {
    return new Set(
      [...this.#plans.values()].flatMap((plan) => [...plan.later]),
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
