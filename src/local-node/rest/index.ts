import type { Ledger } from "../ledger.js";
import { Fault, notImplemented } from "../fault.js";
import { HEIGHT_HEADER, heightFrom } from "../height.js";
import { ask } from "../query/index.js";
import { EVM_ROUTES } from "./evm-routes.js";
import { toJson } from "./json.js";
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
    const asked = heightFrom(request.height);
    const height = asked === 0n ? ledger.height : asked;
    const url = new URL(path, "http://x");
    const body =
      method === "GET" ? await answer(ledger, url, height) : undefined;
    if (body === undefined) {
      throw notImplemented();
    }
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
  height: bigint,
): Promise<unknown> {
  ledger.booksAt(height);
  // The gateway treats an escaped slash as a slash.
  const clean = pathname.replace(/%2f/gi, "/");
  for (const { pattern, path, request, adjust } of ALL) {
    const match = pattern.exec(clean);
    if (match !== null) {
      const parts = match.slice(1).map(decoded);
      const message = request?.(parts, searchParams) ?? {};
      const body = toJson(await ask(ledger, path, message, height), []);
      return adjust === undefined
        ? body
        : await adjust(body, { query: searchParams, ledger, height, parts });
    }
  }
  return undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Fault(3, "malformed escape in the path", { code: 18, log: "" });
  }
}
