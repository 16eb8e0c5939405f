import { httpExchange, shownUrl } from "../../support/http.js";
import { foreignAnswer } from "../../support/http-status.js";
import { Retrying, type RetryOptions } from "../../support/retry.js";
import { cleanText } from "../../support/text.js";
import {
  classify,
  FrameworkError,
  type FrameworkFault,
  malformed,
} from "../errors.js";
import { asObject, type Json, parseJson } from "../json.js";

export const NODE_RPC = "the node RPC";

export interface CometTransportOptions {
  readonly url: string;
  readonly network: string;
  /** Sent with every request, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryOptions;
  /** Ends all requests under way, and refuses new ones. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

interface CometRequest {
  readonly id: number | string;
  readonly method: string;
}

/**
 * Sends the requests of CosmJS' client, bounded in time and size: the library's
 * own transport has no limits, and some requests are never answered.
 */
export class CometTransport {
  readonly #options: CometTransportOptions;
  readonly #retrying: Retrying;

  constructor(options: CometTransportOptions) {
    this.#options = options;
    this.#retrying = new Retrying(options.retry);
  }

  get place(): { readonly network: string; readonly endpoint: string } {
    const { network, url } = this.#options;
    return { network, endpoint: shownUrl(url) };
  }

  /**
   * Reads are retried after failures that may pass.
   *
   * @throws FrameworkError for an error answered by the node
   */
  async execute<Request extends CometRequest>(request: Request) {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const once = async () => await this.#exchange(request);
    return request.method.startsWith("broadcast_")
      ? await once()
      : await this.#retrying.run(once, { signal });
  }

  async #exchange<Request extends CometRequest>(request: Request) {
    const { url, network, headers, timeoutMs, maxBytes, signal } =
      this.#options;
    const answer = await httpExchange({
      url,
      name: NODE_RPC,
      network,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(request),
      timeoutMs,
      maxBytes,
      signal,
    });
    let body: ReturnType<typeof asObject>;
    try {
      body = asObject(parseJson(answer.text));
    } catch {
      throw foreignAnswer(NODE_RPC, answer, this.place);
    }
    if (asObject(body?.["error"]) !== undefined && isOfJsonRpc(body)) {
      throw this.#refusal(body?.["error"], request.method);
    }
    if (answer.status !== 200) {
      throw foreignAnswer(NODE_RPC, answer, this.place);
    }
    if (body?.["result"] === undefined || body["id"] !== request.id) {
      throw malformed(
        NODE_RPC,
        `answered ${request.method} without a result`,
        this.place,
      );
    }
    return { jsonrpc: "2.0" as const, id: request.id, result: body["result"] };
  }

  disconnect(): void {
    // fetch manages the connections.
  }

  #refusal(error: Json | undefined, method: string): FrameworkError {
    const { code, message, data } = asObject(error) ?? {};
    const text = cleanText(
      [message, data]
        .filter((part) => typeof part === "string" && part !== "")
        .join(": "),
    );
    const number = typeof code === "number" ? code : undefined;
    return new FrameworkError(
      `${NODE_RPC} refused ${method}${number === undefined ? "" : ` (code ${number})`}: ${text}`,
      {
        ...this.place,
        fault: faultOf(number, text),
        code: number,
        serverText: text,
      },
    );
  }
}

// A gateway's own errors may be JSON, too.
const isOfJsonRpc = (body: ReturnType<typeof asObject>) =>
  body?.["jsonrpc"] === "2.0" || body?.["id"] !== undefined;

// JSON-RPC's codes, not gRPC's.
function faultOf(code: number | undefined, text: string): FrameworkFault {
  if (code === -32601) {
    return "unknown-path";
  }
  return code === -32602 ? "invalid-request" : classify(undefined, text);
}
