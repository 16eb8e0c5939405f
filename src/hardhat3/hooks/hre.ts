import type { ArtifactManager } from "hardhat/types/artifacts";
import type { HardhatRuntimeEnvironmentHooks } from "hardhat/types/hooks";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { DualstackEnvironment } from "../types.js";

/**
 * Keeps the emulation out of gas statistics. Registering a handler makes every
 * network measure, so this is done only when needed.
 */
async function measureWithoutPayers({
  globalOptions: { gasStats, gasStatsJson },
  hooks,
}: HardhatRuntimeEnvironment): Promise<void> {
  if (gasStats === true || gasStatsJson !== undefined) {
    const { takePayerOut } = await import("../gas-measurement.js");
    hooks.registerHandlers("network", {
      onGasMeasurement: (_context, measurement) => {
        takePayerOut(measurement);
      },
    });
  }
}

/** Imported on use, since every run of Hardhat loads this file. */
const environmentOf = (
  hre: HardhatRuntimeEnvironment,
): DualstackEnvironment => ({
  startLocalNode: async (options) => {
    const { startLocalNode } = await import("../local-node.js");
    return await startLocalNode(hre, options);
  },
});

/**
 * The project's artifacts, and for names that it does not have, those of the
 * precompiles' interfaces. Their ABIs are imported on use, since every run of
 * Hardhat loads this file.
 */
export default async (): Promise<Partial<HardhatRuntimeEnvironmentHooks>> => ({
  created: async (_context, hre) => {
    const { artifacts } = hre;
    const found = async (name: string) => {
      const { precompileOf } = await import("../../precompiles/interfaces.js");
      const precompile = precompileOf(name);
      if (precompile === undefined || (await artifacts.artifactExists(name))) {
        return undefined;
      }
      const { interfaceArtifact } = await import("../artifacts.js");
      return interfaceArtifact(precompile, hre.config.dualstack);
    };
    const added: Partial<ArtifactManager> = {
      readArtifact: async (name) =>
        ((await found(name)) as never) ?? (await artifacts.readArtifact(name)),
      artifactExists: async (name) =>
        (await found(name)) !== undefined ||
        (await artifacts.artifactExists(name)),
      getBuildInfoId: async (name) =>
        (await found(name)) === undefined
          ? await artifacts.getBuildInfoId(name)
          : undefined,
    };
    // Everything else, including what later versions of Hardhat add, goes to
    // the project's artifacts.
    hre.artifacts = new Proxy(artifacts, {
      get: (target, property) => {
        const value: unknown =
          Reflect.get(added, property) ?? Reflect.get(target, property, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    hre.dualstack = environmentOf(hre);
    await measureWithoutPayers(hre);
  },
});
