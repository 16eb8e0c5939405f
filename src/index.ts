import { definePlugin, HardhatPluginError } from "hardhat/plugins";
import type { HardhatPlugin } from "hardhat/types/plugins";

import { PLUGIN_ID } from "./hardhat3/constants.js";
import configHooks from "./hardhat3/hooks/config.js";
import { tasks } from "./hardhat3/tasks/index.js";

export type * from "./type-extensions.js";
export type * from "./config/user-config.js";
export type * from "./hardhat3/types.js";

/** The peer is optional for npm, since Hardhat 2 goes with another major of it. */
function missingPeer(error: unknown): never {
  throw error instanceof Error &&
    "code" in error &&
    error.code === "ERR_MODULE_NOT_FOUND"
    ? new HardhatPluginError(
        PLUGIN_ID,
        "A package that the plugin needs is missing: @nomicfoundation/hardhat-ethers, or ethers. Install them: npm install --save-dev @nomicfoundation/hardhat-ethers@4 ethers@6",
        error,
      )
    : error;
}

const plugin: HardhatPlugin = definePlugin({
  id: PLUGIN_ID,
  // No package to look up: Hardhat would report every failed import as a missing
  // peer, even an optional one.
  npmPackage: null,
  dependencies: () => [
    import("@nomicfoundation/hardhat-ethers").catch(missingPeer),
  ],
  hookHandlers: {
    // Runs always, so it is no gain to load it later.
    config: async () => ({ default: configHooks }),
    network: () => import("./hardhat3/hooks/network.js"),
  },
  tasks,
});

export default plugin;
