import type { RpcProvider } from "../rpc/provider.js";
import { fromQuantity, toQuantity } from "../rpc/quantities.js";

/**
 * Returns the estimate behind a limit that a buffering node gave out before,
 * such as `hardhat node`: `[{ to, data }, limit]`.
 */
export const ESTIMATE_BEHIND = "dualstack_estimateBehind";

/** An estimate and the limit made from it. */
export interface GasQuote {
  /** The node's estimate, in gas. */
  readonly estimate: bigint;
  /** The gas limit to send with. */
  readonly limit: bigint;
}

/** Estimates of a connection before the buffer, by the limits that were given out. */
export interface EstimateSource {
  /** The estimate, in gas, behind a buffered limit that this connection gave out for the same call; `undefined` for any other limit. */
  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ): bigint | undefined;
}

/**
 * Asks for the gas of a transaction. If the connection buffers estimates, the
 * answer is the limit, and `source` knows the estimate behind it. If it does
 * not, the node may have done so already.
 */
export async function quoteGas(
  provider: RpcProvider,
  transaction: { readonly to?: string; readonly data?: string } & Readonly<
    Record<string, unknown>
  >,
  source?: EstimateSource,
): Promise<GasQuote> {
  const limit = fromQuantity(
    await provider.request({
      method: "eth_estimateGas",
      params: [transaction],
    }),
    "the node's gas estimate",
  );
  return {
    estimate:
      source?.estimateBehind(transaction, limit) ??
      (await bufferedByNode(provider, transaction, limit)) ??
      limit,
    limit,
  };
}

async function bufferedByNode(
  provider: RpcProvider,
  { to, data }: { readonly to?: string; readonly data?: string },
  limit: bigint,
): Promise<bigint | undefined> {
  try {
    const answer = await provider.request({
      method: ESTIMATE_BEHIND,
      params: [{ to, data }, toQuantity(limit)],
    });
    return answer === null ? undefined : fromQuantity(answer, "the estimate");
  } catch {
    // Other nodes do not know the method: what they returned is the estimate.
    return undefined;
  }
}
