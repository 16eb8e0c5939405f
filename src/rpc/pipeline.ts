/**
 * A request on its way to the node. Whoever signs below (Hardhat's account
 * handlers) rewrites it in place, so that after a lost answer it still tells
 * what was sent.
 */
export interface Exchange {
  method: string;
  params: unknown[];
}

/** Passes a request on; rejects with RpcError or TransportError. */
export type Next = (exchange: Exchange) => Promise<unknown>;

/** One concern on the way to the node. */
export interface Layer {
  handle(exchange: Exchange, next: Next): Promise<unknown>;
}

/** Asks the node directly, past all layers. */
export type Ask = (method: string, params?: unknown[]) => Promise<unknown>;

/** Layers as one: the first is the outermost. */
export function pipeline(layers: readonly Layer[]): Layer {
  return {
    handle: (exchange, next) =>
      layers.reduceRight<Next>(
        (inner, layer) => (x) => layer.handle(x, inner),
        next,
      )(exchange),
  };
}
