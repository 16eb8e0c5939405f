import type { Exchange } from "../rpc/pipeline.js";
import { RpcError, rpcErrorOf } from "../rpc/provider.js";
import { TransportError, type TransportFault } from "../rpc/transport-error.js";
import type { ErrorPlace } from "../support/errors.js";
import { cleanText, errorText } from "../support/text.js";

const MAX_MESSAGE = 4_000;
const LIMIT_EXCEEDED = -32005;
const FIX = "Check that the node is up and the network's base URL is right.";

/** Numbers of the errors with which Hardhat's HTTP provider fails. */
const HARDHAT_FAULTS: ReadonlyMap<unknown, readonly [TransportFault, string]> =
  new Map([
    [108, ["unreachable", "cannot be reached"]],
    [109, ["lost", "did not answer in time"]],
    [110, ["lost", "answered with something that is not JSON-RPC"]],
  ]);

/** Codes of the errors with which a connection fails before anything is sent. */
const UNREACHABLE = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Asks the node, and brings what it answers or throws into the core's terms. */
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
  if (!(error instanceof Error)) {
    return error;
  }
  const { number, code } = error as { number?: unknown; code?: unknown };
  const known = HARDHAT_FAULTS.get(number);
  if (known !== undefined) {
    const [fault, what] = known;
    return transport(fault, `the node ${what}`, error, place);
  }
  if (code === LIMIT_EXCEEDED && /too many requests/i.test(error.message)) {
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
  const answered = rpcErrorOf(error);
  if (answered !== undefined) {
    const { message, data } = answered;
    const details = { ...place, cause: error };
    return new RpcError(
      cleanText(message, MAX_MESSAGE),
      answered.code,
      data,
      details,
    );
  }
  if (typeof code === "string") {
    const fault = UNREACHABLE.has(code) ? "unreachable" : "lost";
    const what =
      fault === "unreachable" ? "cannot be reached" : "did not answer";
    return transport(
      fault,
      `the node ${what} (${errorText(error, 160)})`,
      error,
      place,
    );
  }
  return error;
}

const transport = (
  fault: TransportFault,
  what: string,
  cause: Error,
  place: ErrorPlace,
) => new TransportError(fault, what, { ...place, cause, fix: FIX });

/** A node's error as Hardhat's provider throws it: itself, where it came from there. */
export function toProviderError(error: RpcError): Error {
  if (error.cause instanceof Error && rpcErrorOf(error.cause) !== undefined) {
    return error.cause;
  }
  return Object.assign(new Error(error.serverMessage), {
    name: "ProviderError",
    code: error.code,
    data: error.data,
  });
}
