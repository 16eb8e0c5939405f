import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { sleep } from "../support/async.js";
import { lostReceipt } from "./lost.js";
import type { SentTransactions } from "./sent.js";

/** Milliseconds that a node may be behind one that answered before. */
const BEHIND_MS = 5_000;
const LOOK_EVERY_MS = 250;

const ANOTHER_CHAIN =
  "the chain was set back or replaced by another one at the same URL since the transaction's nonce was chosen. Send it again";

/**
 * Counts the transactions that a node has of an account. A count that is lower
 * than receipts have shown before comes from a node that is behind, or from
 * another chain: a local node that was started again. Nonces that are counted
 * on from the chain before would wait forever there.
 */
export class Counts {
  readonly #sent: SentTransactions;
  readonly #ask: Ask;

  constructor(sent: SentTransactions, ask: Ask) {
    this.#sent = sent;
    this.#ask = ask;
  }

  /** Asks the node, at a block or `"pending"`. */
  async of(address: string, block: string): Promise<bigint> {
    return await this.check(address, () =>
      this.#ask("eth_getTransactionCount", [address, block]),
    );
  }

  /**
   * Reads a count by `ask`; on another chain than before, everything that was
   * sent is forgotten.
   */
  async check(address: string, ask: () => Promise<unknown>): Promise<bigint> {
    // What is shown while the node answers says nothing of its answer.
    const { shown } = this.#sent.of(address);
    const count = fromQuantity(await ask(), "nonce");
    if (
      shown !== undefined &&
      count < shown.below &&
      (await this.#isAnotherChain(shown.receipt)) &&
      this.#sent.of(address).shown === shown
    ) {
      await this.#forget();
    }
    return count;
  }

  /**
   * Whether the block of a receipt no longer has its transaction, or does not
   * come back.
   */
  async #isAnotherChain({
    blockNumber,
    transactionHash,
  }: Readonly<Record<string, unknown>>): Promise<boolean> {
    const end = Date.now() + BEHIND_MS;
    for (;;) {
      let block: unknown;
      try {
        block = await this.#ask("eth_getBlockByNumber", [blockNumber, false]);
      } catch {
        return false;
      }
      if (isRecord(block)) {
        const { transactions } = block;
        return (
          Array.isArray(transactions) && !transactions.includes(transactionHash)
        );
      }
      if (Date.now() > end) {
        return true;
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #forget(): Promise<void> {
    const waiting = this.#sent.all();
    const head = fromQuantity(
      await this.#ask("eth_blockNumber"),
      "the newest block's number",
    );
    this.#sent.clear();
    // Those who wait would wait forever.
    for (const sent of waiting) {
      this.#sent.giveUp(sent, await lostReceipt(sent, head, ANOTHER_CHAIN));
    }
  }
}
