import { setBounded } from "../../support/bounded.js";
import { DualstackError } from "../../support/errors.js";
import type { Backfill } from "./backfill.js";
import type { Channel, EventHub } from "./hub.js";
import type { Subscription } from "./subscription.js";
import { type Head, toHead } from "./wire.js";

// The most missed heads that are fetched one by one.
const MAX_MISSED = 1_000n;
const MAX_HELD = 10_000;
// How far a head may be behind before it means that the chain was restarted. A
// chain that was, and has no more blocks than this, is given from its first one.
const RESET = 64n;
// For how many blocks it is remembered which they were.
const REMEMBERED = 256;
// Milliseconds to keep the subscription, so that waiting for one head after
// another does not subscribe each time.
const LINGER_MS = 2_000;

/** Hears of heads as soon as the socket delivers them. */
export interface HeadListener {
  onHead(head: Head): void;
  /** The chain was set back or replaced: this block and those after it are new. */
  onAnotherChain?(first: bigint): void;
  onFail(reason: unknown): void;
}

/** The one subscription to new heads that everything shares. */
export class Heads implements Channel {
  readonly params = ["newHeads"];
  readonly #hub: EventHub;
  readonly #backfill: Backfill;
  readonly #listeners = new Set<HeadListener>();
  readonly #subscriptions = new Set<Subscription<Head>>();
  #starting: Promise<void> | undefined;
  #linger: NodeJS.Timeout | undefined;
  #latest: Head | undefined;
  /** Hashes of the newest blocks, by number. */
  readonly #hashes = new Map<bigint, string>();
  // The last head given to subscriptions; all up to it were given.
  #given: bigint | undefined;
  #held: Head[] | undefined;
  #missedUpTo = 0n;
  // Counts the chains; what was fetched of the one before is of no use.
  #chain = 0;
  #closed = false;

  constructor(hub: EventHub, backfill: Backfill) {
    this.#hub = hub;
    this.#backfill = backfill;
  }

  /** The newest head from the socket. */
  get latest(): Head | undefined {
    return this.#latest;
  }

  /** @throws DualstackError if there is no connection, or the node refuses */
  async listen(listener: HeadListener): Promise<void> {
    this.#listeners.add(listener);
    await this.#start(() => this.#listeners.delete(listener));
  }

  async unlisten(listener: HeadListener): Promise<void> {
    this.#listeners.delete(listener);
    await this.#rest();
  }

  async subscribe(subscription: Subscription<Head>): Promise<void> {
    this.#subscriptions.add(subscription);
    await this.#start(() => this.#subscriptions.delete(subscription));
  }

  async unsubscribe(subscription: Subscription<Head>): Promise<void> {
    this.#subscriptions.delete(subscription);
    await this.#rest();
  }

