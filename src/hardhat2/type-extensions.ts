import "hardhat/types/config";
import "hardhat/types/runtime";

import type { DualstackConfig } from "../config/resolve.js";
import type { DualstackUserConfig } from "../config/user-config.js";
import type {
  ConnectionPrecompiles,
  DualstackConnection,
} from "../connection/types.js";
import type { DualstackEnvironment } from "../local-node/environment.js";
import type { LocalNetworkOptions, NetworkOptions } from "./config.js";

declare module "hardhat/types/config" {
  interface HardhatUserConfig {
    /** Settings of hardhat-dualstack: networks, gas buffer and facts of the chain. */
    dualstack?: DualstackUserConfig;
  }

  interface HardhatConfig {
    dualstack: DualstackConfig;
  }

  interface HttpNetworkConfig {
    /** Only on the chain's networks. */
    dualstack?: NetworkOptions;
  }

  interface HardhatNetworkConfig {
    dualstack?: LocalNetworkOptions;
  }
}

declare module "hardhat/types/runtime" {
  interface HardhatRuntimeEnvironment {
    /** The chain's precompiles as typed contracts. */
    readonly precompiles: ConnectionPrecompiles;
    /** Everything else that hardhat-dualstack offers on the network in use. */
    readonly dualstack: DualstackConnection & DualstackEnvironment;
  }
}
