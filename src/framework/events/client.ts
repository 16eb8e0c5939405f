import type { Abi, ExtractAbiEventNames } from "abitype";

import {
  PRECOMPILES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../../precompiles/index.js";
import type { RpcProvider } from "../../rpc/provider.js";
import { sleep } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import { Backfill } from "./backfill.js";
import { type DecodedLog, type LogFilter, readFilter } from "./filter.js";
import { Heads, tooSlow } from "./heads.js";
import { type Channel, EventHub, type HubOptions } from "./hub.js";
import { type LogSink, LogStream } from "./log-stream.js";
import { Subscription } from "./subscription.js";
import { type Head, type Log, toHash } from "./wire.js";

export interface EventsOptions extends HubOptions {
  /** JSON-RPC over HTTP, which missed events are fetched from. */
  readonly provider: RpcProvider;
  readonly precompiles: PrecompileAddresses;
  readonly bech32Prefix: string;
  /** How many events of a subscription may wait for a slow consumer. */
  readonly maxWaiting?: number;
  /** The most blocks to fetch at once. */
  readonly maxRange?: bigint;
  /** Milliseconds for which missed events are retried before the subscription fails. */
  readonly patienceMs?: number;
}

type AbiOf<name extends PrecompileName> = (typeof PRECOMPILES)[name]["abi"];

const DEFAULT_MAX_WAITING = 10_000;
const DEFAULT_HEAD_TIMEOUT_MS = 60_000;
const POLL_MS = 1_000;
// Milliseconds without a head after which it polls anyway.
const LONGEST_WAIT_MS = 10_000;
// Milliseconds for which a socket that failed is left alone.
const SOCKET_PAUSE_MS = 30_000;

/**
 * Live events over the EVM's WebSocket: one connection, opened on first use and
 * again when it breaks.
 */
export class EventsClient {
  readonly #options: EventsOptions;
  readonly #hub: EventHub;
  readonly #heads: Heads;
  readonly #stopped = new AbortController();
  readonly #open = new Set<{ close(): Promise<void> }>();
  #pollUntil = 0;

  constructor(options: EventsOptions) {
    this.#options = options;
    this.#hub = new EventHub(options);
    this.#heads = new Heads(this.#hub, this.#backfill());
  }

  /** Whether the WebSocket is connected now. */
  get connected(): boolean {
    return this.#hub.connected;
  }

  /**
   * New blocks, each once and in order; those missed are fetched. The numbers of a
   * chain that is set back or started again come anew.
   *
   * @throws DualstackError if the socket cannot be opened or the node refuses;
   * while iterating, if the connection cannot be restored
   */
  async heads(): Promise<Subscription<Head>> {
    const subscription: Subscription<Head> = new Subscription(
      this.#limit,
      async () => {
        this.#open.delete(subscription);
        await this.#heads.unsubscribe(subscription);
      },
    );
    await this.#heads.subscribe(subscription);
    this.#open.add(subscription);
    return subscription;
  }

  /**
   * Logs, each once: of the blocks after the newest one, or from `fromBlock`
   * on. Within a block they are in order; after a lost connection, logs of
   * older blocks may follow newer ones.
   *
   * @throws DualstackError if the filter is malformed, the socket cannot be
   * opened or the node refuses; while iterating, if the connection cannot be
   * restored
   * @example
   * for await (const log of await events.logs({ address, abi, eventName: "Transfer" })) {
   *   console.log(log.blockNumber, log.args);
   * }
   */
  async logs<
    const abi extends Abi,
    name extends ExtractAbiEventNames<abi> = ExtractAbiEventNames<abi>,
  >(
    filter: LogFilter<abi, name> & { readonly abi: abi },
  ): Promise<Subscription<DecodedLog<abi, name>>>;
  async logs(filter?: LogFilter): Promise<Subscription<Log>>;
  async logs(
    filter: LogFilter = {},
  ): Promise<Subscription<Log> | Subscription<DecodedLog<Abi>>> {
    const { raw, codec } = await readFilter(filter, this.#options.bech32Prefix);
    const ended = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, ended.signal]);
    const backfill = this.#backfill(signal);
    // Read before subscribing, so that no block falls between the two.
    const after =
      filter.fromBlock === undefined
        ? await backfill.head()
        : filter.fromBlock - 1n;
    const stop = async () => {
      this.#open.delete(subscription);
      ended.abort(new DualstackError("the subscription was closed"));
      await this.#hub.remove(stream);
      await this.#heads.unlisten(listener);
    };
    const subscription: Subscription<Log | DecodedLog<Abi>> = new Subscription(
      this.#limit,
      stop,
    );
    const decode = (log: Log) =>
      codec === undefined
        ? log
        : {
            ...log,
            ...(codec.decodeLog(log) ?? {
              eventName: undefined,
              args: undefined,
            }),
          };
    const sink: LogSink = {
      get ended() {
        return subscription.ended;
      },
      push: (log) => subscription.push(decode(log)),
      room: async () => {
        await subscription.room();
      },
      fail: (reason) => {
        subscription.fail(reason);
        void stop();
      },
    };
    const stream = new LogStream(raw, after, backfill, sink, signal);
    const listener = {
      onHead: ({ number }: Head) => {
        stream.onHead(number);
      },
      onAnotherChain: (first: bigint) => {
        stream.onAnotherChain(first);
      },
      onFail: (reason: unknown) => {
        stream.onFail(reason);
      },
    };
    try {
      await this.#heads.listen(listener);
      await this.#hub.add(stream);
    } catch (error) {
      await this.#heads.unlisten(listener);
      throw error;
    }
    // Logs between the two, and from `fromBlock` on.
    stream.fetch(after);
    this.#open.add(subscription);
    return subscription;
  }

  /**
   * Logs of a precompile, decoded.
   *
   * @throws DualstackError as `logs` does
   */
  async precompileLogs<
    const precompile extends PrecompileName,
    name extends ExtractAbiEventNames<AbiOf<precompile>> = ExtractAbiEventNames<
      AbiOf<precompile>
    >,
  >(
    precompile: precompile,
    filter: Omit<LogFilter<AbiOf<precompile>, name>, "abi" | "address"> = {},
  ): Promise<Subscription<DecodedLog<AbiOf<precompile>, name>>> {
    const abi: Abi = PRECOMPILES[precompile].abi;
    const address = this.#options.precompiles[precompile];
    const subscription: unknown = await this.logs({
      ...(filter as LogFilter),
      abi,
      address,
    });
    return subscription as Subscription<DecodedLog<AbiOf<precompile>, name>>;
  }

  /**
   * Hashes of transactions that reach the node. Those that come while the
   * connection is lost are missed.
   *
   * @throws DualstackError if the socket cannot be opened or the node refuses;
   * while iterating, if the connection cannot be restored
   */
  async pendingTransactions(): Promise<Subscription<string>> {
    const subscription: Subscription<string> = new Subscription(
      this.#limit,
      async () => {
        this.#open.delete(subscription);
        await this.#hub.remove(channel);
      },
    );
    const channel: Channel = {
      params: ["newPendingTransactions"],
      onEvent: (result) => {
        if (!subscription.push(toHash(result))) {
          subscription.fail(tooSlow("pending transactions"));
          void this.#hub.remove(channel);
        }
      },
      onAgain: () => undefined,
      onFail: (reason) => {
        subscription.fail(reason);
      },
    };
    await this.#hub.add(channel);
    this.#open.add(subscription);
    return subscription;
  }

  /**
   * The next new block.
   *
   * @param options.after returns at once if a newer head than this is known
   * @throws DualstackError without a socket, or after `timeoutMs` (default: 60 s)
   */
  async nextHead(
    options: {
      readonly after?: bigint;
      readonly timeoutMs?: number;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<Head> {
    const { after, timeoutMs = DEFAULT_HEAD_TIMEOUT_MS } = options;
    const { signal: stopped } = this.#stopped;
    const signal =
      options.signal === undefined
        ? stopped
        : AbortSignal.any([stopped, options.signal]);
    signal.throwIfAborted();
    const { latest } = this.#heads;
    if (after !== undefined && latest !== undefined && latest.number > after) {
      return latest;
    }
    let settle: (() => void) | undefined;
    let listener: Parameters<Heads["listen"]>[0] | undefined;
    try {
      return await new Promise<Head>((resolve, reject) => {
        const onAbort = () => {
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          reject(
            new DualstackError(`no new head within ${timeoutMs / 1000} s`, {
              network: this.#options.network,
            }),
          );
        }, timeoutMs);
        signal.addEventListener("abort", onAbort, { once: true });
        settle = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
        };
        listener = { onHead: resolve, onFail: reject };
        this.#heads.listen(listener).catch(reject);
      });
    } finally {
      settle?.();
      if (listener !== undefined) {
        await this.#heads.unlisten(listener);
      }
    }
  }

  /**
   * Gives a function that resolves when there may be a new block: with its head
   * while the socket works, otherwise after a second. For loops that look for a
   * receipt.
   *
   * @example await waitForReceipt(provider, hash, { nextBlock: events.blockWaiter() })
   */
  blockWaiter(signal?: AbortSignal): () => Promise<void> {
    let last = this.#heads.latest?.number;
    return async () => {
      if (Date.now() < this.#pollUntil) {
        await sleep(POLL_MS, signal);
        return;
      }
      try {
        const head = await this.nextHead({
          after: last,
          timeoutMs: LONGEST_WAIT_MS,
          signal,
        });
        last = head.number;
      } catch (error) {
        signal?.throwIfAborted();
        if (!this.connected) {
          this.#pollUntil = Date.now() + SOCKET_PAUSE_MS;
          await sleep(POLL_MS, signal);
        }
        // A silent socket has used up the wait.
        if (this.#stopped.signal.aborted) {
          throw error;
        }
      }
    };
  }

  /** Ends all subscriptions and closes the connection. */
  async close(): Promise<void> {
    // Without eth_unsubscribe: closing the connection does the same.
    this.#hub.close();
    this.#heads.close();
    this.#stopped.abort(new DualstackError("the client for events is closed"));
    await Promise.all([...this.#open].map((open) => open.close()));
  }

  get #limit(): number {
    return this.#options.maxWaiting ?? DEFAULT_MAX_WAITING;
  }

  #backfill(signal?: AbortSignal): Backfill {
    const { provider, network, maxRange, patienceMs } = this.#options;
    return new Backfill({
      provider,
      network,
      maxRange,
      patienceMs,
      signal: signal ?? this.#stopped.signal,
    });
  }
}
