import type { Abi } from "abitype";
import type { ContractRunner } from "ethers";

import type { NetworkDescription } from "../../commands/context.js";
import type { DualstackConfig } from "../../config/resolve.js";
import {
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../../precompiles/catalog.js";
import { precompileContract } from "../../precompiles/ethers/contract.js";
import { probeOf } from "../../precompiles/ethers/probe.js";
import { PrecompileRunner } from "../../precompiles/ethers/runner.js";
import type { ConnectionPrecompiles } from "../types.js";
import type { AnyConnection } from "./attach.js";

/** The precompiles of a connection; each contract is made when it is first used. */
export function createPrecompiles(
  config: Pick<DualstackConfig, "precompiles">,
  connection: AnyConnection,
  network: NetworkDescription,
): ConnectionPrecompiles {
  const at = (name: PrecompileName, runner: ContractRunner | null) =>
    precompileContract(
      config.precompiles[name].address,
      config.precompiles[name].abi,
      runner,
      network.facts.bech32Prefix,
    );

  const create = (name: PrecompileName) => {
    const { address, abi } = config.precompiles[name];
    const runner = new PrecompileRunner({
      provider: connection.ethers.provider,
      signer: async () => (await connection.ethers.getSigners())[0],
      address,
      abi,
      probe: probeOf(name, abi),
      place: { network: network.name },
    });
    return at(name, runner);
  };

  const precompiles = { at, descriptors: descriptorsOf(config) };
  for (const name of PRECOMPILE_NAMES) {
    let contract: ReturnType<typeof create> | undefined;
    Object.defineProperty(precompiles, name, {
      enumerable: true,
      get: () => (contract ??= create(name)),
    });
  }
  // The getters and a configured ABI are beyond what TypeScript can follow.
  return precompiles as unknown as ConnectionPrecompiles;
}

const descriptorsOf = (
  config: Pick<DualstackConfig, "precompiles">,
): Record<PrecompileName, { address: string; abi: Abi }> => config.precompiles;
