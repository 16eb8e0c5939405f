import { DualstackError } from "../../support/errors.js";
import type { Backfill } from "./backfill.js";
import type { Channel, EventHub } from "./hub.js";
import type { Subscription } from "./subscription.js";
import { type Head, toHead } from "./wire.js";

// The most missed heads that are fetched one by one.
const MAX_MISSED = 1_000n;
const MAX_HELD = 10_000;
// How far a head may be behind before it means that the chain was restarted.
const RESET = 64n;
// Milliseconds to keep the subscription, so that waiting for one head after
// another does not subscribe each time.
const LINGER_MS = 2_000;

/** Hears of heads as soon as the socket delivers them. */
export interface HeadListener {
  onHead(head: Head): void;
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
  // The last head given to subscriptions; all up to it were given.
  #given: bigint | undefined;
  #held: Head[] | undefined;
  #missedUpTo = 0n;
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
    if (
      this.#latest === undefined ||
      head.number > this.#latest.number ||
      head.number + RESET < this.#latest.number
    ) {
      this.#latest = head;
    }
    for (const listener of this.#listeners) {
      listener.onHead(head);
    }
    this.#follow(head);
  }

  onAgain(): void {
    if (this.#subscriptions.size > 0 && this.#given !== undefined) {
      void this.#fill();
    }
  }

  onFail(reason: unknown): void {
    this.#starting = undefined;
    this.#latest = undefined;
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
        this.#latest = undefined;
        void this.#hub.remove(this);
      }
    }, LINGER_MS);
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
    if (
      given === undefined ||
      head.number === given + 1n ||
      head.number + RESET < given
    ) {
      this.#give(head);
    } else if (head.number > given + 1n) {
      void this.#fill(head);
    }
  }

  async #fill(after?: Head): Promise<void> {
    if (this.#held !== undefined) {
      return;
    }
    this.#held = after === undefined ? [] : [after];
    try {
      this.#missedUpTo =
        after === undefined ? await this.#backfill.head() : after.number - 1n;
      for (;;) {
        const given = this.#given;
        if (given === undefined || this.#subscriptions.size === 0) {
          break;
        }
        if (this.#missedUpTo - given > MAX_MISSED) {
          throw tooMany();
        }
        if (given < this.#missedUpTo) {
          this.#give(await this.#backfill.block(given + 1n));
          continue;
        }
        const head: Head | undefined = this.#held.shift();
        if (head === undefined) {
          break;
        }
        if (head.number === given + 1n) {
          this.#give(head);
        } else if (head.number > given + 1n) {
          this.#held.unshift(head);
          this.#missedUpTo = head.number - 1n;
        }
      }
    } catch (error) {
      this.#failSubscriptions(error);
    } finally {
      this.#held = undefined;
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

export const tooSlow = (what: string) =>
  new DualstackError(
    `${what} arrive faster than they are taken, and too many are waiting`,
    { fix: "Do less for each, or take them without waiting." },
  );

const tooMany = () =>
  new DualstackError(`more than ${MAX_MISSED} heads were missed`, {
    fix: "Subscribe again and read the blocks between over JSON-RPC.",
  });
