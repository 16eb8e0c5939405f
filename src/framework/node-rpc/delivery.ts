import { sleep } from "../../support/async.js";
import { cleanText } from "../../support/text.js";
import { FrameworkError, reasonOf } from "../errors.js";
import { isLost, isUnreachable } from "./outcome.js";
import type {
  HandedOver,
  IncludedTransaction,
  Refusal,
  TransactionNode,
} from "./transactions.js";

export interface DeliveryOptions {
  /**
   * Signs the transaction for a sequence. Variants have different bytes and the
   * same meaning: a node never checks bytes again that it has refused.
   */
  readonly sign: (sequence: bigint, variant: bigint) => Promise<Uint8Array>;
  /** The account's committed sequence. */
  readonly sequence: () => Promise<bigint>;
  /** The account, for errors. */
  readonly address: string;
  readonly timeoutMs: number;
  /** Milliseconds between looks for the transaction in a block. */
  readonly pollMs: number;
  /** Milliseconds until the same bytes are sent again, since the node may have restarted. */
  readonly giveAgainMs: number;
  readonly signal?: AbortSignal;
}

const WRONG_SEQUENCE = 32;
// A lost answer is followed up sooner.
const FOLLOW_MS = [500, 1_000, 2_000, 4_000] as const;
// Milliseconds until a block's transactions can be looked up, after the
// sequence was used otherwise.
const INDEXED_MS = 5_000;
const OUTAGE_MS = 30_000;

/**
 * Gets one transaction into a block, and always knows what may have happened to
 * it. Only the node's own refusal means that it is not pending; after any other
 * failure it is looked up by its hash. Everything that is sent until a sequence
 * is used has that same sequence, so at most one of these can get into a block.
 *
 * @returns the transaction in its block, even if it failed there
 * @throws FrameworkError for the node's refusal, and with the hash if time runs
 * out
 */
export class Delivery {
  readonly #node: TransactionNode;
  readonly #options: DeliveryOptions;
  readonly #end: number;
  #sequence: bigint;
  #variant = 0n;
  #tx: Uint8Array | undefined;
  /** What may be pending, by hash; `true` if the node has accepted it. */
  readonly #sent = new Map<string, boolean>();
  /** The last error. */
  #failure: unknown;

  constructor(node: TransactionNode, first: bigint, options: DeliveryOptions) {
    this.#node = node;
    this.#options = options;
    this.#sequence = first;
    this.#end = Date.now() + options.timeoutMs;
  }

  async run(): Promise<IncludedTransaction> {
    const outage = Math.min(this.#end, Date.now() + OUTAGE_MS);
    for (let lost = 0; ; ) {
      this.#options.signal?.throwIfAborted();
      this.#tx ??= await this.#options.sign(this.#sequence, this.#variant);
      const said = await this.#handOver(this.#tx);
      let found: IncludedTransaction | undefined;
      if (said === "taken") {
        found = await this.#look(this.#options.giveAgainMs);
      } else if (said === "unreachable" && this.#sent.size === 0) {
        if (Date.now() > outage) {
          throw this.#failure;
        }
        await this.#pause();
      } else if (said === "refused-before") {
        this.#anew();
      } else if (typeof said === "object") {
        found = await this.#refused(said);
      } else {
        found = await this.#look(FOLLOW_MS[lost] ?? this.#options.giveAgainMs);
        lost++;
        if (said === "seen" && lost >= FOLLOW_MS.length) {
          // The answer that was lost may have been a refusal.
          this.#anew();
        }
      }
      if (found !== undefined) {
        return found;
      }
      if (Date.now() >= this.#end) {
        throw this.#over();
      }
    }
  }

  async #handOver(
    tx: Uint8Array,
  ): Promise<
    "taken" | "lost" | "unreachable" | "seen" | "refused-before" | Refusal
  > {
    let answer: HandedOver;
    try {
      answer = await this.#node.handOver(tx);
    } catch (error) {
      this.#failure = error;
      if (isUnreachable(error)) {
        return "unreachable";
      }
      if (!isLost(error) || error.place.transaction === undefined) {
        throw error;
      }
      this.#remember(error.place.transaction, false);
      return "lost";
    }
    if (answer.seen) {
      const before = this.#sent.get(answer.hash);
      // A gateway may have sent it twice, so it still counts.
      this.#remember(answer.hash, false);
      return before === undefined
        ? "refused-before"
        : before
          ? "taken"
          : "seen";
    }
    if (answer.code === 0) {
      this.#remember(answer.hash, true);
      return "taken";
    }
    return answer;
  }

