import { RpcError, rpcErrorOf } from "../rpc/provider.js";
import { revertData } from "../sending/failure.js";
import { errorText } from "../support/text.js";

/** An error of JSON-RPC. */
export interface EvmError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** The code of a run that a contract reverted. */
const REVERTED = 3;
const INTERNAL = -32603;

/** Returns a simulated network's error as JSON-RPC tells it. */
export function evmErrorOf(error: unknown): EvmError {
  const told = rpcErrorOf(error);
  if (told !== undefined) {
    // Pass on the server's own words: an RpcError's message adds a full stop.
    return error instanceof RpcError
      ? { ...told, message: error.serverMessage }
      : told;
  }
  // Hardhat 2 throws what a contract reverted with without a code.
  const data =
    error instanceof Error && "data" in error
      ? revertData(error.data)
      : undefined;
  const code = data === undefined ? INTERNAL : REVERTED;
  return { code, message: errorText(error), data };
}

/** How a run of the EVM failed. */
export interface VmFailure {
  /** In a node's words. */
  readonly reason: string;
  /** What the contract reverted with; `0x` if nothing. */
  readonly data: string;
}

/**
 * Tells how the run of a call failed; undefined if the call was refused before
 * it ran.
 */
export function vmFailureOf(error: unknown): VmFailure | undefined {
  const { code, message, data } = evmErrorOf(error);
  if (/^Transaction ran out of gas/.test(message)) {
    return { reason: "out of gas", data: "0x" };
  }
  if (code !== REVERTED) return undefined;
  return /: invalid opcode$/.test(message)
    ? { reason: "invalid opcode: INVALID", data: "0x" }
    : { reason: "execution reverted", data: revertData(data) ?? "0x" };
}
