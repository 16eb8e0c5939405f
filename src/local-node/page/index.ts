import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

import type { ChainFacts, StableToken } from "../../chain/facts.js";
import { ELEMENTS_SCRIPT } from "../../support/page/elements.js";
import { PAGE_HEADERS } from "../../support/page/headers.js";
import { capitalize, errorText } from "../../support/text.js";
import type { DualChain } from "../chain.js";
import type { EndpointExample } from "../examples.js";
import type { LocalFaucet } from "../faucet.js";
import { act } from "./actions.js";
import { pageHtml } from "./html.js";
import { PAGE_SCRIPTS } from "./script/index.js";
import { PAGE_STYLE } from "./style.js";
import { PageReader } from "./state/index.js";
import { REFUSED, SCRIPT_TEXTS } from "./texts.js";

/** What the page shows and acts on. */
export interface PageOptions {
  readonly chain: DualChain;
  readonly faucet: LocalFaucet;
  readonly facts: ChainFacts;
  readonly stableToken: StableToken & { readonly address: string };
  readonly examples: () => readonly EndpointExample[];
}

/** An HTTP response of the page. */
export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Path of everything but the page itself. */
const FOLDER = "/page/";
const TOKEN_HEADER = "x-page-token";

const SCRIPT_TYPE = "text/javascript; charset=utf-8";
const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  "page.css": ["text/css; charset=utf-8", PAGE_STYLE],
  ...Object.fromEntries(
    Object.entries({
      ...PAGE_SCRIPTS,
      "elements.js": ELEMENTS_SCRIPT,
      "texts.js": `export const TEXTS = ${JSON.stringify(SCRIPT_TEXTS)};\n`,
    }).map(([name, text]) => [name, [SCRIPT_TYPE, text] as const]),
  ),
};

const pathOf = ({ url = "/" }: IncomingMessage) => url.split("?")[0] ?? "/";

const answer = (status: number, type: string, body: string): PageAnswer => ({
  status,
  type,
  headers: PAGE_HEADERS,
  body,
});
const json = (status: number, body: unknown) =>
  answer(status, "application/json", JSON.stringify(body));
const refuse = (status: number, error: string) => json(status, { error });

/**
 * Tells whether a client asks for HTML, as browsers do; others get plain text.
 */
const wantsHtml = ({ headers }: IncomingMessage) =>
  /\btext\/html\b/i.test(headers.accept ?? "");

/**
 * The page of a local network, which shows both stacks and offers what tests
 * can do. It answers no page but itself, not even others of this machine.
 */
export class LocalPage {
  readonly #options: PageOptions;
  readonly #reader: PageReader;
  /** Sent to the page that this run serves, which must return it to act. */
  readonly #token = randomBytes(24).toString("base64url");

  constructor(options: PageOptions) {
    this.#options = options;
    const { chain, facts, stableToken } = options;
    this.#reader = new PageReader(chain, facts, stableToken);
  }

  /** Tells whether a request is for the page. */
  takes(request: IncomingMessage): boolean {
    const path = pathOf(request);
    const isGet = request.method === "GET" || request.method === "HEAD";
    return (
      path.startsWith(FOLDER) || (path === "/" && isGet && wantsHtml(request))
    );
  }

  /**
   * Answers a request for the page.
   *
   * @param body reads the request's body
   */
  async answer(
    request: IncomingMessage,
    body: () => Promise<string>,
  ): Promise<PageAnswer> {
    if (!isOwn(request)) return refuse(403, REFUSED.foreign);
    switch (request.method) {
      case "GET":
      case "HEAD":
        return await this.#get(request);
      case "POST":
        return await this.#post(request, body);
      default:
        return refuse(405, REFUSED.method);
    }
  }

  async #get(request: IncomingMessage): Promise<PageAnswer> {
    const path = pathOf(request);
    const { chain, facts, stableToken, examples } = this.#options;
    if (path === "/") {
      const page = pageHtml({
        chainId: chain.evmChainId,
        frameworkChainId: chain.chainId,
        prefix: chain.prefix,
        symbol: facts.currency.symbol,
        stableSymbol: stableToken.symbol,
        canPause: chain.blockTimeMs > 0,
        slashPercent: percentOf(
          chain.engine.settings.slashing.downtimeFraction,
        ),
        examples: examples(),
      });
      return answer(200, "text/html; charset=utf-8", page);
    }
    const name = path.slice(FOLDER.length);
    if (Object.hasOwn(FILES, name)) {
      const [type = "", text = ""] = FILES[name] ?? [];
      return answer(200, type, text);
    }
    if (name === "state.json") {
      return json(200, { run: this.#token, ...(await this.#reader.state()) });
    }
    if (name === "transaction.json") {
      const { searchParams } = new URL(request.url ?? "/", "http://x");
      const hash = searchParams.get("hash") ?? "";
      const found = await this.#reader.transaction(hash);
      return found === undefined
        ? refuse(404, capitalize(REFUSED.noTransaction))
        : json(200, found);
    }
    return answer(404, "text/plain; charset=utf-8", "404 page not found\n");
  }

  async #post(
    request: IncomingMessage,
    body: () => Promise<string>,
  ): Promise<PageAnswer> {
    const { headers } = request;
    if (pathOf(request) !== `${FOLDER}act`) {
      return refuse(405, REFUSED.method);
    }
    if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
      return refuse(415, REFUSED.json);
    }
    if (!this.#knows(String(headers[TOKEN_HEADER] ?? ""))) {
      return refuse(403, capitalize(REFUSED.token));
    }
    const text = await body();
    const { chain, faucet, facts, stableToken } = this.#options;
    try {
      const said = await act(
        {
          chain,
          faucet,
          symbol: facts.currency.symbol,
          stable: stableToken,
        },
        JSON.parse(text),
      );
      return json(200, { said });
    } catch (error) {
      return refuse(
        400,
        error instanceof SyntaxError
          ? capitalize(REFUSED.json)
          : capitalize(reasonOf(error)),
      );
    }
  }

  #knows(token: string): boolean {
    const [given, own] = [Buffer.from(token), Buffer.from(this.#token)];
    return given.length === own.length && timingSafeEqual(given, own);
  }
}

/** Returns the chain's reason for a revert, without the text around it. */
function reasonOf(error: unknown): string {
  const text = errorText(error);
  const [, reason = text] =
    /reverted with reason string '(?:rpc error: code = \w+ desc = )?(.*)'$/.exec(
      text,
    ) ?? [];
  return reason;
}

/**
 * Tells from the headers that browsers send whether a request comes from the
 * page itself.
 */
function isOwn(request: IncomingMessage): boolean {
  const { headers } = request;
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  // A link on another page may lead here: its reader sees the page, its author
  // does not.
  const isFollowed =
    headers["sec-fetch-mode"] === "navigate" &&
    headers["sec-fetch-dest"] === "document" &&
    pathOf(request) === "/" &&
    request.method === "GET";
  return (
    isFollowed ||
    ((origin === undefined ||
      origin === `http://${host}` ||
      origin === `https://${host}`) &&
      (site === undefined || site === "same-origin" || site === "none"))
  );
}

/**
 * Returns a fraction in percent.
 *
 * @param fraction 10^18 is 100 %
 */
const percentOf = (fraction: bigint) =>
  String(Number(fraction / 10n ** 12n) / 1e4);
