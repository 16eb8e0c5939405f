import { Queue, Shared, Slots } from "../support/async.js";
import { setBounded } from "../support/bounded.js";
import { isKnown, isNonceTaken, isNonceTooLow } from "./refusals.js";

/** A transaction that this process has sent and whose receipt it has not seen. */
export interface Sent {
  readonly hash: string;
  readonly from: string;
  readonly nonce: bigint;
  /** Absent where the node itself signed. */
  readonly raw: string | undefined;
  /** The address of the contract that it creates, in lower case. */
  readonly creates: string | undefined;
  /** Whether the first who looks it up by its hash is answered only when it is in a block. */
  firstLookWaits: boolean;
  readonly sentAt: number;
  /** When it was last given to the node. */
  givenAt: number;
  /** When its nonce was first seen to be used without a receipt. */
  passedAt?: number;
  /** When it was last looked into. */
  lookedAt?: number;
  /** Whether somebody has asked for its receipt. */
  asked?: boolean;
  /** Resolves when it is in a block and its receipt was seen, or never will be. */
  settled?: Promise<void>;
}

/** How long a nonce counts as taken by a transaction that somebody else sent, in milliseconds. */
const FOREIGN_MS = 60_000;

/**
 * Transactions of an account whose answers are awaited at the same time. A
 * node queues 64 that come before their turn and drops the rest silently, and
 * they may overtake each other on the way by as many as there are.
 */
const UNDER_WAY = 32;

/** The transactions of one account that are on their way. */
export class SentByAccount {
  /** In the order in which they come, transactions are handed to the node. */
  readonly slots = new Slots(UNDER_WAY);
  /** Those whose preparation the nonce is part of go one after another. */
  readonly queue = new Queue();
  readonly #byNonce = new Map<bigint, Sent>();
  /** Nonces that were given out and whose transactions the node has not answered yet. */
  readonly #underWay = new Set<bigint>();
  /** What a nonce was used for last, also after it is settled: to tell who replaced whom. */
  readonly #hashes = new Map<bigint, string>();
  /** Nonces that the node said to be taken although nothing was sent from here. */
  readonly #foreign = new Map<bigint, number>();
  /** The last nonce that was used up between asking for it and sending. */
  #tooLow: bigint | undefined;
  #used = { below: 0n, at: 0 };
  /** How many transactions of the account are in blocks. */
  readonly committed = new Shared<bigint>();
  /** The same and those that the node shows as pending; a real one shows none. */
  readonly pending = new Shared<bigint>();

  begin(nonce: bigint): void {
    this.#underWay.add(nonce);
  }

  end(nonce: bigint): void {
    this.#underWay.delete(nonce);
  }

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
    if (isNonceTaken(refusal) || isKnown(refusal)) {
      this.markForeign(nonce);
      return true;
    }
    if (!isNonceTooLow(refusal)) {
      return false;
    }
    this.committed.forget();
    this.pending.forget();
    const again = this.#tooLow !== nonce;
    this.#tooLow = nonce;
    return again;
  }

  markForeign(nonce: bigint): void {
    this.#foreign.set(nonce, Date.now());
  }

  forgetForeign(nonce: bigint): void {
    this.#foreign.delete(nonce);
  }

  /** Whether transactions wait for one with this nonce. */
  hasLaterThan(nonce: bigint): boolean {
    return [...this.#underWay, ...this.#byNonce.keys()].some((n) => n > nonce);
  }

  #isTaken(nonce: bigint): boolean {
    const since = this.#foreign.get(nonce);
    return (
      this.#byNonce.has(nonce) ||
      this.#underWay.has(nonce) ||
      (since !== undefined && Date.now() - since < FOREIGN_MS)
    );
  }

  /** Every nonce below this one was used; an older count does not say otherwise. */
  learnUsed(below: bigint): void {
    if (below < this.#usedBelow(below)) {
      return;
    }
    this.#used = { below, at: Date.now() };
    for (const nonce of this.#byNonce.keys()) {
      if (nonce < below) {
        // It is in a block, or its nonce was used otherwise: only its hash still matters.
        this.#byNonce.delete(nonce);
      }
    }
  }

  #usedBelow(count: bigint): bigint {
    const { below, at } = this.#used;
    return below > count && Date.now() - at < FOREIGN_MS ? below : count;
  }

  /** The first nonce that is not taken, where the node counts so many. */
  firstFree(count: bigint): bigint {
    let nonce = this.#usedBelow(count);
    while (this.#isTaken(nonce)) {
      nonce++;
    }
    return nonce;
  }
}

/** More than a node keeps of one account; older ones are nobody's concern any more. */
const MAX_SENT = 10_000;
const MAX_RECEIPTS = 1_000;

/** Transactions on their way, by account; shared by all connections to one node. */
export class SentTransactions {
  readonly #accounts = new Map<string, SentByAccount>();
  readonly #byHash = new Map<string, Sent>();
  /** Those that create a contract. */
  readonly #creations = new Set<Sent>();
  /** Receipts that came, which nothing changes any more. */
  readonly #receipts = new Map<string, Record<string, unknown>>();
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
    if (sent.creates !== undefined) {
      this.#creations.add(sent);
    }
    const oldest = this.#byHash.values().next();
    if (this.#byHash.size > MAX_SENT && !oldest.done) {
      this.remove(oldest.value);
    }
  }

  find(hash: string): Sent | undefined {
    return this.#byHash.get(hash.toLowerCase());
  }

  /** Contracts whose creation is on its way. */
  creations(): readonly Sent[] {
    return [...this.#creations];
  }

  remove(sent: Sent): void {
    this.of(sent.from).remove(sent);
    this.#byHash.delete(sent.hash);
    this.#creations.delete(sent);
  }

  /** The node's receipt is there. */
  settle(sent: Sent, receipt: Record<string, unknown>): void {
    this.of(sent.from).learnUsed(sent.nonce + 1n);
    this.remove(sent);
    setBounded(this.#receipts, sent.hash, receipt, MAX_RECEIPTS);
  }

  receiptOf(hash: string): Record<string, unknown> | undefined {
    return this.#receipts.get(hash.toLowerCase());
  }

  /** What was sent will never have a receipt of the node's: this one stands for it. */
  giveUp(sent: Sent, receipt: Record<string, unknown>): void {
    setBounded(this.#lost, sent.hash, receipt, MAX_RECEIPTS);
  }

  receiptOfLost(hash: string): Record<string, unknown> | undefined {
    return this.#lost.get(hash.toLowerCase());
  }

  /** For chains that were set back: nothing sent before counts. */
  clear(): void {
    this.#accounts.clear();
    this.#byHash.clear();
    this.#creations.clear();
    this.#receipts.clear();
    this.#lost.clear();
  }
}
