import type { ChainFacts } from "../chain/facts.js";
import { httpExchange, shownUrl } from "../support/http.js";
import { cleanText } from "../support/text.js";
import { FrameworkError, malformed, refusal } from "./errors.js";
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
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface RestRequest {
  /** Parameters of the query; those that are undefined are left out. */
  readonly params?: RestParams;
  /** The block whose end state is asked for. */
  readonly height?: bigint;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface RestAnswer {
  readonly body: Json;
  /** The block whose end state was read, where the server says so. */
  readonly height: bigint | undefined;
  readonly headers: Headers;
}

/** GET requests to the REST endpoint, under the two prefixes that it serves. */
export class RestClient {
  readonly #options: RestOptions;
  readonly #prefixes: ReturnType<typeof pathPrefixes>;

  constructor(options: RestOptions) {
    this.#options = options;
    this.#prefixes = pathPrefixes(options.facts);
  }

  /**
   * Asks for a path such as `/cosmos/staking/v1beta1/params`.
   *
   * @throws FrameworkError for a path outside the two prefixes, before
   * anything is sent; for a refusal, classified by its code and text; and for
   * an answer at another height than the one asked for
   */
  async get(path: string, request: RestRequest = {}): Promise<RestAnswer> {
    const { network, timeoutMs, maxBytes } = this.#options;
    const url = this.#resolve(path, request.params);
    const place = { network, endpoint: shownUrl(url) };
    const { height } = request;
    const answer = await httpExchange({
      url,
      name: NAME,
      network,
      headers: height === undefined ? {} : { [HEIGHT]: String(height) },
      timeoutMs: request.timeoutMs ?? timeoutMs,
      maxBytes,
      signal: request.signal,
    });
    let body: Json;
    try {
      body = parseJson(answer.text);
    } catch (cause) {
      throw malformed(
        NAME,
        `answered with status ${answer.status} and something that is not JSON`,
        { ...place, cause },
      );
    }
    if (answer.status !== 200) {
      throw refused(answer.status, body, place);
    }
    const at =
      answer.headers.get(HEIGHT) ??
      answer.headers.get(`grpc-metadata-${HEIGHT}`);
    const answered =
      at !== null && /^\d{1,18}$/.test(at) ? BigInt(at) : undefined;
    if (height !== undefined && height !== 0n && answered !== height) {
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

  /** A path under the framework's prefix, the answer as an object. */
  async fields(path: string, request: RestRequest = {}): Promise<Fields> {
    const { body } = await this.get(this.frameworkPath(path), request);
    return new Fields(body, path);
  }

  /** `/staking/…` as a whole path: `/cosmos/staking/…`. */
  frameworkPath(path: string): string {
    return this.#prefixes.framework + path.replace(/^\//, "");
  }

  /** `/vm/v1/…` as a whole path of the network's own queries: `/cosmos/evm/vm/v1/…`. */
  networkPath(path: string): string {
    return this.#prefixes.network + path.replace(/^\//, "");
  }

  /**
   * The entries of a long list, page after page, all at the height of the
   * first page.
   *
   * @param key the field that holds the list, such as `validators`
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
        throw malformed(NAME, "gives the same page again and again", {
          network: this.#options.network,
        });
      }
      next = following;
      height ??= answer.height;
    }
  }

  // Checked on what would be sent, after the URL's own normalisation, so that
  // no "..", "\" or double slash leads out of the two prefixes.
  #resolve(path: string, params: RestParams = {}): string {
    const base = new URL(this.#options.url);
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
      url = new URL(`${base.origin}${basePath}${path}`);
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

function refused(
  status: number,
  body: Json,
  place: { readonly network: string; readonly endpoint: string },
): FrameworkError {
  const { code, message } = asObject(body) ?? {};
  if (typeof code !== "number" || typeof message !== "string") {
    return malformed(NAME, `answered with status ${status}`, place);
  }
  return refusal(NAME, { code, text: message }, place);
}