  /** Ends the subscription at once, instead of after a while. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#linger);
  }

  onEvent(result: unknown): void {
    const head = toHead(result);
    if (this.#isOfAnotherChain(head)) {
      if (this.#hashes.get(head.number - 1n) === head.parentHash) {
        this.#begin(head.number, head.number);
      } else {
        this.#begin(firstOf(head.number));
      }
    }
    if (this.#latest === undefined || head.number > this.#latest.number) {
      this.#latest = head;
      setBounded(this.#hashes, head.number, head.hash, REMEMBERED);
    }
    for (const listener of this.#listeners) {
      listener.onHead(head);
    }
    this.#follow(head);
  }

  onAgain(): void {
    void this.#compare().catch(() => undefined);
    if (this.#subscriptions.size > 0 && this.#given !== undefined) {
      void this.#fill();
    }
  }

  // On one chain, a block is never younger than one after it.
  #isOfAnotherChain({ number, hash, timestamp }: Head): boolean {
    const latest = this.#latest;
    if (latest === undefined || number > latest.number) {
      return false;
    }
    const known = this.#hashes.get(number);
    return known === undefined
      ? number + RESET < latest.number || timestamp > latest.timestamp
      : known !== hash;
  }

  // A node that was started again may have more blocks by now than before. Some
  // nodes announce a block with another hash than they answer.
  async #compare(): Promise<void> {
    const latest = this.#latest;
    if (latest === undefined) {
      return;
    }
    const newest = await this.#backfill.head();
    if (
      newest >= latest.number &&
      (await this.#backfill.block(latest.number)).timestamp !==
        latest.timestamp &&
      this.#latest === latest
    ) {
      const first = firstOf(newest);
      this.#begin(first);
      if (this.#subscriptions.size > 0) {
        void this.#fill();
      }
    }
  }

  /**
   * Begins anew on another chain.
   *
   * @param first the first block that is new
   * @param differs from which block on it is another one
   */
  #begin(first: bigint, differs = 0n): void {
    this.#chain++;
    this.#forget(differs);
    this.#held = undefined;
    if (this.#given !== undefined) {
      this.#given = first - 1n;
    }
    for (const listener of this.#listeners) {
      listener.onAnotherChain?.(first);
    }
  }

  onFail(reason: unknown): void {
    this.#starting = undefined;
    this.#forget();
    for (const listener of [...this.#listeners]) {
      listener.onFail(reason);
    }
    this.#listeners.clear();
    this.#failSubscriptions(reason);
  }

  async #start(undo: () => void): Promise<void> {
    clearTimeout(this.#linger);
    this.#starting ??= this.#hub.add(this);
    try {
      await this.#starting;
    } catch (error) {
      this.#starting = undefined;
      undo();
      throw error;
    }
  }

  async #rest(): Promise<void> {
    if (this.#subscriptions.size === 0) {
      this.#given = undefined;
    }
    if (this.#listeners.size > 0 || this.#subscriptions.size > 0) {
      return;
    }
    clearTimeout(this.#linger);
    if (this.#closed) {
      return;
    }
    this.#linger = setTimeout(() => {
      if (this.#listeners.size === 0 && this.#subscriptions.size === 0) {
        this.#starting = undefined;
        this.#forget();
        void this.#hub.remove(this);
      }
    }, LINGER_MS);
  }

  #forget(from = 0n): void {
    this.#latest = undefined;
    for (const number of [...this.#hashes.keys()]) {
      if (number >= from) {
        this.#hashes.delete(number);
      }
    }
  }

  // Heads for subscriptions: each number once, in order, with missed ones fetched.
  #follow(head: Head): void {
    if (this.#subscriptions.size === 0) {
      return;
    }
    if (this.#held !== undefined) {
      if (this.#held.length < MAX_HELD) {
        this.#held.push(head);
      } else {
        this.#failSubscriptions(tooMany());
      }
      return;
    }
    const given = this.#given;
    if (given === undefined || head.number === given + 1n) {
      this.#give(head);
    } else if (head.number > given + 1n) {
      void this.#fill(head);
    }
  }

  async #fill(after?: Head): Promise<void> {
    if (this.#held !== undefined) {
      return;
    }
    const held = after === undefined ? [] : [after];
    this.#held = held;
    const chain = this.#chain;
    try {
      const upTo =
        after === undefined ? await this.#backfill.head() : after.number - 1n;
      if (chain === this.#chain) {
        this.#missedUpTo = upTo;
      }
      while (chain === this.#chain) {
        const given = this.#given;
        if (given === undefined || this.#subscriptions.size === 0) {
          break;
        }
        if (this.#missedUpTo - given > MAX_MISSED) {
          throw tooMany();
        }
        if (given < this.#missedUpTo) {
          const missed = await this.#backfill.block(given + 1n);
          if (chain === this.#chain) {
            this.#give(missed);
          }
          continue;
        }
        const head: Head | undefined = held.shift();
        if (head === undefined) {
          break;
        }
        if (head.number === given + 1n) {
          this.#give(head);
        } else if (head.number > given + 1n) {
          held.unshift(head);
          this.#missedUpTo = head.number - 1n;
        }
      }
    } catch (error) {
      if (chain === this.#chain) {
        this.#failSubscriptions(error);
      }
    } finally {
      if (chain === this.#chain) {
        this.#held = undefined;
      }
    }
  }

  #give(head: Head): void {
    this.#given = head.number;
    for (const subscription of this.#subscriptions) {
      if (!subscription.push(head)) {
        this.#subscriptions.delete(subscription);
        subscription.fail(tooSlow("heads"));
      }
    }
  }

  #failSubscriptions(reason: unknown): void {
    for (const subscription of this.#subscriptions) {
      subscription.fail(reason);
    }
    this.#subscriptions.clear();
    this.#given = undefined;
  }
}

/** Where another chain begins: a long one has been there for longer. */
const firstOf = (newest: bigint) => (newest <= RESET ? 1n : newest);

export const tooSlow = (what: string) =>
  new DualstackError(
    `${what} arrive faster than they are taken, and too many are waiting`,
    { fix: "Do less for each, or take them without waiting." },
  );

const tooMany = () =>
  new DualstackError(`more than ${MAX_MISSED} heads were missed`, {
    fix: "Subscribe again and read the blocks between over JSON-RPC.",
  });
