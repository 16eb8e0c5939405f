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
  readonly title: string;
  readonly chainId: number;
  /** The chain IDs of the chain's own networks, whichever this one is. */
  readonly chainIds: { readonly [kind in NetworkKind]: number };
  readonly facts: ChainFacts;
  readonly endpoints: Endpoints;
  readonly precompiles: PrecompileAddresses;
  /** ABIs that are configured in place of this package's own. */
  readonly abis?: Partial<Readonly<Record<PrecompileName, Abi>>>;
}

/** A network with a way to ask it. */
export interface Connected {
  readonly network: NetworkDescription;
  readonly provider: RpcProvider;
}
