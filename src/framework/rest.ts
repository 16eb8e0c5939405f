import type { ChainFacts } from "../chain/facts.js";
import { httpExchange, shownUrl } from "../support/http.js";
import { cleanText } from "../support/text.js";
import { foreignAnswer } from "../support/http-status.js";
import { isPassing, Retrying, type RetryOptions } from "../support/retry.js";
import { FrameworkError, malformed, refusal } from "./errors.js";
import { checkHeight } from "./height.js";
import { asObject, isList, type Json, parseJson } from "./json.js";
import type { RestParams } from "./query/question.js";
import { Fields } from "./query/values.js";
import { pathPrefixes } from "./services.js";

const NAME = "the REST endpoint";
const HEIGHT = "x-cosmos-block-height";

export interface RestOptions {
  readonly url: string;
  readonly network: string;
  readonly facts: Pick<ChainFacts, "frameworkPrefix" | "networkPrefix">;
  /** Sent with every request, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryOptions;
  /** Ends all requests under way, and refuses new ones. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface RestRequest {
  /** Query parameters; undefined ones are left out. */
  readonly params?: RestParams;
  /** The block at whose end the state is read. */
  readonly height?: bigint;
  /** Milliseconds for the whole answer, retries included. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface RestAnswer {
  readonly body: Json;
  /** The block at whose end the state was read, if the server says so. */
  readonly height: bigint | undefined;
  readonly headers: Headers;
}

/** GET requests to the REST endpoint, under the two prefixes that it serves. */
export class RestClient {
  readonly #options: RestOptions;
  readonly #prefixes: ReturnType<typeof pathPrefixes>;
  readonly #retrying: Retrying;

  constructor(options: RestOptions) {
    this.#options = options;
    this.#retrying = new Retrying(options.retry, { passes: mayPass });
    this.#prefixes = pathPrefixes(options.facts);
  }

