import type { Abi } from "abitype";

import type { ChainFacts, Endpoints, NetworkKind } from "../chain/index.js";
import type {
  PrecompileAddresses,
  PrecompileName,
} from "../precompiles/index.js";
import type { RpcProvider } from "../rpc/provider.js";

/** What is known of the network that a command works on. */
export interface NetworkDescription {
  /** The network's name in the Hardhat configuration. */
  readonly name: string;
  /** One of the chain's networks, a local development network, or a foreign one. */
  readonly kind: NetworkKind | "local" | "other";
  /** The network's name for people. */
  readonly title: string;
  /** The EVM chain ID. */
  readonly chainId: number;
  /** The chain IDs of the chain's own networks, whichever this one is. */
  readonly chainIds: { readonly [kind in NetworkKind]: number };
  /** Currency, base denomination and prefixes. */
  readonly facts: ChainFacts;
  /** Addresses of the endpoints; those that are not configured are absent. */
  readonly endpoints: Endpoints;
  /** Addresses of the precompiles. */
  readonly precompiles: PrecompileAddresses;
  /** ABIs that are configured in place of this package's own. */
  readonly abis?: Partial<Readonly<Record<PrecompileName, Abi>>>;
}

/** A network with a way to ask it. */
export interface Connected {
  readonly network: NetworkDescription;
  readonly provider: RpcProvider;
  /** Sent along with every request to the network's nodes; may be secret. */
  readonly headers?: Readonly<Record<string, string>>;
}
