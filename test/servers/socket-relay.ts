import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { WebSocket, WebSocketServer } from "ws";

/**
 * The way to a node's WebSocket, which knows of the subscriptions behind it,
 * and can be cut.
 */
export class SocketRelay {
  readonly requests: { readonly method: string }[] = [];
  readonly #http: Server = createServer();
  readonly #ws = new WebSocketServer({ server: this.#http });
  readonly #subscriptions = new Map<WebSocket, Set<string>>();

  private constructor(target: string) {
    this.#ws.on("connection", (client) => {
      this.#relay(client, new WebSocket(target));
    });
  }

  static async start(target: string): Promise<SocketRelay> {
    const relay = new SocketRelay(target);
    await new Promise<void>((resolve) =>
      relay.#http.listen(0, "127.0.0.1", resolve),
    );
    return relay;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** The subscriptions that the node has confirmed, and nobody ended. */
  get subscriptions(): readonly string[] {
    return [...this.#subscriptions.values()].flatMap((ids) => [...ids]);
  }

  /** Cuts every connection, with what is still on the way. */
  dropAll(): void {
    for (const client of this.#ws.clients) client.terminate();
  }

  async close(): Promise<void> {
    this.dropAll();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #relay(client: WebSocket, node: WebSocket): void {
    const subscriptions = new Set<string>();
    this.#subscriptions.set(client, subscriptions);
    const asked = new Set<unknown>();
    const open = new Promise((resolve) => node.once("open", resolve));
    client.on("message", (data) => {
      const text = String(data);
      const { id, method, params } = JSON.parse(text);
      this.requests.push({ method });
      if (method === "eth_subscribe") asked.add(id);
      if (method === "eth_unsubscribe") subscriptions.delete(params[0]);
      void open.then(() => {
        node.send(text);
      });
    });
    node.on("message", (data) => {
      const text = String(data);
      const { id, result } = JSON.parse(text);
      if (asked.delete(id) && result !== undefined) subscriptions.add(result);
      client.send(text);
    });
    const end = () => {
      this.#subscriptions.delete(client);
      client.terminate();
      node.terminate();
    };
    for (const socket of [client, node]) socket.on("close", end);
    node.on("error", end);
  }
}
