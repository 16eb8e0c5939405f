import type { WebSocket } from "ws";

import { isRecord } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { encryptionFault, type Told } from "../../support/encryption.js";
import { shownUrl, splitUser } from "../../support/http.js";
import { fixRefused } from "../../support/loopback.js";
import { statusFault } from "../../support/http-status.js";
import { cleanText, errorText } from "../../support/text.js";

export interface SocketOptions {
  readonly url: string;
  readonly network: string;
  /** Sent when the connection is opened, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for opening the connection, and for each request. */
  readonly timeoutMs?: number;
  /** Milliseconds of silence after which the connection is tested. */
  readonly silenceMs?: number;
  /** The most bytes of one message; a longer one ends the connection. */
  readonly maxBytes?: number;
}

/** Hears what happens to a connection. */
export interface SocketEvents {
  /** An event, with the ID of its subscription. */
  onEvent(subscription: string, result: unknown): void;
  /** The connection is lost; no more events follow. */
  onLost(reason: DualstackError): void;
}

/** The node refused a request, so retrying does not help. */
export class Refused extends DualstackError {}

const NAME = "the WebSocket";
const CHECK = "Check that the node is up and the address is right.";
const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_SILENCE_MS = 30_000;
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;

interface Pending {
  readonly id: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: DualstackError) => void;
}

/**
 * One connection for subscriptions. Sends one request at a time: the node's
 * refusals have no ID, so this is the only way to know what was refused.
 */
