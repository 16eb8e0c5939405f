import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

import { ofPrecompiles } from "../../src/precompiles/addresses.js";
import { interfaceOf } from "../../src/precompiles/interfaces.js";

const require = createRequire(import.meta.url);
const CONTRACTS = path.resolve(import.meta.dirname, "../../contracts");

/** The interfaces that users import. */
export const INTERFACES = ofPrecompiles(interfaceOf);

/**
 * Packages with a compiler: the lowest version that the interfaces support,
 * ours, and the newest.
 */
export const COMPILERS = ["solc-0.8.20", "solc", "solc-latest"] as const;

export interface CompiledContract {
  readonly abi: any[];
  readonly metadata: string;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

export interface Output {
  readonly version: string;
  readonly messages: readonly string[];
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, CompiledContract>>>
  >;
}

/** Compiles a source that imports the interfaces as a user does. */
export async function compileWith(
  compiler: string,
  source: string,
): Promise<Output> {
  const solc = require(compiler);
  const sources: Record<string, { content: string }> = {
    "User.sol": { content: source },
  };
  for (const name of ["Types", ...Object.values(INTERFACES)]) {
    sources[`hardhat-dualstack/contracts/${name}.sol`] = {
      content: await readFile(path.join(CONTRACTS, `${name}.sol`), "utf8"),
    };
  }
  const settings = {
    outputSelection: {
      "*": {
        "*": [
          "abi",
          "metadata",
          "evm.bytecode.object",
          "evm.deployedBytecode.object",
        ],
      },
    },
  };
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: "Solidity", sources, settings })),
  );
  return {
    version: solc.version(),
    messages: (output.errors ?? []).map((error: any) => error.formattedMessage),
    contracts: output.contracts ?? {},
  };
}

export const IMPORTS = [
  "// SPDX-License-Identifier: MIT",
  "pragma solidity ^0.8.20;",
  'import { STAKING, STAKING_ADDRESS, IStaking } from "hardhat-dualstack/contracts/IStaking.sol";',
  'import { DISTRIBUTION, DISTRIBUTION_ADDRESS, IDistribution } from "hardhat-dualstack/contracts/IDistribution.sol";',
  'import { GOVERNANCE, GOVERNANCE_ADDRESS, IGovernance } from "hardhat-dualstack/contracts/IGovernance.sol";',
  'import { BECH32, BECH32_ADDRESS, IBech32 } from "hardhat-dualstack/contracts/IBech32.sol";',
  'import { BANK, BANK_ADDRESS, IBank } from "hardhat-dualstack/contracts/IBank.sol";',
  'import { SLASHING, SLASHING_ADDRESS, ISlashing } from "hardhat-dualstack/contracts/ISlashing.sol";',
  'import { Coin, DecCoin, PageRequest, PageResponse } from "hardhat-dualstack/contracts/Types.sol";',
].join("\n");
