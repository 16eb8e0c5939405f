import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** How a JSON-RPC endpoint can misbehave, as seen on public networks. */
export type Fault =
  | "hang"
  | "rate-limit"
  | "rate-limit-wait"
  | "rate-limit-long"
  | "server-error"
  | "html"
  | "truncated"
  | "huge"
  | "redirect"
  | "control-characters"
  | "index-race"
  | "busy-code"
  | "drop"
  | "drop-in-body"
  | "other-id";

/** How an endpoint treats batches. */
export type Batches =
  | "whole"
  | "single-error"
  | "refused"
  | "capped"
  | "node-rpc"
  | "gaps";

interface Call {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a call is answered with; thrown errors become JSON-RPC errors. */
export type Handler = (method: string, params: readonly unknown[]) => unknown;

export interface FaultyOptions {
  readonly handler?: Handler;
  /** Milliseconds before every answer. */
  readonly latencyMs?: number;
  readonly batches?: Batches;
  /** With `capped` and `node-rpc`: the most calls of a batch. */
  readonly batchLimit?: number;
}

export class CallError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** An address's balance on this server: the address itself as a number, so that mix-ups show. */
export const defaultHandler: Handler = (method, [first]) => {
  switch (method) {
    case "eth_chainId":
      return "0x666a";
    case "eth_blockNumber":
      return "0x10";
    case "eth_getBalance":
      return `0x${BigInt(String(first)).toString(16)}`;
    case "eth_sendRawTransaction":
      return `0x${"ab".repeat(32)}`;
    default:
      throw new CallError(
        -32601,
        `the method ${method} does not exist/is not available`,
      );
  }
};

/** A JSON-RPC server over HTTP that misbehaves when told to. */
export class FaultyServer {
  /** The bodies that arrived, parsed. */
  readonly bodies: (Call | Call[])[] = [];
  readonly headers: IncomingMessage["headers"][] = [];
  readonly #options: FaultyOptions;
  readonly #server = createServer(
    (request, response) => void this.#serve(request, response),
  );
  #faults: Fault[] = [];

  private constructor(options: FaultyOptions) {
    this.#options = options;
  }

  static async start(options: FaultyOptions = {}): Promise<FaultyServer> {
    const server = new FaultyServer(options);
    await new Promise<void>((resolve) =>
      server.#server.listen(0, "127.0.0.1", resolve),
    );
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/evm`;
  }

  /** The HTTP requests that arrived. */
  get count(): number {
    return this.bodies.length;
  }

  /** Makes the next requests fail, one for each entry. */
  fail(...faults: Fault[]): void {
    this.#faults = faults;
  }

  failAlways(fault: Fault): void {
    this.#faults = Array.from({ length: 1000 }, () => fault);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let text = "";
    for await (const chunk of request) {
      text += String(chunk);
    }
    const body = JSON.parse(text) as Call | Call[];
    this.bodies.push(body);
    this.headers.push(request.headers);
    const { latencyMs } = this.#options;
    if (latencyMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
    }
    const fault = this.#faults.shift();
    if (fault !== undefined) {
      misbehave(fault, body, response);
      return;
    }
    if (Array.isArray(body)) {
      await this.#serveBatch(body, response);
      return;
    }
    reply(response, 200, await this.#answer(body));
  }

  async #serveBatch(calls: Call[], response: ServerResponse): Promise<void> {
    const { batches = "whole", batchLimit = 1000 } = this.#options;
    const error = (message: string, id: unknown) => ({
      jsonrpc: "2.0",
      id,
      error: { code: -32600, message },
    });
    switch (batches) {
      case "single-error":
        reply(response, 200, error("batch requests are not supported", null));
        return;
      case "refused":
        reply(response, 400, "Bad Request");
        return;
      case "capped":
        if (calls.length > batchLimit) {
          reply(response, 200, [error("batch too large", calls[0]?.id)]);
          return;
        }
        break;
      case "node-rpc":
        // As CometBFT words it.
        if (calls.length > batchLimit) {
          const data = `batch request exceeds maximum (${batchLimit}) allowed number of requests`;
          const refusal = { code: -32600, message: "Invalid Request", data };
          reply(response, 200, { jsonrpc: "2.0", error: refusal });
          return;
        }
        break;
      case "gaps":
        // Also in another order, and with one call missing.
        reply(
          response,
          200,
          (await this.#answers(calls)).reverse().filter((_, at) => at !== 1),
        );
        return;
      case "whole":
        break;
    }
    reply(response, 200, await this.#answers(calls));
  }

  async #answers(calls: readonly Call[]): Promise<object[]> {
    const answers: object[] = [];
    for (const call of calls) {
      answers.push(await this.#answer(call));
    }
    return answers;
  }

  async #answer({ id, method, params }: Call): Promise<object> {
    const handler = this.#options.handler ?? defaultHandler;
    try {
      const result = await handler(method, params);
      return { jsonrpc: "2.0", id, result };
    } catch (thrown) {
      const { message } = thrown as Error;
      const code = thrown instanceof CallError ? thrown.code : -32000;
      return { jsonrpc: "2.0", id, error: { code, message } };
    }
  }
}

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const isText = typeof body === "string";
  response.writeHead(status, {
    "content-type": isText ? "text/plain" : "application/json",
    ...headers,
  });
  response.end(isText ? body : JSON.stringify(body));
}

function misbehave(
  fault: Fault,
  body: Call | Call[],
  response: ServerResponse,
): void {
  const id = Array.isArray(body) ? null : body.id;
  const error = (code: number, message: string) => ({
    jsonrpc: "2.0",
    id,
    error: { code, message },
  });
  switch (fault) {
    case "hang":
      return;
    case "rate-limit":
      reply(response, 429, "slow down");
      return;
    case "rate-limit-wait":
      reply(response, 429, "slow down", { "retry-after": "1" });
      return;
    case "rate-limit-long":
      reply(response, 429, "slow down", { "retry-after": "3600" });
      return;
    case "server-error":
      reply(response, 503, "<html><body>no upstream</body></html>");
      return;
    case "html":
      reply(response, 200, "<!doctype html><title>Welcome</title>", {
        "content-type": "text/html",
      });
      return;
    case "truncated":
      reply(response, 200, '{"jsonrpc":"2.0","id":1,"resu', {
        "content-type": "application/json",
      });
      return;
    case "huge":
      sendHuge(response);
      return;
    case "redirect":
      reply(response, 307, "", {
        location: "http://elsewhere.dualstack.example/evm?token=secret",
      });
      return;
    case "control-characters":
      reply(
        response,
        200,
        error(-32000, "\u001b[31mred\u001b[0m\r\nline\u0007\u202egnp.exe"),
      );
      return;
    case "index-race":
      reply(
        response,
        200,
        error(
          -32000,
          "failed to get rpc block from comet block: ethereum tx not found",
        ),
      );
      return;
    case "busy-code":
      reply(response, 200, error(-32005, "limit exceeded"));
      return;
    case "drop":
      response.destroy();
      return;
    case "drop-in-body":
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"jsonrpc":"2.0",');
      setTimeout(() => response.destroy(), 20);
      return;
    case "other-id":
      reply(response, 200, { jsonrpc: "2.0", id: "other", result: "0x1" });
      return;
  }
}

// 50 MB in pieces, without a length: only a client that counts can stop.
function sendHuge(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"jsonrpc":"2.0","id":1,"result":"');
  const piece = "0".repeat(1024 * 1024);
  let left = 50;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left--;
      if (!response.write(piece)) {
        response.once("drain", more);
        return;
      }
    }
    response.end('"}');
  };
  more();
}
