import type { HardhatUserConfig } from "hardhat/types/config";
import type { ConfigHooks } from "hardhat/types/hooks";

import { extendUserConfig } from "../config/extend-user-config.js";
import { resolveUserConfig } from "../config/resolve-user-config.js";

/** Networks that Hardhat makes itself. */
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

// Every run of Hardhat passes here: what is imported at once is small, and
// the checks are loaded only where there is something to check.
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