  #remember(hash: string, taken: boolean): void {
    this.#sent.set(hash, taken || this.#sent.get(hash) === true);
  }

  async #refused(refusal: Refusal): Promise<IncludedTransaction | undefined> {
    this.#failure = refused(refusal, this.#options.address);
    if (this.#sent.get(refusal.hash) === false) {
      this.#sent.delete(refusal.hash);
    }
    if (isReserved(refusal) || isOutOfSequence(refusal)) {
      // A node may count what is in its pool; only what is in a block is final.
      const committed = await this.#options.sequence();
      if (committed > this.#sequence) {
        return await this.#moveTo(committed);
      }
      await this.#pause();
      this.#anew();
      return undefined;
    }
    if (this.#sent.size === 0) {
      throw this.#failure;
    }
    return await this.#look(this.#options.giveAgainMs);
  }

  // The sequence is used: one of these transactions is in a block, or none ever will be.
  async #moveTo(sequence: bigint): Promise<IncludedTransaction | undefined> {
    const found =
      this.#sent.size === 0 ? undefined : await this.#look(INDEXED_MS);
    if (found === undefined) {
      this.#sent.clear();
      this.#sequence = sequence;
      this.#anew();
    }
    return found;
  }

  #anew(): void {
    this.#variant++;
    this.#tx = undefined;
  }

  async #look(forMs: number): Promise<IncludedTransaction | undefined> {
    const { pollMs, signal } = this.#options;
    return await this.#node.findIncluded([...this.#sent.keys()], {
      timeoutMs: Math.min(forMs, Math.max(0, this.#end - Date.now())),
      pollMs,
      signal,
      onFailure: (error) => {
        this.#failure = error;
      },
    });
  }

  async #pause(): Promise<void> {
    await sleep(this.#options.pollMs, this.#options.signal);
  }

  #over(): unknown {
    const [hash] = [...this.#sent.keys()].reverse();
    if (hash === undefined) {
      return this.#failure;
    }
    const { address, timeoutMs } = this.#options;
    const taken = [...this.#sent.values()].includes(true);
    const because =
      this.#failure === undefined
        ? ""
        : `; at last: ${reasonOf(this.#failure)}`;
    return new FrameworkError(
      taken
        ? `no block held the transaction within ${timeoutMs / 1000} s${because}`
        : `the node does not say what became of the transaction${because}`,
      {
        ...this.#node.place,
        address,
        transaction: hash,
        fault: taken ? "timeout" : "unknown",
        fix: "It may still be included: look it up by its hash before you send it again.",
        cause: this.#failure,
      },
    );
  }
}

const isOutOfSequence = ({ code, log }: Refusal) =>
  code === WRONG_SEQUENCE && /sequence mismatch/.test(log);

/** The account has a pending EVM transaction. */
const isReserved = ({ log }: Refusal) => /address already reserved/i.test(log);

/** Codespace and code, as errors show them. */
export const label = (answer: {
  readonly code: number;
  readonly codespace: string;
}) =>
  `${cleanText(answer.codespace === "" ? "code" : answer.codespace, 40)} ${answer.code}`;

function refused(refusal: Refusal, address: string): FrameworkError {
  return new FrameworkError(
    `the node refused the transaction (${label(refusal)}): ${cleanText(refusal.log)}`,
    {
      address,
      fault: "refused",
      code: refusal.code,
      codespace: refusal.codespace,
      serverText: cleanText(refusal.log),
      fix: fixFor(refusal),
    },
  );
}

function fixFor(refusal: Refusal): string | undefined {
  if (isReserved(refusal)) {
    return "Another transaction of the account is not in a block yet; try again when it is.";
  }
  switch (refusal.code) {
    case 4:
      return "The signature does not fit: check the network's chain ID and key.";
    case 11:
      return "Give a higher gas limit.";
    case 13:
      return "Give a higher gas price.";
    case WRONG_SEQUENCE:
      return "Another client sent with this account at the same time; try again.";
    default:
      return undefined;
  }
}
