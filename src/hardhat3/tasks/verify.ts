import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

import type * as VerifyModule from "@nomicfoundation/hardhat-verify/verify";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { Verify } from "../../commands/deploy/index.js";
import { besideResult } from "../../tasks/beside-result.js";
import { verifyIsMissing } from "../../tasks/host.js";

/**
 * The project's hardhat-verify, with the configured explorer.
 *
 * @throws DualstackError if the project does not use it
 */
export async function verifierOf(
  hre: HardhatRuntimeEnvironment,
): Promise<Verify> {
  const { artifacts, config, globalOptions, network, solidity } = hre;
  if (!config.plugins.some(({ id }) => id === "hardhat-verify")) {
    throw verifyIsMissing(3);
  }
  const require = createRequire(path.join(config.paths.root, "package.json"));
  const { verifyContract } = (await import(
    pathToFileURL(require.resolve("@nomicfoundation/hardhat-verify/verify"))
      .href
  )) as typeof VerifyModule;
  // hardhat-verify uses the production profile by default, but the contract was
  // built with this one.
  const { buildProfile = "default" } = globalOptions;
  const asBuilt = {
    artifacts,
    config,
    globalOptions: { ...globalOptions, buildProfile },
    network,
    solidity,
  } as unknown as HardhatRuntimeEnvironment;
  return async ({ constructorArgs, ...contract }) => {
    await besideResult(
      async () =>
        await verifyContract(
          {
            ...contract,
            constructorArgs: [...constructorArgs],
            provider: "blockscout",
          },
          asBuilt,
        ),
    );
  };
}
