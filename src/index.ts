import { definePlugin, HardhatPluginError } from "hardhat/plugins";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { PLUGIN_ID } from "./hardhat3/constants.js";
import configHooks from "./hardhat3/hooks/config.js";
import hreHooks from "./hardhat3/hooks/hre.js";
import { tasks } from "./hardhat3/tasks/index.js";

export type * from "./type-extensions.js";
export type * from "./config/user-config.js";
export type * from "./hardhat3/types.js";

/**
 * Stands in for hardhat-ethers where it cannot be loaded. npm brings it along,
 * other ways to install may not; an error thrown while dependencies are loaded
 * would be hidden behind one of Hardhat's.
 */
const withoutEthers = (cause: unknown): { default: HardhatPlugin } => ({
  default: {
    id: `${PLUGIN_ID}:without-ethers`,
    npmPackage: null,
    hookHandlers: {
      config: async () => ({
        default: async () => ({
          extendUserConfig: () => {
            throw new HardhatPluginError(
              PLUGIN_ID,
              "A package that the plugin needs cannot be found: @nomicfoundation/hardhat-ethers 4, or ethers 6. Install both: npm install --save-dev @nomicfoundation/hardhat-ethers@4 ethers@6",
              cause instanceof Error ? cause : undefined,
            );
          },
        }),
      }),
    },
  },
});

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND";

const plugin: HardhatPlugin = definePlugin({
  id: PLUGIN_ID,
  // No package to look up: Hardhat would report every failed import as a missing
  // peer, even an optional one.
  npmPackage: null,
  dependencies: () => [
    import("@nomicfoundation/hardhat-ethers").catch((error: unknown) => {
      if (isMissing(error)) {
        return withoutEthers(error);
      }
      throw error;
    }),
  ],
  hookHandlers: {
    // These run always, so it is no gain to load them later.
    config: async () => ({ default: configHooks }),
    hre: async () => ({ default: hreHooks }),
    network: () => import("./hardhat3/hooks/network.js"),
  },
  tasks,
});

export default plugin;
