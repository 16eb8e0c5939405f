import type { Artifact } from "hardhat/types/artifacts";

import type { DualstackConfig } from "../config/resolve.js";
import { configuredAbi } from "../precompiles/configured.js";
import { INTERFACE_SOURCES, precompileOf } from "../precompiles/interfaces.js";

/**
 * The artifact of a precompile's interface, with the ABI that is configured;
 * `undefined` for any other name. It was not built here: there is no build
 * info, and no code to deploy.
 */
export function interfaceArtifact(
  bareOrQualifiedName: string,
  { precompiles }: Pick<DualstackConfig, "precompiles">,
): Artifact | undefined {
  const name = precompileOf(bareOrQualifiedName);
  if (name === undefined) {
    return undefined;
  }
  const contractName = bareOrQualifiedName.replace(/^.*:/, "");
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
