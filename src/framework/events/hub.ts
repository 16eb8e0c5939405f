import { sleep } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import { ProviderSocket, type SubscribingProvider } from "./provider-socket.js";
import {
  EventSocket,
  Refused,
  type SocketEvents,
  type SocketOptions,
} from "./socket.js";

export interface HubOptions extends Omit<SocketOptions, "url"> {
  /** The socket's address, or the network if it runs in this process. */
  readonly source: string | SubscribingProvider;
  /**
   * Waits between attempts to reconnect, in milliseconds: the first one doubles
   * up to the longest.
   */
  readonly reconnect?: {
    readonly firstMs?: number;
    readonly longestMs?: number;
    /** Attempts in a row before the subscriptions fail. */
    readonly attempts?: number;
  };
  /** Called when the connection is lost, and when it is back. */
  readonly onStatus?: (
    status:
      | { readonly connected: true }
      | { readonly connected: false; readonly reason: string },
  ) => void;
}

/** One subscription at the node, kept across reconnections. */
export interface Channel {
  /** Parameters of `eth_subscribe`. */
  readonly params: readonly unknown[];
  onEvent(result: unknown): void;
  /** The node subscribed it again after the connection was lost: events in between are missing. */
  onAgain(): void;
  /** No more events will come. */
  onFail(reason: unknown): void;
}

type Connection = EventSocket | ProviderSocket;

const RECONNECT = { firstMs: 250, longestMs: 10_000, attempts: 60 } as const;
// Milliseconds to keep a connection without subscriptions, for the next one.
const IDLE_MS = 1_000;
// Events that arrived before the answer with their subscription's ID.
const MAX_EARLY = 256;

/** Keeps one connection for all subscriptions, and reopens it when it breaks. */
export class EventHub {
  readonly #options: HubOptions;
  readonly #channels = new Map<Channel, string | undefined>();
  readonly #byId = new Map<string, Channel>();
  readonly #stopped = new AbortController();
  #early: { readonly id: string; readonly result: unknown }[] = [];
  #socket: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #idle: NodeJS.Timeout | undefined;
  // Channels that `add` is about to subscribe.
  readonly #adding = new Set<Channel>();
  #reconnecting = false;
  #attempt = 0;
  #subscribing = 0;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Whether the socket is connected now. */
  get connected(): boolean {
    return this.#socket !== undefined;
  }

