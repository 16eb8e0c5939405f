import { compileJson } from "./solc.js";

export interface Compiled {
  readonly abi: any[];
  readonly bytecode: `0x${string}`;
}

/** Compiles a Solidity source with the compiler from the development dependencies. */
export function compile(source: string, name: string): Compiled {
  const input = {
    language: "Solidity",
    sources: {
      "Test.sol": {
        content: `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n${source}`,
      },
    },
    settings: {
      evmVersion: "prague",
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const output = JSON.parse(compileJson(JSON.stringify(input)));
  const contract = output.contracts?.["Test.sol"]?.[name];
  if (contract === undefined) {
    throw new Error(JSON.stringify(output.errors));
  }
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}

/** A contract as Hardhat's artifacts have it. */
export function artifactOf(name: string, { abi, bytecode }: Compiled) {
  return {
    _format: "hh3-artifact-1",
    contractName: name,
    sourceName: "Test.sol",
    abi,
    bytecode,
    deployedBytecode: "0x",
    linkReferences: {},
    deployedLinkReferences: {},
  } as const;
}

export const COUNTER = compile(
  `contract Counter {
    uint256 public count;
    event Counted(uint256 count);
    error TooMany(uint256 limit);
    constructor(uint256 start) payable { count = start; }
    function add(uint256 n) external payable returns (uint256) {
      if (n > 1000) revert TooMany(1000);
      require(n > 0, "nothing to add");
      count += n;
      emit Counted(count);
      return count;
    }
  }`,
  "Counter",
);