  /**
   * Reads a path such as `/cosmos/staking/v1beta1/params`; retries failures
   * that may pass.
   *
   * @throws FrameworkError for a path outside the two prefixes, before anything
   * is sent; for a refusal, classified by its code and text; and for an answer
   * at another height than the one asked for
   */
  async get(path: string, request: RestRequest = {}): Promise<RestAnswer> {
    const { timeoutMs } = request;
    const end = timeoutMs === undefined ? undefined : Date.now() + timeoutMs;
    const signals = [this.#options.signal, request.signal].filter(
      (one) => one !== undefined,
    );
    const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
    signal?.throwIfAborted();
    checkHeight(request.height);
    const url = this.#resolve(path, request.params);
    return await this.#retrying.run(
      async () => await this.#get(url, request, end, signal),
      { signal, deadline: end },
    );
  }

  async #get(
    url: string,
    { height }: RestRequest,
    end: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<RestAnswer> {
    const { network, timeoutMs, maxBytes, headers, facts } = this.#options;
    const place = { network, endpoint: shownUrl(url) };
    const answer = await httpExchange({
      url,
      name: NAME,
      network,
      headers: {
        ...headers,
        ...(height === undefined ? {} : { [HEIGHT]: String(height) }),
      },
      timeoutMs: end === undefined ? timeoutMs : Math.max(1, end - Date.now()),
      maxBytes,
      signal,
    });
    let body: Json;
    try {
      body = parseJson(answer.text);
    } catch {
      throw foreignAnswer(NAME, answer, place);
    }
    if (answer.status !== 200) {
      const { code, message } = asObject(body) ?? {};
      if (typeof code !== "number" || typeof message !== "string") {
        throw foreignAnswer(NAME, answer, place);
      }
      throw refusal(NAME, { code, text: message }, place, facts, height);
    }
    const at =
      answer.headers.get(HEIGHT) ??
      answer.headers.get(`grpc-metadata-${HEIGHT}`);
    const answered =
      at !== null && /^\d{1,18}$/.test(at) ? BigInt(at) : undefined;
    if (height !== undefined && answered !== height) {
      throw new FrameworkError(
        `${NAME} answered for ${answered === undefined ? "an unknown height" : `height ${answered}`} instead of ${height}`,
        {
          ...place,
          fault: "wrong-height",
          fix: `A gateway may drop the header ${HEIGHT}; ask by the node RPC, gRPC or a precompile.`,
        },
      );
    }
    return { body, height: answered, headers: answer.headers };
  }

  /** Reads a path under the framework's prefix, and returns the answer as an object. */
  async fields(path: string, request: RestRequest = {}): Promise<Fields> {
    const { body } = await this.get(this.frameworkPath(path), request);
    return new Fields(body, path);
  }

  /** The full path of `/staking/…`: `/cosmos/staking/…`. */
  frameworkPath(path: string): string {
    return this.#prefixes.framework + path.replace(/^\//, "");
  }

  /**
   * The full path of one of the network's own queries, such as `/vm/v1/…`:
   * `/cosmos/evm/vm/v1/…`.
   */
  networkPath(path: string): string {
    return this.#prefixes.network + path.replace(/^\//, "");
  }

  /**
   * The entries of a long list, page by page, all at the height of the first
   * page.
   *
   * @param key the field with the list, such as `validators`
   */
  async *items(
    path: string,
    key: string,
    request: RestRequest & { readonly limit?: bigint } = {},
  ): AsyncGenerator<Json, void, undefined> {
    const { limit, ...rest } = request;
    let { height } = request;
    let next: string | undefined;
    for (;;) {
      const answer = await this.get(path, {
        ...rest,
        height,
        params: {
          ...rest.params,
          "pagination.limit": limit ?? rest.params?.["pagination.limit"],
          ...(next === undefined ? {} : { "pagination.key": next }),
        },
      });
      const body = asObject(answer.body) ?? {};
      const list = Object.hasOwn(body, key) ? body[key] : undefined;
      if (!isList(list)) {
        throw malformed(
          NAME,
          `answered without a list "${cleanText(key, 40)}"`,
          {
            network: this.#options.network,
            endpoint: shownUrl(this.#options.url) + path,
          },
        );
      }
      yield* list;
      const following = asObject(body["pagination"])?.["next_key"];
      if (typeof following !== "string" || following === "") {
        return;
      }
      if (following === next) {
        throw malformed(NAME, "keeps sending the same page", {
          network: this.#options.network,
        });
      }
      next = following;
      height ??= answer.height;
    }
  }

  // Checks what would be sent, after the URL's own normalisation, so that no
  // "..", "\" or double slash leads out of the two prefixes.
  #resolve(path: string, params: RestParams = {}): string {
    const base = new URL(this.#options.url);
    const { href } = new URL("/", base);
    const basePath = base.pathname.replace(/\/+$/, "");
    const { framework, network } = this.#prefixes;
    const refuse = (what: string) =>
      new FrameworkError(`"${cleanText(path, 120)}" ${what}`, {
        network: this.#options.network,
        fault: "unknown-path",
        fix: `The REST endpoint serves paths under ${framework} and ${network} only.`,
      });
    if (!path.startsWith("/") || path.includes("#")) {
      throw refuse("is not a path");
    }
    let url: URL;
    try {
      url = new URL(`${href.slice(0, -1)}${basePath}${path}`);
    } catch {
      throw refuse("is not a path");
    }
    const inner = url.pathname.slice(basePath.length);
    if (
      url.origin !== base.origin ||
      !url.pathname.startsWith(`${basePath}/`) ||
      !(inner.startsWith(framework) || inner.startsWith(network))
    ) {
      throw refuse("is not served by the REST endpoint");
    }
    if (/\/\/|%2f|%5c|%00/i.test(inner)) {
      throw refuse("has an empty or an encoded part");
    }
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) {
        url.searchParams.set(name, String(value));
      }
    }
    return url.href;
  }
}

const mayPass = (error: unknown) =>
  isPassing(error) ||
  (error instanceof FrameworkError && error.fault === "unavailable");
