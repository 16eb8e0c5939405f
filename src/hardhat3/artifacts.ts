import type { Artifact } from "hardhat/types/artifacts";

import type { DualstackConfig } from "../config/resolve.js";
import { configuredAbi } from "../precompiles/configured.js";
import type { PrecompileName } from "../precompiles/addresses.js";
import { INTERFACE_SOURCES, interfaceOf } from "../precompiles/interfaces.js";

/**
 * The artifact of a precompile's interface, with the configured ABI. It was not
 * compiled in the project, so it has no build info and no code to deploy.
 */
export function interfaceArtifact(
  name: PrecompileName,
  { precompiles }: Pick<DualstackConfig, "precompiles">,
): Artifact {
  const contractName = interfaceOf(name);
  return {
    _format: "hh3-artifact-1",
    contractName,
    sourceName: `${INTERFACE_SOURCES}/${contractName}.sol`,
    abi: configuredAbi(name, precompiles[name].abi),
    bytecode: "0x",
    deployedBytecode: "0x",
    linkReferences: {},
    deployedLinkReferences: {},
  };
}
