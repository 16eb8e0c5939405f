import { Queue, Shared, Slots } from "../support/async.js";
import { setBounded } from "../support/bounded.js";
import { isKnown, isNonceTaken, isNonceTooLow } from "./refusals.js";

/** A transaction that this process sent and whose receipt it has not seen. */
export interface Sent {
  readonly hash: string;
  readonly from: string;
  readonly nonce: bigint;
  /** Absent if the node itself signed. */
  readonly raw: string | undefined;
  /** The address of the contract that it creates, in lower case. */
  readonly creates: string | undefined;
  /** Whether the first lookup by its hash waits for its block. */
  firstLookWaits: boolean;
  readonly sentAt: number;
  /** When it was last sent to the node. */
  givenAt: number;
  /** When its nonce was first seen used without a receipt. */
  passedAt?: number;
  /** When it was last looked into. */
  lookedAt?: number;
  /** Whether somebody has asked for its receipt. */
  asked?: boolean;
  /** Resolves once its receipt was seen, or will never come. */
  settled?: Promise<void>;
}

/** What the newest receipt of an account says of its nonces. */
export interface Shown {
  /** All nonces below this one are used. */
  readonly below: bigint;
  readonly receipt: Readonly<Record<string, unknown>>;
  /** When it came, in milliseconds. */
  readonly at: number;
  /** Whether its block was missing for a while. */
  doubted: boolean;
}

/** Milliseconds that a nonce counts as used by somebody else's transaction. */
const FOREIGN_MS = 60_000;

/**
 * How many transactions of an account may await the node's answer at the same
 * time. A node queues 64 that come too early and silently drops the rest, and
 * transactions under way may overtake each other.
 */
const UNDER_WAY = 32;

/** The pending transactions of one account. */
export class SentByAccount {
  /** Transactions go to the node in the order in which they come. */
  readonly slots = new Slots(UNDER_WAY);
  /** For transactions that are prepared with their nonce, which go one after another. */
  readonly queue = new Queue();
  readonly #byNonce = new Map<bigint, Sent>();
  /** Nonces that were given out and that the node has not answered for yet. */
  readonly #underWay = new Set<bigint>();
  /**
   * What a nonce was last used for, even after it is settled, to tell which
   * transaction replaced which.
   */
  readonly #hashes = new Map<bigint, string>();
  /** Nonces that the node calls used although nothing was sent from here. */
  readonly #foreign = new Map<bigint, number>();
  /** The last nonce that was used between asking for it and sending. */
  #tooLow: bigint | undefined;
  /** Nonces that an empty transaction is about to take. */
  readonly #closing = new Set<bigint>();
  /** The highest nonce that was given out or told to be free. */
  #told = 0n;
  #used = { below: 0n, at: 0 };
  #shown: Shown | undefined;
  /** How many transactions of the account are in blocks. */
  readonly committed = new Shared<bigint>();
  /** The same, plus those that the node shows as pending; real nodes show none. */
  readonly pending = new Shared<bigint>();

  /** What its newest receipt says, if one came. */
  get shown(): Shown | undefined {
    return this.#shown;
  }

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
   * Whether a refusal means that somebody else used a nonce that was chosen
   * here, so that the next one may work; the node's count is believed once.
   */
  isTakenElsewhere(nonce: bigint, refusal: unknown): boolean {
    if (isNonceTaken(refusal) || isKnown(refusal)) {
      this.markForeign(nonce);
      return true;
    }
    if (!isNonceTooLow(refusal)) {
      return false;
    }
    this.forgetCounts();
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

  /**
   * Whether a sender was given or told a later nonce, and so waits for this one,
   * or soon will. Senders that count on from a nonce of their own were told
   * nothing, and may use it again.
   */
  isCountedOn(nonce: bigint): boolean {
    return this.#told > nonce;
  }

  /** Fills the gap at a nonce, unless that is under way: the filling may be refused, too. */
  async whileClosing(nonce: bigint, fill: () => Promise<void>): Promise<void> {
    if (this.#closing.has(nonce)) {
      return;
    }
    this.#closing.add(nonce);
    try {
      await fill();
    } finally {
      this.#closing.delete(nonce);
    }
  }

  /** Whether a transaction from here has this nonce. */
  isInUse(nonce: bigint): boolean {
    return this.#byNonce.has(nonce) || this.#underWay.has(nonce);
  }

  #isTaken(nonce: bigint): boolean {
    const since = this.#foreign.get(nonce);
    return (
      this.isInUse(nonce) ||
      this.#closing.has(nonce) ||
      (since !== undefined && Date.now() - since < FOREIGN_MS)
    );
  }

