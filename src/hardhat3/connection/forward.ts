import { retryAfterMs, shownUrl } from "../../support/http.js";
import { cleanText, errorText } from "../../support/text.js";
import type { ErrorPlace } from "../../support/errors.js";
import type { Exchange } from "../../rpc/pipeline.js";
import { RpcError } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import {
  TransportError,
  type TransportFault,
} from "../../rpc/transport-error.js";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

const MAX_MESSAGE = 4_000;

/** Numbers of the errors with which Hardhat's HTTP provider fails. */
const NOT_JSON_RPC = 702;
const CONNECTION_REFUSED = 703;
const TIMED_OUT = 704;

const UNKNOWN_ERROR = -1;
const LIMIT_EXCEEDED = -32005;
const TOO_MANY_REQUESTS = 429;
const REQUEST_TIMEOUT = 408;
const MAX_CAUSES = 8;

/** Codes of failures before a connection stood. */
const NOT_CONNECTED = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNREFUSED",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** Codes of failures of TLS, which come before a request. */
const NOT_TRUSTED =
  /^(?:ERR_(?:TLS|SSL)|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;
/** Codes of connections that broke, also while the answer came. */
const BROKEN = /^(?:UND_ERR_|ECONNRESET|EPIPE|ETIMEDOUT)/;

/**
 * Passes an exchange to Hardhat's own handlers and the node, and brings what
 * they answer or throw into the core's terms. The exchange afterwards says
 * what was really sent, since Hardhat signs a request in place.
 */
export async function forward(
  exchange: Exchange,
  request: JsonRpcRequest,
  next: (request: JsonRpcRequest) => Promise<JsonRpcResponse>,
  place: ErrorPlace,
): Promise<unknown> {
  const sent: JsonRpcRequest = {
    ...request,
    method: exchange.method,
    params: exchange.params,
  };
  let response: JsonRpcResponse;
  try {
    response = await next(sent);
  } catch (error) {
    throw toTransportError(error, place) ?? error;
  } finally {
    exchange.method = sent.method;
    exchange.params = Array.isArray(sent.params) ? sent.params : [];
  }
  if ("error" in response) {
    const { code, message, data } = response.error;
    throw new RpcError(cleanText(message, MAX_MESSAGE), code, data, place);
  }
  return response.result;
}

/** A node's error as the answer to a request; Hardhat makes its ProviderError of it. */
export function toErrorResponse(
  id: JsonRpcRequest["id"],
  error: RpcError,
): JsonRpcResponse {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: error.code, message: error.serverMessage, data: error.data },
  };
}

const CHECK_URL =
  "Check that the node is up and the network's base URL is right.";

// The causes stay out: they hold the answer as it came, however long, and URLs with all that is in them.
function toTransportError(
  error: unknown,
  place: ErrorPlace,
): TransportError | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const fail = (fault: TransportFault, what: string, fix = CHECK_URL) =>
    new TransportError(fault, `the node ${what}`, { ...place, fix });
  const chain = causesOf(error);
  const root = chain.at(-1);
  const code = String(propertyOf(root, "code") ?? "");
  const status = firstProperty(chain, "statusCode");
  if (
    status === TOO_MANY_REQUESTS ||
    propertyOf(error, "code") === LIMIT_EXCEEDED
  ) {
    const waitMs = retryAfterMs(headersOf(firstProperty(chain, "headers")));
    return fail(
      "busy",
      "takes no more requests for now (HTTP 429)",
      waitMs === undefined
        ? "Wait a while, or use a node of your own."
        : `It asks to wait ${Math.ceil(waitMs / 1000)} s.`,
    );
  }
  if (typeof status === "number") {
    return fail(
      status >= 500 || status === REQUEST_TIMEOUT ? "lost" : "refused",
      `answered with HTTP status ${status} instead of JSON-RPC`,
    );
  }
  switch (propertyOf(error, "number")) {
    case NOT_JSON_RPC:
      return fail("lost", "answered with something that is not JSON-RPC");
    case CONNECTION_REFUSED:
      return fail(
        "unreachable",
        "cannot be reached: the connection was refused",
      );
    case TIMED_OUT:
      return fail("lost", "did not answer in time");
  }
  if (root !== undefined && /redirect/i.test(root.message)) {
    return fail(
      "refused",
      "redirects to another host, which is not followed",
      "Configure the address that answers itself.",
    );
  }
  if (NOT_CONNECTED.has(code)) {
    return fail("unreachable", `cannot be reached: ${code}`);
  }
  if (NOT_TRUSTED.test(code)) {
    return fail("refused", `offers no encryption that can be trusted: ${code}`);
  }
  return propertyOf(error, "code") === UNKNOWN_ERROR || BROKEN.test(code)
    ? fail("lost", `broke the connection: ${errorText(root, 160)}`)
    : undefined;
}

const propertyOf = (error: unknown, name: string): unknown =>
  error instanceof Error
    ? (error as unknown as Record<string, unknown>)[name]
    : undefined;

const firstProperty = (chain: readonly Error[], name: string): unknown =>
  chain.map((error) => propertyOf(error, name)).find((v) => v !== undefined);

function causesOf(error: Error): Error[] {
  const chain = [error];
  for (
    let { cause } = error;
    cause instanceof Error && chain.length < MAX_CAUSES;
    { cause } = cause
  ) {
    chain.push(cause);
  }
  return chain;
}

function headersOf(value: unknown): Headers {
  const wait = isRecord(value) ? value["retry-after"] : undefined;
  return new Headers(
    typeof wait === "string" ? { "retry-after": wait } : undefined,
  );
}

/** Where a connection leads, for errors. */
export const placeOf = (network: string, url: string): ErrorPlace => ({
  network,
  endpoint: shownUrl(url),
});
