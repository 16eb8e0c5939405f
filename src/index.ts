import { definePlugin, HardhatPluginError } from "hardhat/plugins";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { PLUGIN_ID } from "./hardhat3/constants.js";
import configHooks from "./hardhat3/hooks/config.js";
import hreHooks from "./hardhat3/hooks/hre.js";
import { findMisfit } from "./hardhat3/peers.js";
import { tasks } from "./hardhat3/tasks/index.js";

export type * from "./type-extensions.js";
export type * from "./config/user-config.js";
export type * from "./hardhat3/types.js";

/**
 * Stands in for hardhat-ethers if it cannot be loaded. npm installs it with
 * this package, but other package managers may not; Hardhat would hide an error
 * thrown while dependencies are loaded.
 */
const withoutEthers = (
  message: string,
  cause?: unknown,
): { default: HardhatPlugin } => ({
  default: {
    id: `${PLUGIN_ID}:without-ethers`,
    npmPackage: null,
    hookHandlers: {
      config: async () => ({
        default: async () => ({
          extendUserConfig: () => {
            throw new HardhatPluginError(
              PLUGIN_ID,
              message,
              cause instanceof Error ? cause : undefined,
            );
          },
        }),
      }),
    },
  },
});

/** hardhat-ethers, or a plugin that says why it cannot be loaded. */
async function loadEthers(): Promise<{ default: HardhatPlugin }> {
  const misfit = findMisfit();
  if (misfit !== undefined) {
    const { ethers, needed, hardhat } = misfit;
    return withoutEthers(
      `@nomicfoundation/hardhat-ethers ${ethers} needs hardhat ${needed}, and ${hardhat} is installed. Update Hardhat: npm install --save-dev hardhat@3. Or install an older @nomicfoundation/hardhat-ethers that fits, such as 4.0.15`,
    );
  }
  try {
    return await import("@nomicfoundation/hardhat-ethers");
  } catch (error) {
    if (isMissing(error)) {
      return withoutEthers(
        "A package that the plugin needs cannot be found: @nomicfoundation/hardhat-ethers 4, or ethers 6. Install both: npm install --save-dev @nomicfoundation/hardhat-ethers@4 ethers@6",
        error,
      );
    }
    throw error;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  error.code === "ERR_MODULE_NOT_FOUND";

const plugin: HardhatPlugin = definePlugin({
  id: PLUGIN_ID,
  // No package: Hardhat would report every failed import as a missing peer
  // dependency, even of an optional one.
  npmPackage: null,
  dependencies: () => [loadEthers()],
  hookHandlers: {
    // These run every time, so loading them later would gain nothing.
    config: async () => ({ default: configHooks }),
    hre: async () => ({ default: hreHooks }),
    network: () => import("./hardhat3/hooks/network.js"),
    test: () => import("./hardhat3/hooks/test.js"),
  },
  tasks,
});

export default plugin;
