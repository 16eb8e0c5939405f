import type { ChainFacts } from "../chain/facts.js";

/** The prefixes of the framework's and the chain's own services. */
export type Prefixes = Pick<ChainFacts, "frameworkPrefix" | "networkPrefix">;

/** What generated query clients need; the same interface as in `cosmjs-types`. */
export interface Rpc {
  request(
    service: string,
    method: string,
    data: Uint8Array,
  ): Promise<Uint8Array>;
}

export interface QueryOptions {
  /** The block at whose end the state is read; default: the newest. */
  readonly height?: bigint;
  /** Milliseconds for the answer. */
  readonly timeoutMs?: number;
}

// Generated classes have the reference chain's names.
const GENERATED = { network: "cosmos.evm.", framework: "cosmos." } as const;

/** A generated service's name on this chain. */
export function serviceName(generated: string, prefixes: Prefixes): string {
  if (generated.startsWith(GENERATED.network)) {
    return `${prefixes.networkPrefix}.${generated.slice(GENERATED.network.length)}`;
  }
  if (generated.startsWith(GENERATED.framework)) {
    return `${prefixes.frameworkPrefix}.${generated.slice(GENERATED.framework.length)}`;
  }
  return generated;
}

/** The two beginnings that paths of the REST endpoint may have, with slashes around them. */
export function pathPrefixes(prefixes: Prefixes): {
  readonly framework: string;
  readonly network: string;
} {
  const path = (prefix: string) =>
    `/${prefix.replaceAll(".", "/").replace(/^\/+|\/+$/g, "")}/`;
  return {
    framework: path(prefixes.frameworkPrefix),
    network: path(prefixes.networkPrefix),
  };
}
