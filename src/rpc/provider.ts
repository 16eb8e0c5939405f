import { DualstackError, type ErrorDetails } from "../support/errors.js";
import { cleanText } from "../support/text.js";

/** A JSON-RPC request as clients make it. */
export interface RpcRequest {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Anything that answers JSON-RPC requests, such as an EIP-1193 provider. */
export interface RpcProvider {
  request(request: RpcRequest): Promise<unknown>;
}

/** An error that a node answered with. */
export class RpcError extends DualstackError {
  readonly code: number;
  readonly data: unknown;
  /** The node's own message, unchanged. */
  readonly serverMessage: string;

  constructor(
    message: string,
    code: number,
    data: unknown,
    details: ErrorDetails = {},
  ) {
    super(message, details);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
    this.serverMessage = message;
  }
}

/** Longer than any reason that a contract gives. */
const MAX_MESSAGE = 4_000;

/** A node's whole message if a contract reverted without a reason; it then leaves out the data. */
const REVERTED = "execution reverted";

/**
 * A node's error as Hardhat's own provider shows it. A revert without a reason
 * has `0x` as data, as libraries and matchers expect it.
 */
export const toRpcError = (
  { code, message, data }: { code: number; message: string; data?: unknown },
  details: ErrorDetails,
): RpcError =>
  new RpcError(
    cleanText(message, MAX_MESSAGE),
    code,
    data ?? (message === REVERTED ? "0x" : undefined),
    details,
  );

/** Code, data and the node's own message of its error, whichever library threw it. */
export function rpcErrorOf(
  error: unknown,
): { code: number; message: string; data: unknown } | undefined {
  if (
    !(error instanceof Error) ||
    !("code" in error) ||
    typeof error.code !== "number"
  ) {
    return undefined;
  }
  return {
    code: error.code,
    message: error instanceof RpcError ? error.serverMessage : error.message,
    data: "data" in error ? error.data : undefined,
  };
}
