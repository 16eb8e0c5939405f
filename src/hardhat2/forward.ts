import { ProviderError } from "hardhat/internal/core/providers/errors";

import type { Exchange } from "../rpc/pipeline.js";
import { type RpcError, rpcErrorOf, toRpcError } from "../rpc/provider.js";
import {
  type HttpFaultNumbers,
  toTransportError,
} from "../rpc/transport-faults.js";
import type { ErrorPlace } from "../support/errors.js";

const HTTP_FAULTS: HttpFaultNumbers = {
  notJsonRpc: 110,
  connectionRefused: 108,
  timedOut: 109,
};

/** Hardhat throws this text as if the node had answered it. */
const RATE_LIMIT = /^Too Many Requests error received from /;

/** Sends a request to the node, and turns the answer or error into the core's terms. */
export async function forward(
  node: { request(exchange: Exchange): Promise<unknown> },
  exchange: Exchange,
  place: ErrorPlace,
): Promise<unknown> {
  try {
    return await node.request(exchange);
  } catch (error) {
    throw translate(error, place);
  }
}

function translate(error: unknown, place: ErrorPlace): unknown {
  const answered = rpcErrorOf(error);
  if (answered === undefined || RATE_LIMIT.test(answered.message)) {
    return toTransportError(error, HTTP_FAULTS, place) ?? error;
  }
  return toRpcError(answered, { ...place, cause: error });
}

/** A node's error as Hardhat's provider throws it; the error itself, if its text may be shown. */
export function toProviderError({
  cause,
  code,
  data,
  serverMessage,
}: RpcError): Error {
  const answered = rpcErrorOf(cause);
  if (
    cause instanceof Error &&
    answered?.message === serverMessage &&
    answered.data === data
  ) {
    return cause;
  }
  const shown = new ProviderError(serverMessage, code);
  shown.data = data;
  return shown;
}
