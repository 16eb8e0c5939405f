import { sleep } from "../../support/async.js";
import type { Backfill, RawFilter } from "./backfill.js";
import type { Channel } from "./hub.js";
import { SeenLogs } from "./seen.js";
import { type Log, toLog } from "./wire.js";

// How many blocks before the newest known one are fetched again after a loss,
// since their logs may have been under way.
const OVERLAP = 8n;
// For how many blocks it is remembered which logs were given.
const REMEMBERED = 128n;
// How many logs are kept while missed ones are fetched; any more are fetched, too.
const MAX_HELD = 10_000;

/** Receives the logs; see Subscription. */
export interface LogSink {
  readonly ended: boolean;
  push(log: Log): boolean;
  room(): Promise<void>;
  fail(reason: unknown): void;
}

/**
 * Gives every log of a filter once: live from the socket, and fetched for
 * blocks whose logs the socket may have missed, after a lost connection, a gap
 * in the numbers of heads, or a pause for a slow consumer.
 */
export class LogStream implements Channel {
  readonly params: readonly unknown[];
  readonly #filter: RawFilter;
  readonly #backfill: Backfill;
  readonly #sink: LogSink;
  readonly #signal: AbortSignal;
  readonly #seen = new SeenLogs();
  // Blocks up to this one are not asked for.
  #floor: bigint;
  // All logs up to this block were given, or are under way through the socket.
  #covered: bigint;
  // The newest block to fetch.
  #target: bigint;
  // Logs that arrived while older ones are fetched; undefined at other times.
  #held: Log[] | undefined;
  // The newest head whose logs are held.
  #live: bigint | undefined;
  // Counts the chains; what was fetched of the one before is of no use.
  #chain = 0;

  /** @param after logs are given from the block after this one */
  constructor(
    filter: RawFilter,
    after: bigint,
    backfill: Backfill,
    sink: LogSink,
    signal: AbortSignal,
  ) {
    this.params = ["logs", filter];
    this.#filter = filter;
    this.#backfill = backfill;
    this.#sink = sink;
    this.#signal = signal;
    this.#floor = after;
    this.#covered = after;
    this.#target = after;
  }

  onEvent(result: unknown): void {
    const log = toLog(result);
    if (log.removed) {
      // Only on chains that reorganise: passed on as it is, and forgotten.
      this.#seen.unmark(log);
      this.#sink.push(log);
      return;
    }
    if (log.blockNumber <= this.#floor) {
      return;
    }
    if (this.#held === undefined) {
      this.#give(log);
    } else if (this.#held.length < MAX_HELD) {
      this.#held.push(log);
    } else {
      this.#held = [];
      this.#raise(this.#max(log.blockNumber, this.#live ?? 0n));
    }
  }

  /** Takes a head from the socket. */
  onHead(number: bigint): void {
    if (this.#held !== undefined) {
      this.#onHeadMeanwhile(number);
    } else if (number === this.#covered + 1n) {
      this.#cover(number);
    } else if (number > this.#covered + 1n) {
      this.fetch(number);
    }
  }

  /** Begins anew on another chain, at the first block that is new there. */
  onAnotherChain(first: bigint): void {
    this.#chain++;
    this.#seen.forgetAll();
    this.#floor = first - 1n;
    this.#covered = first - 1n;
    this.#target = first - 1n;
    this.#live = undefined;
    this.#held = undefined;
    this.fetch(first);
  }

  // While older logs are fetched: logs of heads without a gap are held, so only
  // what is before the first of these is missing.
  #onHeadMeanwhile(number: bigint): void {
    const live = this.#live;
    if (live !== undefined && number <= live) {
      return;
    }
    this.#raise(
      live === undefined ? number - 1n : number === live + 1n ? 0n : number,
    );
    this.#live = number;
  }

  onAgain(): void {
    this.fetch(this.#covered);
  }

  onFail(reason: unknown): void {
    this.#sink.fail(reason);
  }

  /** Fetches missing logs up to a block at least, and up to the newest block. */
  fetch(target: bigint): void {
    this.#raise(this.#max(target, this.#live ?? 0n));
    this.#live = undefined;
    this.#newest = true;
    if (this.#held !== undefined) {
      return;
    }
    this.#held = [];
    const chain = this.#chain;
    this.#fill(chain).catch((error: unknown) => {
      if (chain === this.#chain) {
        this.#sink.fail(error);
      }
    });
  }

  // Whether the newest block must be looked up before fetching ends.
  #newest = false;

  async #fill(chain: number): Promise<void> {
    let from = this.#max(this.#floor, this.#covered - OVERLAP) + 1n;
    while (!this.#sink.ended && chain === this.#chain) {
      if (this.#newest) {
        this.#newest = false;
        const newest = await this.#backfill.head();
        if (chain !== this.#chain) {
          return;
        }
        this.#raise(newest);
      }
      if (from <= this.#target) {
        await this.#sink.room();
        const { logs, upTo } = await this.#backfill.logs(
          this.#filter,
          from,
          this.#target,
        );
        for (const log of logs) {
          if (chain !== this.#chain) {
            return;
          }
          await this.#giveSlowly(log);
        }
        if (chain !== this.#chain) {
          return;
        }
        from = upTo + 1n;
        this.#cover(this.#max(this.#covered, upTo));
        continue;
      }
      const held = this.#held ?? [];
      const log = held.shift();
      if (log !== undefined) {
        await this.#giveSlowly(log);
      } else if (!this.#newest) {
        this.#held = undefined;
        this.#cover(this.#max(this.#covered, this.#live ?? 0n));
        this.#live = undefined;
        return;
      }
    }
  }

  #give(log: Log): void {
    if (!this.#seen.mark(log)) {
      return;
    }
    if (!this.#sink.push(log)) {
      // The consumer is behind: logs from this block on are fetched when it has
      // caught up, not kept here.
      this.#seen.unmark(log);
      this.#covered = this.#min(this.#covered, log.blockNumber - 1n);
      this.fetch(log.blockNumber);
    }
  }

  async #giveSlowly(log: Log): Promise<void> {
    if (log.blockNumber <= this.#floor || !this.#seen.mark(log)) {
      return;
    }
    while (!this.#sink.push(log)) {
      await this.#sink.room();
      // Always pauses, whatever the sink says.
      await sleep(0, this.#signal);
    }
  }

  #raise(target: bigint): void {
    this.#target = this.#max(this.#target, target);
  }

  #cover(block: bigint): void {
    this.#covered = block;
    this.#seen.forgetBefore(block - REMEMBERED);
  }

  #max = (a: bigint, b: bigint) => (a > b ? a : b);
  #min = (a: bigint, b: bigint) => (a < b ? a : b);
}
