import { Queue } from "../support/async.js";
import { isNonceTaken, isNonceTooLow } from "./refusals.js";

/** A transaction that this process has sent and whose receipt it has not seen. */
export interface Sent {
  readonly hash: string;
  readonly from: string;
  readonly nonce: bigint;
  /** Absent where the node itself signed. */
  readonly raw: string | undefined;
  readonly sentAt: number;
  /** When it was last given to the node. */
  givenAt: number;
  /** When its nonce was first seen to be used without a receipt. */
  passedAt?: number;
  /** When it was last looked into. */
  lookedAt?: number;
}

/** How long a nonce counts as taken by a transaction that somebody else sent, in milliseconds. */
const FOREIGN_MS = 60_000;

/** The transactions of one account that are on their way. */
export class SentByAccount {
  /** Sends of one account go one after another. */
  readonly queue = new Queue();
  readonly #byNonce = new Map<bigint, Sent>();
  /** What a nonce was used for last, also after it is settled: to tell who replaced whom. */
  readonly #hashes = new Map<bigint, string>();
  /** Nonces that the node said to be taken although nothing was sent from here. */
  readonly #foreign = new Map<bigint, number>();
  /** The last nonce that was used up between asking for it and sending. */
  #tooLow: bigint | undefined;

  add(sent: Sent): void {
    this.#byNonce.set(sent.nonce, sent);
    this.#hashes.set(sent.nonce, sent.hash);
  }

  remove(sent: Sent): void {
    if (this.#byNonce.get(sent.nonce) === sent) {
      this.#byNonce.delete(sent.nonce);
    }
  }

  at(nonce: bigint): Sent | undefined {
    return this.#byNonce.get(nonce);
  }

  lastHashAt(nonce: bigint): string | undefined {
    return this.#hashes.get(nonce);
  }

  /** In the order of their nonces. */
  all(): Sent[] {
    return [...this.#byNonce.values()].sort((a, b) =>
      a.nonce < b.nonce ? -1 : 1,
    );
  }

  /**
   * Whether a refusal says that somebody else has used a nonce that was chosen
   * here, so that another one may do; the node's count is believed once.
   */
  isTakenElsewhere(nonce: bigint, refusal: unknown): boolean {
    if (isNonceTaken(refusal)) {
      this.markForeign(nonce);
      return true;
    }
    if (!isNonceTooLow(refusal) || this.#tooLow === nonce) {
      return false;
    }
    this.#tooLow = nonce;
    return true;
  }

  markForeign(nonce: bigint): void {
    this.#foreign.set(nonce, Date.now());
  }

  forgetForeign(nonce: bigint): void {
    this.#foreign.delete(nonce);
  }

  #isTaken(nonce: bigint): boolean {
    const since = this.#foreign.get(nonce);
    return (
      this.#byNonce.has(nonce) ||
      (since !== undefined && Date.now() - since < FOREIGN_MS)
    );
  }

  /** The first nonce from `from` on that is not taken. */
  firstFree(from: bigint): bigint {
    let nonce = from;
    while (this.#isTaken(nonce)) {
      nonce++;
    }
    return nonce;
  }
}

/** More than a node keeps of one account; older ones are nobody's concern any more. */
const MAX_SENT = 10_000;

/** Transactions on their way, by account; shared by all connections to one node. */
export class SentTransactions {
  readonly #accounts = new Map<string, SentByAccount>();
  readonly #byHash = new Map<string, Sent>();
  /** Receipts of those that have none of the node's. */
  readonly #lost = new Map<string, Record<string, unknown>>();

  of(address: string): SentByAccount {
    const key = address.toLowerCase();
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = new SentByAccount();
      this.#accounts.set(key, account);
    }
    return account;
  }

  add(sent: Sent): void {
    this.of(sent.from).add(sent);
    this.#byHash.set(sent.hash, sent);
    const oldest = this.#byHash.values().next();
    if (this.#byHash.size > MAX_SENT && !oldest.done) {
      this.remove(oldest.value);
    }
  }

  find(hash: string): Sent | undefined {
    return this.#byHash.get(hash.toLowerCase());
  }

  remove(sent: Sent): void {
    this.of(sent.from).remove(sent);
    this.#byHash.delete(sent.hash);
  }

  /** What was sent will never have a receipt of the node's: this one stands for it. */
  giveUp(sent: Sent, receipt: Record<string, unknown>): void {
    this.#lost.set(sent.hash, receipt);
    const oldest = this.#lost.keys().next();
    if (this.#lost.size > MAX_SENT && !oldest.done) {
      this.#lost.delete(oldest.value);
    }
  }

  receiptOfLost(hash: string): Record<string, unknown> | undefined {
    return this.#lost.get(hash.toLowerCase());
  }

  /** For chains that were set back: nothing sent before counts. */
  clear(): void {
    this.#accounts.clear();
    this.#byHash.clear();
    this.#lost.clear();
  }
}
