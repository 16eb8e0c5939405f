import type { DualstackConfig } from "./config/resolve.js";
import type { DualstackUserConfig } from "./config/user-config.js";
import type {
  ConnectionPrecompiles,
  DualstackConnection,
  DualstackNetworkOptions,
} from "./hardhat3/types.js";

// `connection.ethers` is there wherever this plugin is.
export type * from "@nomicfoundation/hardhat-ethers";

declare module "hardhat/types/config" {
  interface HardhatUserConfig {
    /** Networks, gas buffer and chain facts of hardhat-dualstack. */
    dualstack?: DualstackUserConfig;
  }

  interface HardhatConfig {
    dualstack: DualstackConfig;
  }

  interface HttpNetworkConfig {
    /** On our networks only. */
    dualstack?: DualstackNetworkOptions;
  }

  interface EdrNetworkConfig {
    /** On our local network only. */
    dualstack?: DualstackNetworkOptions;
  }
}

declare module "hardhat/types/network" {
  interface NetworkConnection<
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the declarations of an interface must agree in their parameters
    ChainTypeT extends ChainType | string = DefaultChainType,
  > {
    /** The chain's precompiles as typed contracts. */
    readonly precompiles: ConnectionPrecompiles;
    /** Everything else of hardhat-dualstack on this connection. */
    readonly dualstack: DualstackConnection;
  }
}
