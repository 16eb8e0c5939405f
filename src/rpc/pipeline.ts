/**
 * A request on its way to the node. Hardhat's account handlers below rewrite it
 * in place when they sign, so after a lost answer it contains what was sent.
 */
export interface Exchange {
  method: string;
  params: unknown[];
}

/** Passes a request on; rejects with RpcError or TransportError. */
export type Next = (exchange: Exchange) => Promise<unknown>;

/** One layer on the way to the node. */
export interface Layer {
  handle(exchange: Exchange, next: Next): Promise<unknown>;
}

/** Asks the node directly, without passing the layers. */
export type Ask = (method: string, params?: unknown[]) => Promise<unknown>;

/** Combines layers; the first one is the outermost. */
export function pipeline(layers: readonly Layer[]): Layer {
  return {
    handle: (exchange, next) =>
      layers.reduceRight<Next>(
        (inner, layer) => (x) => layer.handle(x, inner),
        next,
      )(exchange),
  };
}
