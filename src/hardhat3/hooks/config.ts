import type { HardhatUserConfig } from "hardhat/types/config";
import type { ConfigHooks } from "hardhat/types/hooks";

import { extendUserConfig } from "../config/extend-user-config.js";
import { resolveUserConfig } from "../config/resolve-user-config.js";

/** Networks that Hardhat itself provides. */
const BUILT_IN = ["default", "node"];

const simulatedNetworks = (
  networks: HardhatUserConfig["networks"] = {},
): string[] => [
  ...new Set([
    ...Object.keys(networks).filter(
      (name) => networks[name]?.type === "edr-simulated",
    ),
    ...BUILT_IN,
  ]),
];

// Every run of Hardhat loads this file, so it imports little, and the checks
// only if there is something to check.
export default async (): Promise<Partial<ConfigHooks>> => ({
  extendUserConfig: async (config, next) =>
    extendUserConfig(await next(config)),
  validateUserConfig: async ({ dualstack, networks }) => {
    if (dualstack === undefined) {
      return [];
    }
    const { validateUserConfig } = await import("../../config/schema.js");
    return validateUserConfig(dualstack, simulatedNetworks(networks));
  },
  resolveUserConfig: async (config, resolveVariable, next) => {
    const resolved = resolveUserConfig(
      config,
      await next(config, resolveVariable),
      resolveVariable,
    );
    const state = resolved.dualstack.localnet?.state;
    if (state === undefined) return resolved;
    const { beginWithState } = await import("../config/state-file.js");
    return await beginWithState(resolved, state);
  },
});
