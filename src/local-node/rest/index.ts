import { cleanText } from "../../support/text.js";
import type { Ledger } from "../books.js";
import { Fault, notImplemented } from "../fault.js";
import { ask } from "../query/index.js";
import { EVM_ROUTES } from "./evm-routes.js";
import { toJson } from "./json.js";
import { ROUTES } from "./routes.js";
import { searchTransactions } from "./transactions.js";

/** The header by which a height is asked for, and told. */
export const HEIGHT_HEADER = "x-cosmos-block-height";

export interface RestRequest {
  readonly method: string;
  /** Path and query, without what is before the prefixes. */
  readonly path: string;
  /** What {@link HEIGHT_HEADER} says. */
  readonly height?: string;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** HTTP's status by gRPC's. */
const STATUS: Readonly<Record<number, number>> = { 3: 400, 5: 404, 12: 501 };

const refusal = (error: Fault): RestAnswer => ({
  status: STATUS[error.code] ?? 500,
  headers: {},
  body: { code: error.code, message: error.message, details: [] },
});

/** The REST endpoint: GET paths over the same services as gRPC's, in the gateway's JSON. */
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
    const height = heightOf(ledger, request.height);
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

function heightOf({ height }: Ledger, asked: string | undefined): bigint {
  if (asked === undefined || asked === "0") {
    return height;
  }
  const invalid = (text: string) =>
    new Fault(2, `codespace sdk code 18: invalid request: ${text}`, {
      code: 18,
      log: `${text}: invalid request`,
    });
  if (/^-\d+$/.test(asked)) {
    throw invalid(
      "cannot query with height < 0; please provide a valid height",
    );
  }
  if (!/^\d{1,19}$/.test(asked)) {
    throw invalid(
      `Baseapp.RegisterGRPCServer: invalid height header "${HEIGHT_HEADER}": strconv.ParseInt: parsing "${cleanText(asked, 40)}": invalid syntax`,
    );
  }
  return BigInt(asked);
}

async function answer(
  ledger: Ledger,
  { pathname, searchParams }: URL,
  height: bigint,
): Promise<unknown> {
  const books = ledger.booksAt(height);
  if (pathname === "/cosmos/tx/v1beta1/txs") {
    return await searchTransactions(ledger, searchParams);
  }
  const evm = Object.hasOwn(EVM_ROUTES, pathname)
    ? EVM_ROUTES[pathname]
    : undefined;
  if (evm !== undefined) {
    return evm(await books.evm(), ledger.evmChainId);
  }
  for (const { pattern, path, request, adjust } of ROUTES) {
    const match = pattern.exec(pathname);
    if (match !== null) {
      const parts = match.slice(1).map(decoded);
      const message = request?.(parts, searchParams) ?? {};
      const body = toJson(await ask(ledger, path, message, height), []);
      return adjust === undefined ? body : adjust(body, searchParams);
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
