import type { Endpoints } from "./endpoints.js";
import {
  type ChainFacts,
  DEFAULT_FACTS,
  type NetworkKind,
  NETWORKS,
} from "./facts.js";

/** A chain in viem's shape; needs no viem. */
export interface ViemChain {
  readonly id: number;
  readonly name: string;
  readonly nativeCurrency: {
    readonly name: string;
    readonly symbol: string;
    readonly decimals: number;
  };
  readonly rpcUrls: {
    readonly default: {
      readonly http: readonly string[];
      readonly webSocket?: readonly string[];
    };
  };
  readonly blockExplorers?: {
    readonly default: { readonly name: string; readonly url: string };
  };
  readonly testnet: boolean;
}

// Browsers and viem refuse credentials in URLs, and errors would show them.
const withoutUser = (url: string) => url.replace(/^([a-z]+:\/\/)[^/]*@/i, "$1");

/**
 * The network as a viem chain, for `createPublicClient({ chain, … })`.
 *
 * @example
 * const chain = toViemChain("testnet", deriveEndpoints({ baseUrl }, { network: "testnet", kind: "testnet" }));
 */
export function toViemChain(
  kind: NetworkKind,
  endpoints: Endpoints,
  facts: Pick<ChainFacts, "currency"> = DEFAULT_FACTS,
): ViemChain {
  const { evmUrl, wsUrl, explorerUrl } = endpoints;
  return {
    id: NETWORKS[kind].chainId,
    name: NETWORKS[kind].title,
    nativeCurrency: facts.currency,
    rpcUrls: {
      default: {
        http: evmUrl === undefined ? [] : [withoutUser(evmUrl)],
        ...(wsUrl === undefined ? {} : { webSocket: [withoutUser(wsUrl)] }),
      },
    },
    ...(explorerUrl === undefined
      ? {}
      : {
          blockExplorers: { default: { name: "Explorer", url: explorerUrl } },
        }),
    testnet: kind !== "mainnet",
  };
}
