import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

import { type WebSocket, WebSocketServer } from "ws";

import { type LogFilter, matches, toHeader } from "./evm.js";
import { type Block, type Chain, hashOf } from "./state.js";

interface Subscriber {
  readonly socket: WebSocket;
  readonly id: string;
  readonly kind: "newHeads" | "logs" | "newPendingTransactions";
  readonly filter: LogFilter;
}

// The name of the type in the node's own language.
const typeNameOf = (id: unknown) =>
  id === null || id === undefined
    ? "<nil>"
    : Array.isArray(id)
      ? "[]interface {}"
      : typeof id === "object"
        ? "map[string]interface {}"
        : typeof id === "boolean"
          ? "bool"
          : typeof id;

/** What goes wrong between server and client; probabilities from 0 to 1. */
export interface Trouble {
  /** Sends a notification twice. */
  duplicate?: number;
  /** Holds a notification back until some later ones have been sent. */
  reorder?: number;
  /** The most milliseconds before a notification is sent. */
  delayMs?: number;
  /** Silently loses a notification, as for a slow reader. */
  lose?: number;
}

/** The EVM's WebSocket: subscriptions as recorded, with the troubles of a network. */
export class WsServer {
  readonly requests: { method: string; params: unknown; id: unknown }[] = [];
  trouble: Trouble = {};
  /** Never answers these methods. */
  readonly mute = new Set<string>();
  /** Refuses every subscription with this text. */
  refuse: string | undefined;
  /** Holds logs back, while heads are sent. */
  withholdLogs = false;
  /** Announces blocks with other hashes than they have, as some nodes do. */
  otherHashes = false;
  /** Refuses all connections. */
  down = false;
  connections = 0;
  lastHeaders: Readonly<Record<string, unknown>> = {};
  readonly #http: Server;
  readonly #ws = new WebSocketServer({
    noServer: true,
    maxPayload: 1024 * 1024,
  });
  readonly #subscribers = new Map<string, Subscriber>();
  #held: { readonly subscriber: Subscriber; readonly frame: string }[] = [];
  #ids = 0;

  private constructor(chain: Chain) {
    this.#http = createServer((_request, response) => {
      response.writeHead(404).end();
    });
    this.#http.on("upgrade", (request, socket, head) => {
      this.#upgrade(request, socket, head);
    });
    chain.onBlock((block) => {
      this.#announce(block);
    });
    chain.onPending((hash) => {
      this.#notify("newPendingTransactions", () => hash);
    });
  }

  static async start(chain: Chain): Promise<WsServer> {
    const server = new WsServer(chain);
    await new Promise<void>((resolve) =>
      server.#http.listen(0, "127.0.0.1", resolve),
    );
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  get subscriptions(): readonly string[] {
    return [...this.#subscribers.values()].map(({ kind }) => kind);
  }

  /** Cuts every connection, with what is still on the way. */
  dropAll(): void {
    for (const client of this.#ws.clients) {
      client.terminate();
    }
  }

  /** Closes every connection cleanly: what was sent arrives. */
  endAll(): void {
    for (const client of this.#ws.clients) {
      client.close(1001);
    }
  }

  /** Sends a text to every client, as it is. */
  sendRaw(text: string): void {
    for (const client of this.#ws.clients) {
      client.send(text);
    }
  }

  /** Sends an event that a test made up to all subscriptions of a kind. */
  sendEvent(kind: Subscriber["kind"], result: unknown): void {
    this.#notify(kind, () => result);
  }

  async close(): Promise<void> {
    this.dropAll();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.lastHeaders = request.headers;
    const refused = this.down
      ? "503 Service Unavailable"
      : request.headers.origin !== undefined
        ? "403 Forbidden"
        : request.url !== "/" && request.url !== "/ws"
          ? "404 Not Found"
          : undefined;
    if (refused !== undefined) {
      socket.end(
        `HTTP/1.1 ${refused}\r\ncontent-length: 10\r\nconnection: close\r\n\r\nForbidden\n`,
      );
      return;
    }
    this.#ws.handleUpgrade(request, socket, head, (client) => {
      this.connections++;
      client.on("message", (data) => {
        this.#receive(client, String(data));
      });
      client.on("error", () => undefined);
      client.on("close", () => {
        for (const [id, subscriber] of this.#subscribers) {
          if (subscriber.socket === client) {
            this.#subscribers.delete(id);
          }
        }
      });
    });
  }

  #receive(client: WebSocket, text: string): void {
    const reply = (body: object) => {
      client.send(JSON.stringify({ jsonrpc: "2.0", ...body }));
    };
    // Refusals have no ID.
    const refuse = (message: string) => {
      reply({ error: { code: -32600, message }, id: null });
    };
    let call: { id?: unknown; method?: unknown; params?: unknown };
    try {
      call = JSON.parse(text);
    } catch {
      refuse("unexpected end of JSON input");
      return;
    }
    const { id, method, params } = call;
    this.requests.push({ method: String(method), params, id });
    if (
      typeof id !== "number" &&
      !(typeof id === "string" && /^\d+$/.test(id))
    ) {
      refuse(`invalid type for connection ID: ${typeNameOf(id)}`);
      return;
    }
    if (this.mute.has(String(method))) {
      return;
    }
    if (!Array.isArray(params)) {
      refuse("invalid parameters");
      return;
    }
    if (params.length === 0) {
      refuse("empty parameters");
      return;
    }
    const [first, second] = params as unknown[];
    if (typeof first !== "string") {
      refuse("invalid parameters");
    } else if (method === "eth_unsubscribe") {
      reply({
        result:
          this.#subscribers.get(first)?.socket === client &&
          this.#subscribers.delete(first),
        id: Number(id),
      });
    } else if (method !== "eth_subscribe") {
      reply({ error: { code: -32601, message: "Method not found" }, id });
    } else if (this.refuse !== undefined) {
      refuse(this.refuse);
    } else if (first === "syncing") {
      refuse("syncing subscription is not implemented");
    } else if (
      first === "newHeads" ||
      first === "logs" ||
      first === "newPendingTransactions"
    ) {
      const subscription = `0x${(++this.#ids).toString(16).padStart(32, "0")}`;
      reply({ result: subscription, id: Number(id) });
      this.#subscribers.set(subscription, {
        socket: client,
        id: subscription,
        kind: first,
        filter: (second ?? {}) as LogFilter,
      });
    } else {
      refuse(`unsupported method ${first}`);
    }
  }

  // The head, then its logs.
  #announce(block: Block): void {
    const header = toHeader(block);
    this.#notify("newHeads", () =>
      this.otherHashes
        ? { ...header, hash: hashOf(`announced ${block.number}`) }
        : header,
    );
    for (const log of this.withholdLogs ? [] : block.logs) {
      this.#notify("logs", (subscriber) =>
        matches(log, subscriber.filter) ? log : undefined,
      );
    }
  }

  #notify(
    kind: Subscriber["kind"],
    resultFor: (subscriber: Subscriber) => unknown,
  ): void {
    for (const subscriber of this.#subscribers.values()) {
      const result =
        subscriber.kind === kind ? resultFor(subscriber) : undefined;
      if (result !== undefined) {
        const frame = JSON.stringify({
          jsonrpc: "2.0",
          method: "eth_subscription",
          params: { subscription: subscriber.id, result },
        });
        this.#send(subscriber, frame);
      }
    }
  }

  #send(subscriber: Subscriber, frame: string): void {
    const { duplicate = 0, reorder = 0, delayMs = 0, lose = 0 } = this.trouble;
    if (Math.random() < lose) {
      return;
    }
    if (Math.random() < reorder && this.#held.length < 8) {
      this.#held.push({ subscriber, frame });
      return;
    }
    const send = () => {
      subscriber.socket.send(frame);
      if (Math.random() < duplicate) {
        subscriber.socket.send(frame);
      }
      // What was held back follows what came after it.
      for (const held of this.#held.splice(0)) {
        held.subscriber.socket.send(held.frame);
      }
    };
    if (delayMs > 0) {
      setTimeout(send, Math.random() * delayMs);
    } else {
      send();
    }
  }
}
