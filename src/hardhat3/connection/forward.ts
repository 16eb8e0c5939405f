import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import type { Exchange } from "../../rpc/pipeline.js";
import { type RpcError, toRpcError } from "../../rpc/provider.js";
import {
  type HttpFaultNumbers,
  toTransportError,
} from "../../rpc/transport-faults.js";
import { isRecord } from "../../rpc/quantities.js";
import type { ErrorPlace } from "../../support/errors.js";
import { shownUrl } from "../../support/http.js";

const HTTP_FAULTS: HttpFaultNumbers = {
  notJsonRpc: 702,
  connectionRefused: 703,
  timedOut: 704,
};

/**
 * Passes an exchange to Hardhat's own handlers and the node, and turns the
 * answer or error into the core's terms. Since Hardhat signs a request in
 * place, the exchange then contains what was really sent.
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
    params: withoutEmptyData(exchange),
  };
  let response: JsonRpcResponse;
  try {
    response = await next(sent);
  } catch (error) {
    throw toTransportError(error, HTTP_FAULTS, place) ?? error;
  } finally {
    exchange.method = sent.method;
    exchange.params = Array.isArray(sent.params) ? sent.params : [];
  }
  if ("error" in response) {
    throw toRpcError(response.error, place);
  }
  return response.result;
}

// Hardhat's local accounts sign an empty `data` as a zero byte, which a
// contract's `receive` does not accept.
function withoutEmptyData({ method, params }: Exchange): unknown[] {
  const [transaction, ...rest] = params;
  if (
    method !== "eth_sendTransaction" ||
    !isRecord(transaction) ||
    transaction["data"] !== "0x"
  ) {
    return params;
  }
  const { data: _, ...withoutData } = transaction;
  return [withoutData, ...rest];
}

/** A node's error as the answer to a request, from which Hardhat makes its ProviderError. */
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

/** A connection's network and endpoint, for errors. */
export const placeOf = (network: string, url: string): ErrorPlace => ({
  network,
  endpoint: shownUrl(url),
});
