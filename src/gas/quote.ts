import type { RpcProvider } from "../rpc/provider.js";
import { fromQuantity } from "../rpc/quantities.js";

/** An estimate and the limit made of it. */
export interface GasQuote {
  /** Gas as the node estimated it. */
  readonly estimate: bigint;
  /** The gas limit to send with. */
  readonly limit: bigint;
}

/** Estimates of a connection before the buffer, by the limit that was given out. */
export interface EstimateSource {
  /** The node's own estimate behind a buffered limit of the same call, if it passed here. */
  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ): bigint | undefined;
}

/**
 * Asks for the gas of a transaction. Where the connection buffers estimates
 * the answer is the limit, and the estimate behind it is told by `source`.
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
    estimate: source?.estimateBehind(transaction, limit) ?? limit,
    limit,
  };
}