  /** @throws DualstackError if there is no connection, or the node refuses */
  async add(channel: Channel): Promise<void> {
    if (this.#stopped.signal.aborted) {
      throw this.#closed();
    }
    clearTimeout(this.#idle);
    this.#adding.add(channel);
    this.#channels.set(channel, undefined);
    try {
      await this.#subscribe(await this.#connected(), channel);
    } catch (error) {
      this.#channels.delete(channel);
      this.#rest();
      throw error;
    } finally {
      this.#adding.delete(channel);
    }
  }

  async remove(channel: Channel): Promise<void> {
    const id = this.#channels.get(channel);
    if (!this.#channels.delete(channel)) {
      return;
    }
    const socket = this.#socket;
    if (id !== undefined) {
      this.#byId.delete(id);
      // A connection that breaks now also ends the subscription.
      await socket?.unsubscribe(id).catch(() => undefined);
    }
    this.#rest();
  }

  close(): void {
    const reason = this.#closed();
    this.#stopped.abort(reason);
    clearTimeout(this.#idle);
    this.#channels.clear();
    this.#byId.clear();
    this.#socket?.close();
    this.#socket = undefined;
  }

  async #connected(): Promise<Connection> {
    if (this.#socket !== undefined) {
      return this.#socket;
    }
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return await this.#opening;
  }

  async #open(): Promise<Connection> {
    let opened: Connection | undefined;
    let lostAtOnce: DualstackError | undefined;
    const socket = await this.#connect({
      onEvent: (id, result) => {
        this.#deliver(id, result);
      },
      onLost: (reason) => {
        if (opened === undefined) {
          lostAtOnce = reason;
        } else if (this.#socket === opened) {
          this.#lost(reason);
        }
      },
    });
    if (lostAtOnce !== undefined) {
      throw lostAtOnce;
    }
    if (this.#stopped.signal.aborted) {
      socket.close();
      throw this.#closed();
    }
    opened = socket;
    this.#socket = socket;
    return socket;
  }

  async #connect(events: SocketEvents): Promise<Connection> {
    const { source, ...options } = this.#options;
    return typeof source === "string"
      ? await EventSocket.open(
          { ...options, url: source },
          events,
          this.#stopped.signal,
        )
      : new ProviderSocket(source, events);
  }

  async #subscribe(socket: Connection, channel: Channel): Promise<void> {
    this.#subscribing++;
    try {
      const id = await socket.subscribe(channel.params);
      if (!this.#channels.has(channel)) {
        await socket.unsubscribe(id).catch(() => undefined);
        return;
      }
      this.#channels.set(channel, id);
      this.#byId.set(id, channel);
      const early = this.#early.filter((event) => event.id === id);
      this.#early = this.#early.filter((event) => event.id !== id);
      for (const { result } of early) {
        this.#deliver(id, result);
      }
    } finally {
      this.#subscribing--;
      if (this.#subscribing === 0) {
        this.#early = [];
      }
    }
  }

  #deliver(id: string, result: unknown): void {
    const channel = this.#byId.get(id);
    if (channel === undefined) {
      if (this.#subscribing > 0) {
        this.#early.push({ id, result });
        if (this.#early.length > MAX_EARLY) {
          this.#distrust(
            new DualstackError("the node did not answer eth_subscribe"),
          );
        }
      }
      return;
    }
    try {
      channel.onEvent(result);
      this.#attempt = 0;
    } catch (error) {
      this.#distrust(
        DualstackError.is(error)
          ? error
          : new DualstackError("the node sent an unexpected event", {
              cause: error,
            }),
      );
    }
  }

  // After an event that makes no sense, reconnects, and fetches what it stood for.
  #distrust(reason: DualstackError): void {
    this.#socket?.close();
    this.#lost(reason);
  }

  #lost(reason: DualstackError): void {
    if (this.#socket === undefined) {
      return;
    }
    this.#socket = undefined;
    this.#byId.clear();
    this.#early = [];
    for (const channel of this.#channels.keys()) {
      this.#channels.set(channel, undefined);
    }
    if (this.#channels.size === 0 || this.#stopped.signal.aborted) {
      return;
    }
    this.#options.onStatus?.({ connected: false, reason: reason.reason });
    if (!this.#reconnecting) {
      this.#reconnecting = true;
      void this.#reconnect(reason).finally(() => {
        this.#reconnecting = false;
      });
    }
  }

  async #reconnect(first: DualstackError): Promise<void> {
    const { firstMs, longestMs, attempts } = {
      ...RECONNECT,
      ...this.#options.reconnect,
    };
    let reason: unknown = first;
    const { signal } = this.#stopped;
    while (this.#channels.size > 0 && !signal.aborted) {
      if (this.#attempt >= attempts) {
        this.#attempt = 0;
        this.#failAll(
          new DualstackError(
            `the WebSocket could not be kept: ${attempts} attempts in a row brought no event`,
            { network: this.#options.network, cause: reason },
          ),
        );
        return;
      }
      const wait = Math.min(longestMs, firstMs * 2 ** this.#attempt);
      this.#attempt++;
      try {
        // Random, so that not all clients of a node that restarts come at the
        // same moment.
        await sleep(wait * (0.5 + Math.random() / 2), signal);
        const socket = await this.#connected();
        await this.#again(socket);
        if (this.#socket === socket) {
          return;
        }
      } catch (error) {
        reason = error;
      }
    }
  }

  async #again(socket: Connection): Promise<void> {
    for (const [channel, id] of [...this.#channels]) {
      if (id !== undefined || this.#adding.has(channel)) {
        continue;
      }
      try {
        await this.#subscribe(socket, channel);
      } catch (error) {
        if (!(error instanceof Refused)) {
          throw error;
        }
        this.#channels.delete(channel);
        channel.onFail(error);
      }
    }
    this.#options.onStatus?.({ connected: true });
    for (const [channel, id] of [...this.#channels]) {
      if (id !== undefined) {
        channel.onAgain();
      }
    }
  }

  #rest(): void {
    if (this.#channels.size > 0 || this.#stopped.signal.aborted) {
      return;
    }
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#channels.size === 0) {
        this.#socket?.close();
        this.#socket = undefined;
      }
    }, IDLE_MS);
  }

  #failAll(reason: unknown): void {
    const channels = [...this.#channels.keys()];
    this.#channels.clear();
    this.#byId.clear();
    for (const channel of channels) {
      channel.onFail(reason);
    }
  }

  #closed(): DualstackError {
    return new DualstackError("the connection for events is closed", {
      network: this.#options.network,
    });
  }
}
