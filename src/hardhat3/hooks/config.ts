import type { ConfigHooks } from "hardhat/types/hooks";

// Every run of Hardhat passes here: the modules below import no library but zod.
export default async (): Promise<Partial<ConfigHooks>> => {
  const { extendUserConfig } = await import("../config/extend-user-config.js");
  const { resolveUserConfig } = await import(
    "../config/resolve-user-config.js"
  );
  const { validateUserConfig } = await import("../../config/schema.js");
  return {
    extendUserConfig: async (config, next) =>
      extendUserConfig(await next(config)),
    validateUserConfig: async (config) => validateUserConfig(config.dualstack),
    resolveUserConfig: async (config, resolveVariable, next) =>
      resolveUserConfig(
        config,
        await next(config, resolveVariable),
        resolveVariable,
      ),
  };
};
