import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { type RpcProvider, rpcErrorOf } from "../../src/rpc/provider.js";

/** The EVM's JSON-RPC over HTTP, answered by a provider in this process. */
export class EvmHttpServer {
  /** Headers that every answer has; the date can be set wrong here. */
  headers: Readonly<Record<string, string>> = {};
  readonly methods: string[] = [];
  readonly #server: Server;
  readonly #provider: RpcProvider;

  private constructor(provider: RpcProvider) {
    this.#provider = provider;
    this.#server = createServer((request, response) => {
      void this.#answer(request).then((body) => {
        response
          .writeHead(200, {
            "content-type": "application/json",
            ...this.headers,
          })
          .end(body);
      });
    });
  }

  static async start(provider: RpcProvider): Promise<EvmHttpServer> {
    const server = new EvmHttpServer(provider);
    await new Promise<void>((resolve) =>
      server.#server.listen(0, "127.0.0.1", resolve),
    );
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<string> {
    let text = "";
    for await (const chunk of request) {
      text += String(chunk);
    }
    const body = JSON.parse(text) as any;
    return JSON.stringify(
      Array.isArray(body)
        ? await Promise.all(body.map(async (call) => await this.#one(call)))
        : await this.#one(body),
    );
  }

  async #one({ id, method, params }: any): Promise<object> {
    this.methods.push(method);
    try {
      const result = await this.#provider.request({ method, params });
      return { jsonrpc: "2.0", id, result };
    } catch (error) {
      const { code, message, data } = rpcErrorOf(error) ?? {
        code: -32603,
        message: String(error),
        data: undefined,
      };
      return { jsonrpc: "2.0", id, error: { code, message, data } };
    }
  }
}
