import { Interface } from "ethers";

import { compileJson } from "../helpers/solc.js";

export interface Compiled {
  readonly abi: Interface;
  readonly bytecode: string;
}

const IMPORTED = /import [^;]*"(?<path>[^"]+)"/;

/** Compiles sources without imports, with the compiler of all tests. */
export function compile(source: string): Record<string, Compiled> {
  if (IMPORTED.test(source))
    throw new Error("the sources of these tests stand alone");
  const input = {
    language: "Solidity",
    sources: { "test.sol": { content: source } },
    settings: {
      evmVersion: "prague",
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    },
  };
  const output = JSON.parse(compileJson(JSON.stringify(input))) as {
    errors?: { severity: string; formattedMessage: string }[];
    contracts: Record<
      string,
      Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>
    >;
  };
  const errors = (output.errors ?? []).filter(
    ({ severity }) => severity === "error",
  );
  if (errors.length > 0)
    throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.entries(output.contracts["test.sol"] ?? {}).map(
      ([name, { abi, evm }]) => [
        name,
        {
          abi: new Interface(JSON.stringify(abi)),
          bytecode: `0x${evm.bytecode.object}`,
        },
      ],
    ),
  );
}
