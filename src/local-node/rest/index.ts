import type { Ledger } from "../ledger.js";
import { Fault, notImplemented } from "../fault.js";
import { HEIGHT_HEADER, heightFrom } from "../height.js";
import { ask } from "../query/index.js";
import { EVM_ROUTES } from "./evm-routes.js";
import { toJson } from "./json.js";
import { Query } from "./parameters.js";
import { ROUTES } from "./routes.js";
import { TRANSACTION_ROUTES } from "./transactions.js";

export { HEIGHT_HEADER };

/** A request to the REST endpoint. */
export interface RestRequest {
  readonly method: string;
  /** Path and query, without the endpoint's path prefix. */
  readonly path: string;
  /** Value of the header {@link HEIGHT_HEADER}. */
  readonly height?: string;
}

/** A response of the REST endpoint; its body is to be written as JSON. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const ALL = [...ROUTES, ...TRANSACTION_ROUTES, ...EVM_ROUTES];

/** HTTP status by gRPC status. */
const STATUS: Readonly<Record<number, number>> = { 3: 400, 5: 404, 12: 501 };

const refusal = (error: Fault): RestAnswer => ({
  status: STATUS[error.code] ?? 500,
  headers: {},
  body: { code: error.code, message: error.message, details: [] },
});

/**
 * Answers a REST request: GET paths over the query services that gRPC serves,
 * in the gateway's JSON.
 */
export async function answerRest(
  ledger: Ledger,
  request: RestRequest,
): Promise<RestAnswer> {
  const { method, path } = request;
  if (/\/\/|\/\.\.?(?:\/|$)/.test(path.split("?")[0] ?? "")) {
    const location = new URL(path.replace(/\/+/g, "/"), "http://x").pathname;
    return { status: 301, headers: { location } };
  }
  try {
    if (method !== "GET") throw notImplemented();
    const url = new URL(path, "http://x");
    const { height, body } = await answer(ledger, url, request.height);
    return {
      status: 200,
      headers: {
        [HEIGHT_HEADER]: String(height),
        [`grpc-metadata-${HEIGHT_HEADER}`]: String(height),
      },
      body,
    };
  } catch (error) {
    if (error instanceof Fault) {
      return refusal(error);
    }
    throw error;
  }
}

async function answer(
  ledger: Ledger,
  { pathname, searchParams }: URL,
  asked: string | undefined,
): Promise<{ height: bigint; body: unknown }> {
  // The gateway treats an escaped slash as a slash.
  const clean = pathname.replace(/%2f/gi, "/");
  for (const { pattern, path, request, adjust } of ALL) {
    const match = pattern.exec(clean);
    if (match === null) continue;
    const parts = match.slice(1).map(decoded);
    const query = new Query(searchParams);
    // The gateway reads the path first, the node the height.
    const message = request?.(parts, query) ?? {};
    const read = heightFrom(asked);
    const height = read === 0n ? ledger.height : read;
    ledger.booksAt(height);
    const body = toJson(await ask(ledger, path, message, height), []);
    return {
      height,
      body:
        adjust === undefined
          ? body
          : await adjust(body, { query, ledger, height, parts }),
    };
  }
  throw notImplemented();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Fault(3, "malformed escape in the path", { code: 18, log: "" });
  }
}