export class EventSocket {
  readonly #ws: WebSocket;
  readonly #options: SocketOptions;
  readonly #events: SocketEvents;
  #pending: Pending | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #nextId = 1;
  #heard = Date.now();
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(
    ws: WebSocket,
    options: SocketOptions,
    events: SocketEvents,
  ) {
    this.#ws = ws;
    this.#options = options;
    this.#events = events;
    ws.on("message", (data) => {
      this.#receive(String(data));
    });
    ws.on("pong", () => {
      this.#heard = Date.now();
    });
    ws.on("error", (error) => {
      this.#lose(`broke: ${errorText(error, 160)}`, error);
    });
    ws.on("close", (code) => {
      this.#lose(`was closed by the node (code ${code})`);
    });
    const silence = options.silenceMs ?? DEFAULT_SILENCE_MS;
    this.#heartbeat = setInterval(() => {
      this.#testSilence(silence);
    }, silence / 2);
    this.#heartbeat.unref();
  }

  /** Opens a connection; loads `ws`. @throws DualstackError */
  static async open(
    options: SocketOptions,
    events: SocketEvents,
    signal?: AbortSignal,
  ): Promise<EventSocket> {
    signal?.throwIfAborted();
    const { WebSocket } = await import("ws");
    const { url, network } = options;
    const place = { network, endpoint: shownUrl(url) };
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const { target, authorization } = splitUser(url, NAME, place);
    return await new Promise((resolve, reject) => {
      // Without an Origin header: nodes refuse every one, even their own.
      const ws = new WebSocket(target, {
        headers: { ...authorization, ...options.headers },
        maxPayload: options.maxBytes ?? DEFAULT_MAX_BYTES,
        perMessageDeflate: false,
        followRedirects: false,
      });
      const settled = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        ws.removeAllListeners();
      };
      const giveUp = (reason: unknown) => {
        settled();
        ws.on("error", () => undefined).terminate();
        reject(reason);
      };
      const onAbort = () => {
        giveUp(signal?.reason);
      };
      const fail = ({ what, fix }: Told, cause?: Error) => {
        giveUp(new DualstackError(`${NAME} ${what}`, { ...place, fix, cause }));
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(() => {
        fail({
          what: `was not opened within ${timeoutMs / 1000} s: its handshake hangs`,
          fix: "The node may be too busy, or a proxy in front of it may not pass WebSockets on.",
        });
      }, timeoutMs);
      ws.once("unexpected-response", (_request, { statusCode = 0 }) => {
        const { what, fix } = statusFault(statusCode);
        fail({ what: `cannot be opened: the server ${what}`, fix });
      });
      ws.once("error", (cause: Error & { code?: string }) => {
        fail(
          encryptionFault(cause.code, cause.message) ?? {
            what: `cannot be opened: ${errorText(cause, 160)}`,
            fix: cause.code === "ECONNREFUSED" ? fixRefused(url, CHECK) : CHECK,
          },
          cause,
        );
      });
      ws.once("open", () => {
        settled();
        resolve(new EventSocket(ws, options, events));
      });
    });
  }

  /** @returns the subscription's ID. @throws Refused if the node refuses it */
  async subscribe(params: readonly unknown[]): Promise<string> {
    const id = await this.#request("eth_subscribe", params);
    if (typeof id !== "string" || id === "") {
      const reason = this.#lose("answered eth_subscribe without an ID");
      throw reason;
    }
    return id;
  }

  async unsubscribe(id: string): Promise<void> {
    await this.#request("eth_unsubscribe", [id]);
  }

  /** Closes the connection without telling {@link SocketEvents.onLost}. */
  close(): void {
    this.#closed = true;
    this.#stop(new DualstackError("the WebSocket was closed"));
    this.#ws.close();
    // Does not wait for a peer that never answers the close frame.
    const timer = setTimeout(() => {
      this.#ws.terminate();
    }, 1_000).unref();
    this.#ws.once("close", () => {
      clearTimeout(timer);
    });
  }

  async #request(method: string, params: readonly unknown[]): Promise<unknown> {
    const turn = this.#last.then(
      async () => await this.#exchange(method, params),
    );
    this.#last = turn.catch(() => undefined);
    return await turn;
  }

  async #exchange(
    method: string,
    params: readonly unknown[],
  ): Promise<unknown> {
    if (this.#closed) {
      throw this.#error("is closed");
    }
    const timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    // A number: the node refuses other IDs.
    const id = this.#nextId++;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.#pending = { id, resolve, reject };
        timer = setTimeout(() => {
          this.#lose(`did not answer ${method} within ${timeoutMs / 1000} s`);
        }, timeoutMs);
        this.#ws.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      });
    } finally {
      clearTimeout(timer);
      this.#pending = undefined;
    }
  }

  #receive(text: string): void {
    if (this.#closed) {
      return;
    }
    this.#heard = Date.now();
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#lose("sent something that is not JSON");
      return;
    }
    if (!isRecord(message)) {
      this.#lose("sent something that is not a JSON-RPC message");
      return;
    }
    const { params, id, error } = message;
    if (message["method"] === "eth_subscription" && isRecord(params)) {
      const { subscription, result } = params;
      if (typeof subscription === "string") {
        this.#events.onEvent(subscription, result);
        return;
      }
    }
    const pending = this.#pending;
    if (pending === undefined) {
      return;
    }
    if (isRecord(error) && (id === null || id === pending.id)) {
      pending.reject(
        new Refused(
          `the node refused the subscription: ${cleanText(error["message"] ?? "no reason given")}`,
          {
            network: this.#options.network,
            endpoint: shownUrl(this.#options.url),
          },
        ),
      );
    } else if (id === pending.id) {
      pending.resolve(message["result"]);
    }
  }

  // Nodes send no pings, so a connection may be dead without either side knowing.
  #testSilence(silence: number): void {
    const quiet = Date.now() - this.#heard;
    if (quiet > silence * 2) {
      this.#lose(`was silent for ${Math.round(quiet / 1000)} s`);
    } else if (quiet > silence / 2) {
      this.#ws.ping();
    }
  }

  #lose(what: string, cause?: unknown): DualstackError {
    const reason = this.#error(what, cause);
    if (!this.#closed) {
      this.#closed = true;
      this.#stop(reason);
      this.#ws.terminate();
      this.#events.onLost(reason);
    }
    return reason;
  }

  #stop(reason: DualstackError): void {
    clearInterval(this.#heartbeat);
    this.#pending?.reject(reason);
  }

  #error(what: string, cause?: unknown): DualstackError {
    return new DualstackError(`the WebSocket ${what}`, {
      network: this.#options.network,
      endpoint: shownUrl(this.#options.url),
      cause,
    });
  }
}