  /** The node is asked again for the next transaction. */
  forgetCounts(): void {
    this.committed.forget();
    this.pending.forget();
  }

  /** Forgets what was sent, but not whose turn it is. */
  clear(): void {
    this.forgetCounts();
    this.#byNonce.clear();
    this.#hashes.clear();
    this.#foreign.clear();
    this.#tooLow = undefined;
    this.#told = 0n;
    this.forgetUsed();
    this.#shown = undefined;
  }

  settle({ nonce }: Sent, receipt: Record<string, unknown>): void {
    const below = nonce + 1n;
    this.learnUsed(below);
    if (this.#shown === undefined || this.#shown.below < below) {
      this.#shown = { below, receipt, at: Date.now(), doubted: false };
    }
  }

  /** All nonces below this one are used; an older count does not change that. */
  learnUsed(below: bigint): void {
    if (below < this.#usedBelow(below)) {
      return;
    }
    this.#used = { below, at: Date.now() };
    for (const nonce of this.#byNonce.keys()) {
      if (nonce < below) {
        // It is in a block, or its nonce was used otherwise: only its hash is
        // still needed.
        this.#byNonce.delete(nonce);
      }
    }
  }

  /** Whether a count is lower than one before. */
  isBelowUsed(count: bigint): boolean {
    return this.#usedBelow(count) > count;
  }

  /** The next count is believed, even if it is lower than one before. */
  forgetUsed(): void {
    this.#used = { below: 0n, at: 0 };
  }

  #usedBelow(count: bigint): bigint {
    const { below, at } = this.#used;
    return below > count && Date.now() - at < FOREIGN_MS ? below : count;
  }

  /** The first free nonce, given the node's count. */
  firstFree(count: bigint): bigint {
    let nonce = this.#usedBelow(count);
    while (this.#isTaken(nonce)) {
      nonce++;
    }
    if (nonce > this.#told) {
      this.#told = nonce;
    }
    return nonce;
  }
}

/** More than a node keeps per account; older ones no longer matter. */
const MAX_SENT = 10_000;
const MAX_RECEIPTS = 1_000;

/** Pending transactions by account, shared by all connections to one node. */
export class SentTransactions {
  readonly #accounts = new Map<string, SentByAccount>();
  readonly #byHash = new Map<string, Sent>();
  /** Those that create a contract. */
  readonly #creations = new Set<Sent>();
  /** Receipts that came; they no longer change. */
  readonly #receipts = new Map<string, Record<string, unknown>>();
  /** Receipts that stand in for missing ones. */
  readonly #lost = new Map<string, Record<string, unknown>>();
  readonly #onClear: () => void;

  /** @param onClear called when everything is forgotten */
  constructor(onClear: () => void = () => undefined) {
    this.#onClear = onClear;
  }

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
    // The same bytes can be new to a chain that was set back.
    this.#receipts.delete(sent.hash);
    this.#lost.delete(sent.hash);
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

  /** Those whose receipts have not come yet. */
  all(): readonly Sent[] {
    return [...this.#byHash.values()];
  }

  /** Contracts whose creation is pending. */
  creations(): readonly Sent[] {
    return [...this.#creations];
  }

  remove(sent: Sent): void {
    this.of(sent.from).remove(sent);
    this.#byHash.delete(sent.hash);
    this.#creations.delete(sent);
  }

  /** Records the node's receipt. */
  settle(sent: Sent, receipt: Record<string, unknown>): void {
    this.of(sent.from).settle(sent, receipt);
    this.remove(sent);
    setBounded(this.#receipts, sent.hash, receipt, MAX_RECEIPTS);
  }

  receiptOf(hash: string): Record<string, unknown> | undefined {
    return this.#receipts.get(hash.toLowerCase());
  }

  /** Records a receipt that stands in for one that will never come. */
  giveUp(sent: Sent, receipt: Record<string, unknown>): void {
    setBounded(this.#lost, sent.hash, receipt, MAX_RECEIPTS);
  }

  receiptOfLost(hash: string): Record<string, unknown> | undefined {
    return this.#lost.get(hash.toLowerCase());
  }

  /** The node is asked for all counts again. */
  forgetCounts(): void {
    for (const account of this.#accounts.values()) {
      account.forgetCounts();
    }
  }

  /** Forgets everything that was sent, for a chain that was set back. */
  clear(): void {
    for (const account of this.#accounts.values()) {
      account.clear();
    }
    this.#byHash.clear();
    this.#creations.clear();
    this.#receipts.clear();
    this.#lost.clear();
    this.#onClear();
  }
}
