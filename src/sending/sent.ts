import { Queue } from "../support/async.js";

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
