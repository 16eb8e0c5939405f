import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

import type { Ledger } from "../../src/local-node/ledger.js";
import { answerRest, HEIGHT_HEADER } from "../../src/local-node/rest/index.js";
import { TestLedger } from "./ledger.js";
import type { Chain } from "./state.js";

/** The REST endpoint over a test's state, and a gateway in front of it. */
export class RestServer {
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, unknown>>;
  }[] = [];
  /** Imitates a gateway that drops the header with the height. */
  dropHeight = false;
  readonly #ledger: Ledger;
  readonly #base: string;
  readonly #server: Server;

  private constructor(chain: Chain, base: string) {
    this.#ledger = new TestLedger(chain);
    this.#base = base;
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  /** @param base a path under which a gateway serves the endpoint, such as `/api` */
  static async start(
    chain: Chain,
    base = "",
    { port = 0 }: { readonly port?: number } = {},
  ): Promise<RestServer> {
    const server = new RestServer(chain, base);
    await new Promise<void>((resolve) =>
      server.#server.listen(port, "127.0.0.1", resolve),
    );
    return server;
  }

  get lastHeaders(): Readonly<Record<string, unknown>> {
    return this.requests.at(-1)?.headers ?? {};
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#base}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(
    { url: raw = "/", method = "", headers: given }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    this.requests.push({ method, path: raw, headers: given });
    const path = raw.startsWith(this.#base)
      ? raw.slice(this.#base.length)
      : raw;
    const asked = this.dropHeight ? undefined : given[HEIGHT_HEADER];
    const { status, headers, body } = await answerRest(this.#ledger, {
      method,
      path,
      ...(asked === undefined ? {} : { height: String(asked) }),
    });
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(body === undefined ? undefined : JSON.stringify(body));
  }
}
