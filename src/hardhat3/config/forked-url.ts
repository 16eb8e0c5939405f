import type {
  EdrNetworkForkingConfig,
  ResolvedConfigurationVariable,
} from "hardhat/types/config";

import type { DualstackConfig } from "../../config/resolve.js";

/**
 * The URL to fork: the gateway's for the simulator, and the real one for
 * everybody else.
 */
export function behindGateway(
  forking: EdrNetworkForkingConfig,
  dualstack: DualstackConfig,
): ResolvedConfigurationVariable {
  const { url } = forking;
  return {
    _type: url._type,
    format: url.format,
    get: async () => await url.get(),
    getBigInt: async () => await url.getBigInt(),
    getHexString: async () => await url.getHexString(),
    getUrl: async () => {
      // Never a static import: this file is part of the one that Hardhat loads
      // at its start, which would get a copy of the module and of its state.
      const { urlToFork } = await import("../connection/fork-gateway.js");
      return await urlToFork(forking, dualstack);
    },
  };
}
