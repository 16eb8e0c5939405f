import type { Abi } from "abitype";

import type { Endpoints } from "../chain/endpoints.js";
import type {
  ChainFacts,
  NetworkKind,
  PublicNetworkKind,
} from "../chain/facts.js";
import type {
  PrecompileAddresses,
  PrecompileName,
} from "../precompiles/addresses.js";

/** What the configuration says about a network, with every default filled in. */
export interface NetworkDescription {
  /** The network's name in the Hardhat configuration. */
  readonly name: string;
  /**
   * `testnet`, `mainnet` or `localnode`; `local` for a development network;
   * `other` for any other chain.
   */
  readonly kind: NetworkKind | "local" | "other";
  /** The network's display name. */
  readonly title: string;
  /** The EVM chain ID. */
  readonly chainId: number;
  /** The EVM chain IDs of `testnet` and `mainnet`, whichever network this is. */
  readonly chainIds: { readonly [kind in PublicNetworkKind]: number };
  /** Currency, base denomination and prefixes. */
  readonly facts: ChainFacts;
  /** URLs of the endpoints, `host:port` for gRPC; absent if not configured. */
  readonly endpoints: Endpoints;
  /** Addresses of the precompiles. */
  readonly precompiles: PrecompileAddresses;
  /**
   * The precompiles that the chain has according to the configuration; local
   * networks emulate these.
   */
  readonly activePrecompiles: readonly PrecompileName[];
  /** ABIs from the configuration that replace the plugin's own. */
  readonly abis?: Partial<Readonly<Record<PrecompileName, Abi>>>;
}
