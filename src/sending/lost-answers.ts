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
  /** Why a transaction in a block has no receipt; nothing where none of this hash is. */
  readonly explainMissing?: (hash: string) => Promise<string | undefined>;
  /** Milliseconds; how long an answer is followed up. */
  readonly followLostFor: number;
  /** Milliseconds from seeing the nonce used until a transaction that no block shows is given up. */
  readonly giveUpAfter: number;
}

/** What became of a transaction, as far as the node tells. */
type Fate =
  | "there"
  /** Given to the node once more, and the answer was lost once more. */
  | "lost"
  | "unknown"
  /** Its nonce is used, and no block shows it. */
  | "passed"
  | Error;

/**
 * Follows up transactions whose sending failed: the hash is known, so a lost
 * answer can be looked up and need not be guessed.
 */
export class LostAnswers {
  readonly #ask: Ask;
  readonly #options: LostAnswersOptions;

  constructor(ask: Ask, options: LostAnswersOptions) {
    this.#ask = ask;
    this.#options = options;
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
   * Returns for a transaction that failed in its block and is shown in none.
   *
   * @throws RpcError where another one has used the nonce
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

  // Found by its hash or in the pool: it is there. A node that has it in
  // neither gets the same bytes once more, which cannot become two transactions.
  async #lookUp(
    { hash, from, nonce }: DecodedTransaction,
    raw: string,
  ): Promise<Fate> {
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
        // The other stack's turn; the same bytes may come after it.
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
