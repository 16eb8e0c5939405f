import type { RpcProvider } from "../rpc/provider.js";
import { fromQuantity, toQuantity } from "../rpc/quantities.js";

/**
 * Tells the estimate behind a limit that a node with this buffer gave out
 * before, as `hardhat node` does: `[{ to, data }, limit]`.
 */
export const ESTIMATE_BEHIND = "dualstack_estimateBehind";

/** An estimate and the limit made of it. */
export interface GasQuote {
  /** Gas as the node estimated it. */
  readonly estimate: bigint;
  /** The gas limit to send with. */
  readonly limit: bigint;
}

/** Estimates of a connection before the buffer, by the limit that was given out. */
export interface EstimateSource {
  /** The estimate, in gas, behind a buffered limit that this connection gave out for the same call; `undefined` for any other limit. */
  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ): bigint | undefined;
}

/**
 * Asks for the gas of a transaction. Where the connection buffers estimates
 * the answer is the limit, and the estimate behind it is told by `source`. Where
 * nothing is buffered on this side the node may have done it already.
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
    // Any other node does not know the method: what it gave is its estimate.
    return undefined;
  }
}
