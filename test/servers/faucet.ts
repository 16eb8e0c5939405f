import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

import { parseAddress } from "../../src/address/index.js";

/** The interfaces that this faucet can have; the last three exist, but have no preset. */
export type FaucetInterface =
  | "cosmjs"
  | "ignite"
  | "eth-faucet"
  | "path-get"
  | "query-get"
  | "json-post"
  | "none";

export interface FaucetServerOptions {
  readonly speaks: FaucetInterface;
  /** Really sends tokens, and returns the transaction's hash. */
  readonly grant: (address: string, denom: string) => Promise<string>;
  /** Seconds until the same address may ask again. */
  readonly cooldownSeconds?: number;
  readonly tokens?: readonly string[];
  readonly captcha?: boolean;
  readonly empty?: boolean;
  readonly broken?: boolean;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** A grant, or the reason against it, before it is put into a faucet's own words. */
type Verdict =
  | { readonly kind: "granted"; readonly hash: string }
  | { readonly kind: "cooldown"; readonly seconds: number }
  | { readonly kind: "empty" | "token" | "address" | "broken" };

/** A faucet over HTTP that speaks one of the known protocols, and remembers its grants. */
export class FaucetServer {
  readonly requests: { method: string; url: string; body: string }[] = [];
  readonly #options: FaucetServerOptions;
  readonly #granted = new Map<string, number>();
  readonly #server = createServer(
    (request, response) => void this.#serve(request, response),
  );

  private constructor(options: FaucetServerOptions) {
    this.#options = options;
  }

  static async start(options: FaucetServerOptions): Promise<FaucetServer> {
    const server = new FaucetServer(options);
    await new Promise<void>((resolve) =>
      server.#server.listen(0, "127.0.0.1", resolve),
    );
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests for tokens, without those for the faucet's own description. */
  get asked(): number {
    return this.requests.filter(
      ({ url }) => !["/status", "/info", "/api/info"].includes(url),
    ).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let body = "";
    for await (const chunk of request) {
      body += String(chunk);
    }
    const { method = "", url = "" } = request;
    this.requests.push({ method, url, body });
    const found = await this.#reply(request, body);
    const {
      status,
      body: content,
      headers,
    } = found ?? {
      status: 404,
      body: "404 page not found",
    };
    const isText = typeof content === "string";
    response.writeHead(status, {
      "content-type": isText ? "text/plain" : "application/json",
      ...headers,
    });
    response.end(isText ? content : JSON.stringify(content));
  }

  async #reply(
    request: IncomingMessage,
    body: string,
  ): Promise<Reply | undefined> {
    switch (this.#options.speaks) {
      case "cosmjs":
        return await this.#cosmjs(request, body);
      case "ignite":
        return await this.#ignite(request, body);
      case "eth-faucet":
        return await this.#ethFaucet(request, body);
      case "path-get":
        return await this.#pathGet(request);
      case "query-get":
        return await this.#queryGet(request);
      case "json-post":
        return await this.#jsonPost(request, body);
      case "none":
        return undefined;
    }
  }

