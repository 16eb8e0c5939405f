import type { Abi } from "abitype";

import type { ChainFacts, Endpoints, NetworkKind } from "../chain/index.js";
import type {
  PrecompileAddresses,
  PrecompileName,
} from "../precompiles/index.js";
import type { RpcProvider } from "../rpc/provider.js";

/** What is known about the network that a command works on. */
export interface NetworkDescription {
  /** The network's name in the Hardhat configuration. */
  readonly name: string;
  /** `testnet` or `mainnet`, `local` for a development network, `other` for any other chain. */
  readonly kind: NetworkKind | "local" | "other";
  /** The network's display name. */
  readonly title: string;
  /** The EVM chain ID. */
  readonly chainId: number;
  /** The EVM chain IDs of `testnet` and `mainnet`, whichever network this is. */
  readonly chainIds: { readonly [kind in NetworkKind]: number };
  /** Currency, base denomination and prefixes. */
  readonly facts: ChainFacts;
  /** URLs of the endpoints, `host:port` for gRPC; those that are not configured are absent. */
  readonly endpoints: Endpoints;
  /** Addresses of the precompiles. */
  readonly precompiles: PrecompileAddresses;
  /** ABIs from the configuration that replace the plugin's own. */
  readonly abis?: Partial<Readonly<Record<PrecompileName, Abi>>>;
}

/** A network with a way to ask it. */
export interface Connected {
  readonly network: NetworkDescription;
  readonly provider: RpcProvider;
  /** Sent along with every request to the network's nodes; may be secret. */
  readonly headers?: Readonly<Record<string, string>>;
}
