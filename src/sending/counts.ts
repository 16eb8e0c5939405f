import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { sleep } from "../support/async.js";
import { lostReceipt, newestBlock } from "./lost.js";
import type { SentTransactions, Shown } from "./sent.js";

/** Milliseconds that a node may be behind one that answered before. */
const BEHIND_MS = 5_000;
const LOOK_EVERY_MS = 250;
/** Blocks tell their time in whole seconds. */
const BLOCK_TIME_MS = 1_000;

const ANOTHER_CHAIN =
  "the chain was set back or replaced by another one at the same URL since the transaction's nonce was chosen. Send it again";

/**
 * Counts the transactions that a node has of an account. A count that is lower
 * than one before comes from a node that is behind, or from another chain: a
 * local node that was started again. Nonces that are counted on from the chain
 * before would wait forever there.
 */
export class Counts {
  readonly #sent: SentTransactions;
  readonly #ask: Ask;

  constructor(sent: SentTransactions, ask: Ask) {
    this.#sent = sent;
    this.#ask = ask;
  }

  /** Asks the node for those in blocks. */
  async committed(address: string): Promise<bigint> {
    return (await this.#checked(address, () => this.#count(address, "latest")))
      .count;
  }

  /** Asks the node for those in blocks, and those that it shows as pending. */
  async pending(address: string): Promise<bigint> {
    return await this.check(address, () => this.#count(address, "pending"));
  }

  /**
   * Reads a count by `ask`, pending transactions included. On another chain
   * than before, everything that was sent is forgotten; if that cannot be told,
   * the lower count is believed after a while.
   */
  async check(address: string, ask: () => Promise<unknown>): Promise<bigint> {
    const account = this.#sent.of(address);
    const end = Date.now() + BEHIND_MS;
    for (let asking = ask; ; ) {
      const { count, compared } = await this.#checked(address, asking);
      if (compared || !account.isBelowUsed(count)) {
        return count;
      }
      if (Date.now() > end) {
        account.forgetUsed();
        return count;
      }
      await sleep(LOOK_EVERY_MS);
      asking = () => this.#count(address, "pending");
    }
  }

  async #count(address: string, block: string): Promise<unknown> {
    return await this.#ask("eth_getTransactionCount", [address, block]);
  }

  /** Whether a receipt proved the count too low, and its block was looked at. */
  async #checked(
    address: string,
    ask: () => Promise<unknown>,
  ): Promise<{ readonly count: bigint; readonly compared: boolean }> {
    const account = this.#sent.of(address);
    // What is shown while the node answers says nothing of its answer.
    const { shown } = account;
    const count = fromQuantity(await ask(), "nonce");
    if (shown === undefined || count >= shown.below) {
      return { count, compared: false };
    }
    const isAnother = await this.#isAnotherChain(shown);
    if (account.shown === shown) {
      if (isAnother === true) {
        await this.forget();
      } else if (isAnother === undefined) {
        // Where a real node is far behind, what was sent is still on its way.
        shown.doubted = true;
        account.forgetUsed();
      }
    }
    return { count, compared: true };
  }

  /**
   * Whether the block of a receipt no longer has its transaction; `undefined`
   * if it does not come back and nothing else tells.
   */
  async #isAnotherChain({
    receipt: { blockNumber, transactionHash },
    at,
    doubted,
  }: Shown): Promise<boolean | undefined> {
    const end = doubted ? 0 : Date.now() + BEHIND_MS;
    try {
      for (;;) {
        const block = await this.#block(blockNumber);
        if (block !== undefined) {
          // Some nodes give a block another hash in receipts.
          const { transactions } = block;
          return (
            Array.isArray(transactions) &&
            !transactions.includes(transactionHash)
          );
        }
        // Real nodes may no longer have it.
        const first = await this.#block("0x1").catch(() => undefined);
        if (
          first !== undefined &&
          Number(first["timestamp"]) * 1_000 + BLOCK_TIME_MS > at
        ) {
          // The whole chain is younger than the receipt.
          return true;
        }
        if (Date.now() > end) {
          return undefined;
        }
        await sleep(LOOK_EVERY_MS);
      }
    } catch {
      return false;
    }
  }

  async #block(number: unknown): Promise<Record<string, unknown> | undefined> {
    const block = await this.#ask("eth_getBlockByNumber", [number, false]);
    return isRecord(block) ? block : undefined;
  }

  /** Forgets everything that was sent to a chain that was set back. */
  async forget(): Promise<void> {
    const waiting = this.#sent.all();
    this.#sent.clear();
    if (waiting.length === 0) {
      return;
    }
    const head = await newestBlock(this.#ask);
    // Those who wait would wait forever. What a local node has in its pool would
    // run after all, once others have filled the gap before it.
    for (const sent of waiting) {
      await this.#ask("hardhat_dropTransaction", [sent.hash]).catch(
        () => undefined,
      );
      this.#sent.giveUp(sent, await lostReceipt(sent, head, ANOTHER_CHAIN));
    }
  }
}
