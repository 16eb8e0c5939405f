import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

import type { HardhatConfig } from "hardhat/types/config";

import { parseSnapshot } from "../../live-state/snapshot.js";
import { DualstackError } from "../../support/errors.js";
import { ofSnapshot } from "../connection/fork-gateway.js";
import { toPluginError } from "../errors.js";
import { isEmulated } from "./emulated.js";

/**
 * Makes the emulated networks start from the snapshot that
 * `dualstack.localnet.state` names, as if they forked a chain.
 *
 * @throws HardhatPluginError if the file cannot be read
 */
export async function beginWithState(
  config: HardhatConfig,
  state: string,
): Promise<HardhatConfig> {
  const { dualstack, paths } = config;
  const file = path.resolve(paths.root, state);
  try {
    const text = await readFile(file, "utf8").catch((cause: unknown) => {
      throw new DualstackError(`the snapshot ${file} cannot be read`, {
        fix: "Write it with hardhat dualstack snapshot, or remove dualstack.localnet.state.",
        cause,
      });
    });
    const snapshot = parseSnapshot(text, file);
    const url = ofSnapshot(
      snapshot,
      pathToFileURL(file).href,
      dualstack,
      paths.cache,
    );
    const networks = { ...config.networks };
    for (const [name, network] of Object.entries(networks)) {
      if (network.type !== "edr-simulated") continue;
      if (network.forking !== undefined || !isEmulated(dualstack, name))
        continue;
      networks[name] = {
        ...network,
        forking: {
          enabled: true,
          url,
          blockNumber: BigInt(snapshot.block.number),
          cacheDir: path.join(paths.cache, "edr-fork-cache"),
        },
      };
    }
    return { ...config, networks };
  } catch (error) {
    throw toPluginError(error);
  }
}