  async #decide(
    address: unknown,
    form: "hex" | "account",
    token: string,
  ): Promise<Verdict> {
    const {
      cooldownSeconds = 0,
      tokens = ["anative"],
      empty,
      broken,
    } = this.#options;
    if (broken === true) {
      return { kind: "broken" };
    }
    if (!tokens.includes(token)) {
      return { kind: "token" };
    }
    let hex: string;
    try {
      const parsed = parseAddress(String(address));
      if (parsed.form !== form) {
        return { kind: "address" };
      }
      ({ hex } = parsed);
    } catch {
      return { kind: "address" };
    }
    const until =
      (this.#granted.get(hex) ?? -Infinity) + cooldownSeconds * 1000;
    const seconds = Math.ceil((until - Date.now()) / 1000);
    if (seconds > 0) {
      return { kind: "cooldown", seconds };
    }
    if (empty === true) {
      return { kind: "empty" };
    }
    this.#granted.set(hex, Date.now());
    return { kind: "granted", hash: await this.#options.grant(hex, token) };
  }

  // cosmos/cosmjs, packages/faucet/src/api
  async #cosmjs(request: IncomingMessage, body: string): Promise<Reply> {
    const { tokens = ["anative"] } = this.#options;
    if (request.url === "/status") {
      return {
        status: 200,
        body: {
          status: "ok",
          chainId: "dualstack-1",
          chainTokens: tokens,
          availableTokens: tokens,
          holder: {},
          distributors: [],
        },
      };
    }
    if (request.method !== "POST") {
      return { status: 405, body: "This endpoint requires a POST request" };
    }
    if (request.headers["content-type"] !== "application/json") {
      return {
        status: 415,
        body: "Content-type application/json expected",
      };
    }
    if (request.url !== "/credit") {
      return { status: 404, body: "Not Found" };
    }
    const { address, denom } = JSON.parse(body) as Record<string, string>;
    const verdict = await this.#decide(address, "account", denom ?? "");
    switch (verdict.kind) {
      case "granted":
        return { status: 200, body: "ok" };
      case "cooldown":
        return {
          status: 405,
          body: `Too many requests for the same address. Blocked to prevent draining. Please wait ${verdict.seconds} seconds and try it again!`,
        };
      case "address":
        return {
          status: 400,
          body: "Address is not in the expected format for this chain.",
        };
      case "token":
        return {
          status: 422,
          body: `Token is not available. Available tokens are: ${tokens.join(",")}`,
        };
      default:
        return { status: 500, body: "Sending tokens failed" };
    }
  }

  // ignite/cli, ignite/pkg/cosmosfaucet
  async #ignite(
    request: IncomingMessage,
    body: string,
  ): Promise<Reply | undefined> {
    if (request.url === "/info") {
      return {
        status: 200,
        body: { is_a_faucet: true, chain_id: "dualstack-1" },
      };
    }
    if (request.url !== "/" || request.method !== "POST") {
      return undefined;
    }
    const { address, coins } = JSON.parse(body) as {
      address?: string;
      coins?: string[];
    };
    const denom = coins?.[0]?.replace(/^\d+/, "") ?? "anative";
    const verdict = await this.#decide(address, "account", denom);
    switch (verdict.kind) {
      case "granted":
        return {
          status: 200,
          body: { hash: verdict.hash.slice(2).toUpperCase() },
        };
      case "cooldown":
        return {
          status: 500,
          body: {
            error: `account has reached to the max. allowed credits per account, wait ${verdict.seconds}s`,
          },
        };
      case "address":
        return {
          status: 400,
          body: { error: "decoding bech32 failed: invalid checksum" },
        };
      case "token":
        return { status: 400, body: { error: `invalid denom: ${denom}` } };
      case "empty":
        return {
          status: 500,
          body: {
            error: `spendable balance 0 is smaller than 10: insufficient funds`,
          },
        };
      case "broken":
        return { status: 500, body: { error: "post failed: EOF" } };
    }
  }

  // chainflag/eth-faucet, internal/server
  async #ethFaucet(
    request: IncomingMessage,
    body: string,
  ): Promise<Reply | undefined> {
    const { captcha } = this.#options;
    if (request.url === "/api/info") {
      return {
        status: 200,
        body: {
          account: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
          network: "testnet",
          payout: "100",
          symbol: "NATIVE",
          ...(captcha === true ? { hcaptcha_sitekey: "10000000-ffff" } : {}),
        },
      };
    }
    if (request.url !== "/api/claim") {
      return undefined;
    }
    if (request.method !== "POST") {
      return { status: 405, body: { msg: "Method Not Allowed" } };
    }
    const claim = JSON.parse(body) as Record<string, unknown>;
    const unknown = Object.keys(claim).find((key) => key !== "address");
    if (unknown !== undefined || body.length > 1024) {
      return {
        status: 400,
        body: { msg: `Request body contains unknown field "${unknown}"` },
      };
    }
    if (
      captcha === true &&
      request.headers["h-captcha-response"] === undefined
    ) {
      return {
        status: 429,
        body: { msg: "Captcha verification failed, please try again" },
      };
    }
    const verdict = await this.#decide(claim["address"], "hex", "anative");
    switch (verdict.kind) {
      case "granted":
        return { status: 200, body: { msg: `Txhash: ${verdict.hash}` } };
      case "cooldown":
        return {
          status: 429,
          body: {
            msg: `You have exceeded the rate limit. Please wait ${goDuration(verdict.seconds)} before you try again`,
          },
        };
      case "address":
        return { status: 400, body: { msg: "invalid address" } };
      case "empty":
        return {
          status: 500,
          body: {
            msg: "Transaction failed: insufficient funds for gas * price + value",
          },
        };
      default:
        return { status: 500, body: { msg: "Transaction failed: EOF" } };
    }
  }

  // ping-pub/faucet: everything is 200
  async #pathGet(request: IncomingMessage): Promise<Reply> {
    const address = /^\/send\/testnet\/(\w+)$/.exec(request.url ?? "")?.[1];
    const verdict = await this.#decide(address, "account", "anative");
    switch (verdict.kind) {
      case "granted":
        return {
          status: 200,
          body: { result: { code: 0, tx_hash: verdict.hash.slice(2) } },
        };
      case "cooldown":
        return { status: 200, body: { result: "You requested too often" } };
      case "address":
        return {
          status: 200,
          body: { result: `Address [${address}] is not supported.` },
        };
      default:
        return { status: 200, body: { result: "err: broadcast failed" } };
    }
  }

  // hyphacoop/cosmos-rest-faucet
  async #queryGet(request: IncomingMessage): Promise<Reply> {
    const params = new URL(request.url ?? "", "http://faucet.example")
      .searchParams;
    const verdict = await this.#decide(
      params.get("address"),
      "account",
      params.get("chain") ?? "",
    );
    if (verdict.kind === "granted") {
      return {
        status: 200,
        body: { status: "success", amount: "100", hash: verdict.hash },
      };
    }
    return {
      status: 200,
      body: {
        status: "fail",
        message:
          verdict.kind === "cooldown"
            ? `address is graylisted for another ${goDuration(verdict.seconds).replace(/([hm])/g, "$1 ")}`
            : "Error: could not send",
      },
    };
  }

  // A faucet of a project's own
  async #jsonPost(request: IncomingMessage, body: string): Promise<Reply> {
    if (request.headers["x-api-key"] !== "key-of-a-test") {
      return { status: 401, body: { error: { message: "no key" } } };
    }
    const { to, what } = JSON.parse(body) as {
      to: { wallet: string };
      what: { token: string; amount: number | string }[];
    };
    const verdict = await this.#decide(
      to.wallet,
      "hex",
      what[0]?.token === "native" ? "anative" : "",
    );
    if (verdict.kind === "granted") {
      return { status: 202, body: { data: { txHash: verdict.hash } } };
    }
    return verdict.kind === "cooldown"
      ? {
          status: 429,
          body: { error: { message: "not yet", retryIn: verdict.seconds } },
          headers: { "retry-after": "5" },
        }
      : { status: 500, body: { error: { message: verdict.kind } } };
  }
}

/** As Go prints durations: 23h59m0s. */
function goDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return `${hours > 0 ? `${hours}h` : ""}${hours > 0 || minutes > 0 ? `${minutes}m` : ""}${seconds % 60}s`;
}
