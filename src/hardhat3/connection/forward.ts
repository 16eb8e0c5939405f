import { shownUrl } from "../../support/http.js";
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
const HARDHAT_FAULTS: ReadonlyMap<unknown, TransportFault> = new Map([
  [702, "lost"], // something else than a JSON-RPC answer
  [703, "unreachable"],
  [704, "lost"], // no answer in time
]);

const UNKNOWN_ERROR = -1;
const LIMIT_EXCEEDED = -32005;
const TOO_MANY_REQUESTS = 429;

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

function toTransportError(
  error: unknown,
  place: ErrorPlace,
): TransportError | undefined {
  if (!isRecord(error) && !(error instanceof Error)) {
    return undefined;
  }
  const { number, code, cause } = error as {
    number?: unknown;
    code?: unknown;
    cause?: unknown;
  };
  const fault = HARDHAT_FAULTS.get(number);
  if (fault !== undefined) {
    return new TransportError(fault, `the node ${explain(number, cause)}`, {
      ...place,
      cause: error,
      fix: FIX,
    });
  }
  const status =
    isRecord(cause) || cause instanceof Error
      ? (cause as { statusCode?: unknown }).statusCode
      : undefined;
  if (code === LIMIT_EXCEEDED || status === TOO_MANY_REQUESTS) {
    return new TransportError(
      "busy",
      "the node takes no more requests for now (HTTP 429)",
      {
        ...place,
        cause: error,
        fix: "Wait a while, or use a node of your own.",
      },
    );
  }
  if (typeof status === "number") {
    return new TransportError(
      "lost",
      `the node answered with HTTP status ${status} instead of JSON-RPC`,
      {
        ...place,
        cause: error,
        fix: FIX,
      },
    );
  }
  if (code === UNKNOWN_ERROR) {
    return new TransportError(
      "lost",
      `the connection to the node broke: ${errorText(error, 160)}`,
      {
        ...place,
        cause: error,
        fix: FIX,
      },
    );
  }
  return undefined;
}

const FIX = "Check that the node is up and the network's base URL is right.";

function explain(number: unknown, cause: unknown): string {
  switch (number) {
    case 702:
      return "answered with something that is not JSON-RPC";
    case 703:
      return "cannot be reached";
    default:
      return `did not answer in time${cause === undefined ? "" : ` (${errorText(cause, 80)})`}`;
  }
}

/** Where a connection leads, for errors. */
export const placeOf = (network: string, url: string): ErrorPlace => ({
  network,
  endpoint: shownUrl(url),
});
