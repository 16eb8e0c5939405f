import type { Abi } from "abitype";
import type { ContractRunner, Provider } from "ethers";

import type { NetworkDescription } from "../config/network-description.js";
import type { DualstackConfig } from "../config/resolve.js";
import {
  DEFINITIONS,
  ofPrecompiles,
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../precompiles/addresses.js";
import { configuredAbi } from "../precompiles/configured.js";
import { precompileContract } from "../precompiles/ethers/contract.js";
import type { Precompile } from "../precompiles/ethers/precompile.js";
import { probeOf } from "../precompiles/ethers/probe.js";
import { DualstackError } from "../support/errors.js";
import type { ConnectionPrecompiles } from "./types.js";

/** What Hardhat's ethers provides: a provider to read with, and the accounts that sign. */
export interface EthersOfHardhat {
  readonly provider: Provider;
  getSigners(): Promise<readonly ContractRunner[]>;
}

/** The precompiles of a connection; each contract is created on first use. */
export function createPrecompiles(
  config: Pick<DualstackConfig, "precompiles">,
  findEthers: () => EthersOfHardhat,
  network: NetworkDescription,
): ConnectionPrecompiles {
  const precompile = (name: PrecompileName): Precompile<Abi> => ({
    address: config.precompiles[name].address,
    abi: configuredAbi(name, config.precompiles[name].abi),
    probe: probeOf(name),
    prefix: network.facts.bech32Prefix,
    network: network.name,
    ...(DEFINITIONS[name].presence === "optional" ? { optional: name } : {}),
  });
  const at = (name: PrecompileName, runner: ContractRunner | null) => {
    if (!PRECOMPILE_NAMES.includes(name)) {
      throw new DualstackError(`there is no precompile "${String(name)}"`, {
        network: network.name,
        fix: `Name one of these: ${PRECOMPILE_NAMES.join(", ")}.`,
      });
    }
    return precompileContract(precompile(name), runner);
  };
  const create = (name: PrecompileName) => {
    const ethers = findEthers();
    return precompileContract(
      precompile(name),
      ethers.provider,
      async () => (await ethers.getSigners())[0],
    );
  };

  const precompiles = { at, descriptors: descriptorsOf(config) };
  for (const name of PRECOMPILE_NAMES) {
    let contract: ReturnType<typeof create> | undefined;
    Object.defineProperty(precompiles, name, {
      enumerable: true,
      get: () => (contract ??= create(name)),
    });
  }
  // TypeScript cannot follow the getters and a configured ABI.
  return precompiles as unknown as ConnectionPrecompiles;
}

const descriptorsOf = ({ precompiles }: Pick<DualstackConfig, "precompiles">) =>
  ofPrecompiles((name) => {
    const { address, abi } = precompiles[name];
    return { address, abi: configuredAbi(name, abi) };
  });
