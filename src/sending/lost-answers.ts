import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { TransportError } from "../rpc/transport-error.js";
import { sleep } from "../support/async.js";
import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { errorText } from "../support/text.js";
import { isKnown, isNonceTooLow } from "./refusals.js";
import type { DecodedTransaction } from "./transactions.js";

/**
 * Follows up transactions whose sending failed: the hash is known, so a lost
 * answer can be looked up and need not be guessed.
 */
export class LostAnswers {
  readonly #ask: Ask;
  readonly #place: ErrorPlace;
  readonly #patienceMs: number;

  constructor(ask: Ask, place: ErrorPlace, patienceMs: number) {
    this.#ask = ask;
    this.#place = place;
    this.#patienceMs = patienceMs;
  }

  /**
   * Returns if the transaction reached the node in spite of the failure;
   * throws otherwise. An error of the node itself is a refusal: bytes that it
   * knows with no lost answer before are somebody else's, or one's own with a
   * nonce that was chosen twice.
   */
  async follow(
    failure: unknown,
    from: string,
    nonce: bigint,
    raw: string | undefined,
    transaction: DecodedTransaction | undefined,
  ): Promise<void> {
    if (!(failure instanceof TransportError) || failure.fault === "refused") {
      throw failure;
    }
    if (raw === undefined || transaction === undefined) {
      if (failure.fault === "lost") {
        throw new DualstackError(
          `the answer to a transaction with nonce ${nonce} was lost; it may have been accepted`,
          {
            ...this.#place,
            address: from,
            fix: "Look at the account's nonce and transactions before sending it again.",
            cause: failure,
          },
        );
      }
      throw failure;
    }
    const end = Date.now() + this.#patienceMs;
    let mayHaveArrived = failure.fault === "lost";
    for (let wait = 250; ; wait = Math.min(wait * 2, 4_000)) {
      const fate = await this.#lookUp(transaction, raw);
      if (fate === "there") {
        return;
      }
      if (fate instanceof Error) {
        throw fate;
      }
      mayHaveArrived ||= fate === "lost";
      if (Date.now() + wait > end) {
        throw mayHaveArrived
          ? new DualstackError(
              "the answer to a transaction was lost and the node does not tell what became of it",
              {
                ...this.#place,
                transaction: transaction.hash,
                fix: "It may have been accepted: look it up by its hash before sending it again.",
                cause: failure,
              },
            )
          : failure;
      }
      await sleep(wait);
    }
  }

  // Found by its hash or in the pool: it is there. A node that has it in
  // neither gets the same bytes once more, which cannot become two transactions.
  async #lookUp(
    { hash, from, nonce }: DecodedTransaction,
    raw: string,
  ): Promise<"there" | "lost" | "unknown" | Error> {
    try {
      if (await this.#isIncluded(hash)) {
        return "there";
      }
      const pooled = await this.#isInPool(from, nonce, hash);
      if (pooled === true) {
        return "there";
      }
      if (pooled === undefined) {
        const committed = fromQuantity(
          await this.#ask("eth_getTransactionCount", [from, "latest"]),
          "nonce",
        );
        if (committed <= nonce) {
          await sleep(1_500);
        }
        if (await this.#isIncluded(hash)) {
          return "there";
        }
        if (committed > nonce) {
          return "unknown";
        }
      }
    } catch (error) {
      if (error instanceof TransportError) {
        return "unknown";
      }
      throw error;
    }
    try {
      await this.#ask("eth_sendRawTransaction", [raw]);
      return "there";
    } catch (error) {
      if (error instanceof TransportError) {
        return error.fault === "lost" ? "lost" : "unknown";
      }
      if (isKnown(error)) {
        return "there";
      }
      if (isNonceTooLow(error)) {
        return "unknown";
      }
      return error instanceof Error ? error : new Error(errorText(error));
    }
  }

  async #isIncluded(hash: string): Promise<boolean> {
    return (await this.#ask("eth_getTransactionByHash", [hash])) !== null;
  }

  /** `undefined` where the node does not show its pool. */
  async #isInPool(
    from: string,
    nonce: bigint,
    hash: string,
  ): Promise<boolean | undefined> {
    try {
      const pool = await this.#ask("txpool_contentFrom", [from]);
      if (!isRecord(pool)) {
        return undefined;
      }
      return ["pending", "queued"].some((part) => {
        const entries = pool[part];
        const entry = isRecord(entries) ? entries[nonce.toString()] : undefined;
        return isRecord(entry) && String(entry["hash"]).toLowerCase() === hash;
      });
    } catch (error) {
      if (error instanceof TransportError) {
        throw error;
      }
      return undefined;
    }
  }
}
