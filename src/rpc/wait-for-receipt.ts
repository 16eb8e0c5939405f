import { toHexAddress } from "../address/codec.js";
import { sleep } from "../support/async.js";
import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { type RpcProvider, rpcErrorOf } from "./provider.js";
import { fromQuantity, isRecord } from "./quantities.js";
import { type TransportError, transportErrorOf } from "./transport-error.js";

export interface Receipt {
  readonly hash: string;
  readonly status: "success" | "reverted";
  readonly blockNumber: bigint;
  /** The gas that was charged: on this chain at least half of the limit. */
  readonly gasUsed: bigint;
  /** Base units per gas. */
  readonly effectiveGasPrice: bigint;
  readonly contractAddress?: string;
  /** As the node returned it. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface WaitOptions {
  /** Milliseconds until it stops waiting; default: two minutes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (text: string) => void;
  readonly place?: ErrorPlace;
  /** Resolves when there may be a new block; default: after a second. */
  readonly nextBlock?: () => Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const POLL_MS = 1_000;

/**
 * Waits until a transaction is in a block.
 *
 * @throws DualstackError, with the hash, if a receipt can no longer come, or
 * does not come in time
 */
export async function waitForReceipt(
  provider: RpcProvider,
  hash: string,
  options: WaitOptions = {},
): Promise<Receipt> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal, onProgress, place } = options;
  const nextBlock = options.nextBlock ?? (() => sleep(POLL_MS, signal));
  const start = Date.now();
  for (;;) {
    signal?.throwIfAborted();
    const { receipt, failure } = await ask(provider, hash);
    if (receipt !== undefined) {
      return receipt;
    }
    const waited = Date.now() - start;
    if (waited >= timeoutMs) {
      throw new DualstackError(
        failure === undefined
          ? `the transaction is not in a block after ${Math.round(timeoutMs / 1000)} s`
          : `the transaction was not seen in a block within ${Math.round(timeoutMs / 1000)} s, and now ${failure.reason}`,
        {
          ...place,
          transaction: hash,
          fix: "It may still be included: look it up by its hash before sending it again.",
          cause: failure,
        },
      );
    }
    onProgress?.(
      `waiting for ${hash} to be included (${Math.round(waited / 1000)} s)`,
    );
    await nextBlock();
  }
}

async function ask(
  provider: RpcProvider,
  hash: string,
): Promise<{
  readonly receipt?: Receipt;
  /** Why the node did not answer. */
  readonly failure?: TransportError;
}> {
  let answer: unknown;
  try {
    answer = await provider.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    });
  } catch (error) {
    // A node that cannot answer now may answer a second later.
    const failure = transportErrorOf(error);
    if (failure !== undefined && failure.fault !== "refused") {
      return { failure };
    }
    if (rpcErrorOf(error)?.code === -32002) {
      return {};
    }
    throw error;
  }
  return isRecord(answer) ? { receipt: toReceipt(hash, answer) } : {};
}

function toReceipt(hash: string, raw: Record<string, unknown>): Receipt {
  const contractAddress = raw["contractAddress"];
  return {
    hash,
    status: raw["status"] === "0x1" ? "success" : "reverted",
    blockNumber: fromQuantity(raw["blockNumber"], "the block number"),
    gasUsed: fromQuantity(raw["gasUsed"], "the gas used"),
    effectiveGasPrice: fromQuantity(
      raw["effectiveGasPrice"] ?? "0x0",
      "the gas price",
    ),
    ...(typeof contractAddress === "string"
      ? { contractAddress: toHexAddress(contractAddress) }
      : {}),
    raw,
  };
}
