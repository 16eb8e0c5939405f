import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { TransportError } from "../rpc/transport-error.js";
import { sleep } from "../support/async.js";
import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { errorText } from "../support/text.js";
import { RpcError } from "../rpc/provider.js";
import { isKnown, isNonceTooLow, isReserved } from "./refusals.js";
import type { DecodedTransaction } from "./transactions.js";

const SERVER_ERROR = -32000;

export interface LostAnswersOptions {
  readonly place: ErrorPlace;
  /** Why a transaction in a block has no receipt; `undefined` if none has this hash. */
  readonly explainMissing?: (hash: string) => Promise<string | undefined>;
  /** Milliseconds that a lost answer is followed up. */
  readonly followLostFor: number;
  /**
   * Milliseconds from seeing the nonce used until a transaction that is in no
   * block is given up.
   */
  readonly giveUpAfter: number;
}

/** What happened to a transaction, as far as the node tells. */
type Fate =
  | "there"
  /** Sent again, but the answer was lost again. */
  | "lost"
  | "unknown"
  /** Its nonce is used, but no block shows it. */
  | "passed"
  | Error;

/**
 * Follows up transactions whose sending failed: their hash is known, so a lost
 * answer can be looked up.
 */
export class LostAnswers {
  readonly #ask: Ask;
  readonly #options: LostAnswersOptions;

  constructor(ask: Ask, options: LostAnswersOptions) {
    this.#ask = ask;
    this.#options = options;
  }

  /**
   * Returns if the transaction reached the node in spite of the failure, and
   * throws otherwise. An error answered by the node is a refusal: if it knows
   * the bytes and no answer was lost before, somebody else sent them, or a
   * nonce was chosen twice.
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
            ...this.#options.place,
            address: from,
            fix: "Look at the account's nonce and transactions before sending it again.",
            cause: failure,
          },
        );
      }
      throw failure;
    }
    const { followLostFor, giveUpAfter } = this.#options;
    const end = Date.now() + followLostFor;
    let mayHaveArrived = failure.fault === "lost";
    let passedAt: number | undefined;
    for (let wait = 250; ; wait = Math.min(wait * 2, 4_000)) {
      const fate = await this.#lookUp(transaction, raw);
      if (fate === "there") {
        return;
      }
      if (fate === "passed") {
        passedAt ??= Date.now();
        if (Date.now() - passedAt >= giveUpAfter) {
          await this.#mustBeThere(transaction);
          return;
        }
      }
      if (fate instanceof Error) {
        throw fate;
      }
      mayHaveArrived ||= fate === "lost";
      if (Date.now() + wait > end) {
        throw mayHaveArrived
          ? new DualstackError(
              "the answer to a transaction was lost, and the node does not say what became of it",
              {
                ...this.#options.place,
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

  /**
   * Returns for a transaction that failed in its block but is shown in none.
   *
   * @throws RpcError if another transaction used the nonce
   */
  async #mustBeThere({ hash, nonce }: DecodedTransaction): Promise<void> {
    const reason = await this.#options
      .explainMissing?.(hash)
      .catch(() => undefined);
    if (reason === undefined) {
      throw new RpcError(
        `nonce too low: another transaction has used the nonce ${nonce}, so this one was not accepted`,
        SERVER_ERROR,
        undefined,
        { ...this.#options.place, transaction: hash },
      );
    }
  }

  // If it is found by its hash or in the pool, it arrived. Otherwise the node
  // gets the same bytes again, which cannot become a second transaction.
  async #lookUp(
    { hash, from, nonce }: DecodedTransaction,
    raw: string,
  ): Promise<Fate> {
    try {
      // A block takes it out of the pool: asked the other way round, both
      // questions could miss it.
      const pooled = await this.#isInPool(from, nonce, hash);
      if (pooled === true || (await this.#isIncluded(hash))) {
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
          return "passed";
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
        return "passed";
      }
      if (isReserved(error)) {
        // The other stack's transaction comes first; the same bytes may be
        // accepted after it.
        return "unknown";
      }
      return error instanceof Error ? error : new Error(errorText(error));
    }
  }

  async #isIncluded(hash: string): Promise<boolean> {
    return (await this.#ask("eth_getTransactionByHash", [hash])) !== null;
  }

  /** `undefined` if the node does not show its pool. */
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
