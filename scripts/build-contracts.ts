/**
 * Compiles contracts/localnet and writes src/localnet/generated/emulator.ts: runtime code of the local precompiles with the
 * places where addresses stand in it, and the ABI through which the engine speaks to them; and the same of what writes a
 * forked chain's state into their books, src/localnet/generated/importers.ts. Selectors that the engine needs by themselves go
 * to src/localnet/generated/calls.ts. Does nothing where the sources, the compiler and this script are those of the last run.
 *
 *     node --import ./scripts/typescript.mjs scripts/build-contracts.ts [--force]
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

import { Interface, type JsonFragment } from "ethers";
import { format, resolveConfig } from "prettier";

import { PRECOMPILE_NAMES } from "../src/precompiles/addresses.js";
import { capitalize } from "../src/support/text.js";

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const SOURCES = path.join(ROOT, "contracts");
const TARGET = path.join(ROOT, "src/localnet/generated/emulator.ts");
const IMPORTERS_TARGET = path.join(ROOT, "src/localnet/generated/importers.ts");
const CALLS_TARGET = path.join(ROOT, "src/localnet/generated/calls.ts");

/**
 * Contracts whose code is embedded: for each precompile the contract with its
 * name, and the code of accounts that pay.
 */
const CONTRACTS = [
  ...PRECOMPILE_NAMES.map(capitalize),
  "Vault",
  "Payer",
  "ShadowPayer",
  "StakingClosing",
  "DistributionClosing",
];

/**
 * Precompile -> contract whose code is at its address while a fork's state is
 * written. Only loaded by forks.
 */
const IMPORTERS = {
  staking: "StakingImport",
  distribution: "DistributionImport",
  governance: "GovernanceImport",
} as const;

/** Contract -> methods that the engine recognises in runs, or calls without an ABI. */
const CALLS = {
  Staking: ["bond", "defer", "leaveJail"],
  StakingClosing: ["closing"],
  Distribution: ["delegationChanging", "sharesAdded"],
} as const;

/** Contracts that take a compiler so long that each is compiled by itself; the longest first. */
const LARGE = [
  "Governance",
  "Staking",
  "GovernanceImport",
  "Distribution",
  "StakingImport",
  "DistributionImport",
];

const SETTINGS = {
  evmVersion: "prague",
  viaIR: true,
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
  // Nobody reads where in the sources an instruction comes from.
  debug: { debugInfo: [] },
} as const;

/**
 * Expected warnings: a payable fallback without receive, transient storage,
 * SELFDESTRUCT, and size (the code is set, not deployed).
 */
const EXPECTED_WARNINGS = ["3628", "2394", "1699", "5574", "3860"];

interface CompiledContract {
  abi: unknown[];
  storageLayout?: {
    storage: { label: string; slot: string; offset: number }[];
  };
  evm: {
    deployedBytecode: {
      object: string;
      immutableReferences: Record<string, { start: number; length: number }[]>;
    };
  };
}

interface CompilerOutput {
  errors?: { severity: string; errorCode?: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, CompiledContract>>;
  sources: Record<string, { ast: unknown }>;
}

/** The parts of a compiled contract that are used. */
interface Contract {
  readonly abi: unknown[];
  readonly code: {
    readonly code: string;
    readonly references: Readonly<Record<string, readonly number[]>>;
  };
  readonly storage: readonly { label: string; slot: string; offset: number }[];
}

/** Compiled contracts by name. */
type Compiled = Map<string, Contract>;

const require = createRequire(import.meta.url);

async function readSources(): Promise<Sources> {
  const names = (await readdir(SOURCES, { recursive: true }))
    .map((name) => name.split(path.sep).join("/"))
    // The contracts, and the interfaces whose structs they use.
    .filter((name) => /^(?:localnet\/.*|I\w+|Types)\.sol$/.test(name))
    .sort();
  const entries = names.map(
    async (name) =>
      [
        name,
        { content: await readFile(path.join(SOURCES, name), "utf8") },
      ] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** Interfaces whose ABI is embedded. */
const INTERFACES = ["ISystem", "IStakingKeeper"];

/** The stable token of a local network. */
const TOKEN = "StableToken";

type Sources = Readonly<Record<string, { readonly content: string }>>;

/** What is asked of the compiler, by file and contract. */
type Wanted = Readonly<Record<string, Record<string, readonly string[]>>>;

const contractsOf = (names: readonly string[]): Wanted => ({
  "*": Object.fromEntries(
    names.map((name) => [
      name,
      [
        "abi",
        "evm.deployedBytecode.object",
        "evm.deployedBytecode.immutableReferences",
        "storageLayout",
      ],
    ]),
  ),
});

/**
 * The syntax trees of files that declare immutables. Asked for with contracts,
 * they would have all contracts compiled; the compiler numbers the nodes the
 * same way each time.
 */
const treesOf = (sources: Sources): Wanted =>
  Object.fromEntries(
    Object.entries(sources)
      .filter(([, { content }]) => /\bimmutable\b/.test(content))
      .map(([file]) => [file, { "": ["ast"] }]),
  );

/** The compiler's input, with all sources. */
function inputFor(sources: Sources, outputSelection: Wanted): string {
  return JSON.stringify({
    language: "Solidity",
    sources,
    settings: { ...SETTINGS, outputSelection },
  });
}

/**
 * Runs a compiler in a worker, which takes one input after another. Millions of
 * times the compiler gets a function out of its one table, which takes a third
 * of its time unless an array remembers them.
 */
const COMPILER = `
const { parentPort } = require("node:worker_threads");
const { get, set } = WebAssembly.Table.prototype;
const known = [];
WebAssembly.Table.prototype.get = function (place) {
  return (known[place] ??= get.call(this, place));
};
WebAssembly.Table.prototype.set = function (place, value) {
  known[place] = undefined;
  return set.call(this, place, value);
};
const solc = require(${JSON.stringify(require.resolve("solc"))});
parentPort.on("message", (input) => parentPort.postMessage(solc.compile(input)));
`;

/** Compiles in parallel, the contracts of a group by one compiler, which then reads the sources once for them. */
async function compile(
  sources: Sources,
  groups: readonly (readonly string[])[],
): Promise<Compiled> {
  const waiting = [...groups];
  const done: Compiled = new Map();
  let names: Promise<ReadonlyMap<string, string>> | undefined;
  const work = async () => {
    const worker = new Worker(COMPILER, { eval: true });
    const ask = async (input: string): Promise<CompilerOutput> => {
      worker.postMessage(input);
      const [answer] = (await once(worker, "message")) as [string];
      const output = JSON.parse(answer) as CompilerOutput;
      requireNoError(output);
      return output;
    };
    try {
      if (names === undefined) {
        names = ask(inputFor(sources, treesOf(sources))).then((trees) =>
          variableNames(Object.values(trees.sources).map(({ ast }) => ast)),
        );
        await names;
      }
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const output = await ask(inputFor(sources, contractsOf(next)));
        for (const name of next)
          done.set(name, contractIn(output, name, await names));
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(
    Array.from({ length: Math.min(4, availableParallelism()) }, work),
  );
  return done;
}

function requireNoError({ errors = [] }: CompilerOutput): void {
  const unexpected = errors.filter(
    ({ errorCode = "" }) => !EXPECTED_WARNINGS.includes(errorCode),
  );
  if (unexpected.length > 0)
    throw new Error(
      unexpected.map(({ formattedMessage }) => formattedMessage).join("\n"),
    );
}

/** The names of all variables, by the numbers that the compiler gives them. */
function variableNames(
  node: unknown,
  names = new Map<string, string>(),
): Map<string, string> {
  if (Array.isArray(node)) for (const item of node) variableNames(item, names);
  else if (typeof node === "object" && node !== null) {
    const { nodeType, id, name } = node as {
      nodeType?: string;
      id?: number;
      name?: string;
    };
    if (
      nodeType === "VariableDeclaration" &&
      id !== undefined &&
      name !== undefined
    )
      names.set(String(id), name);
    for (const value of Object.values(node)) variableNames(value, names);
  }
  return names;
}

/** A contract by name, which must be unique among all files. */
function contractIn(
  output: CompilerOutput,
  name: string,
  variables: ReadonlyMap<string, string>,
): Contract {
  const [contract, ...others] = Object.values(output.contracts).flatMap(
    (file) => file[name] ?? [],
  );
  if (contract === undefined || others.length > 0)
    throw new Error(
      `${SOURCES} has ${others.length > 0 ? "more than one" : "no"} contract ${name}`,
    );
  const { abi, storageLayout, evm } = contract;
  const { object, immutableReferences } = evm.deployedBytecode;
  const references: Record<string, number[]> = {};
  for (const [id, places] of Object.entries(immutableReferences)) {
    const variable = variables.get(id);
    if (variable === undefined)
      throw new Error(`${name}: an immutable without a name`);
    references[variable] = [
      ...(references[variable] ?? []),
      ...places.map((place) => place.start),
    ];
  }
  return {
    abi,
    code: { code: `0x${object}`, references },
    storage: storageLayout?.storage ?? [],
  };
}

function compiled(output: Compiled, name: string): Contract {
  const contract = output.get(name);
  if (contract === undefined) throw new Error(`${name} was not compiled`);
  return contract;
}

/**
 * A variable's place in a contract's storage: its word, and its first byte
 * there, counted from the right.
 */
function placeOf({ storage }: Contract, variable: string) {
  const found = storage.find(({ label }) => label === variable);
  if (found === undefined) throw new Error(`no variable ${variable}`);
  return { slot: `0x${BigInt(found.slot).toString(16)}`, offset: found.offset };
}

function importersText(header: string, output: Compiled): string {
  const importers = Object.fromEntries(
    Object.entries(IMPORTERS).map(([module, name]) => {
      const { code, abi } = compiled(output, name);
      return [module, { ...code, abi }];
    }),
  );
  return `${header}

import type { EmulatorCode } from "./emulator.js";

/** Precompile -> what stands there while a fork's state is written into its books, and how to speak to it. */
export const importers: Readonly<Record<${Object.keys(IMPORTERS)
    .map((name) => JSON.stringify(name))
    .join(
      " | ",
    )}, EmulatorCode & { readonly abi: readonly object[] }>> = ${JSON.stringify(importers)};
`;
}

function callsText(header: string, output: Compiled): string {
  const selectors = Object.entries(CALLS).flatMap(([name, methods]) => {
    const abi = new Interface(compiled(output, name).abi as JsonFragment[]);
    return methods.map((method) => {
      const found = abi.getFunction(method);
      if (found === null) throw new Error(`${name} has no method ${method}`);
      return [method, found.selector];
    });
  });
  return `${header}

/** Selectors of methods that are in no precompile's public ABI. */
export const selectors = ${JSON.stringify(Object.fromEntries(selectors))} as const;
`;
}

async function write(target: string, text: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const options = (await resolveConfig(target)) ?? {};
  await writeFile(
    target,
    await format(text, { ...options, parser: "typescript" }),
  );
}

async function main(): Promise<void> {
  const sources = await readSources();
  const own = await readFile(fileURLToPath(import.meta.url), "utf8");
  const solcVersion = (require("solc/package.json") as { version: string })
    .version;
  const hash = createHash("sha256")
    .update(JSON.stringify([sources, own, solcVersion, CONTRACTS]))
    .digest("hex");
  const header = `// Generated by scripts/build-contracts.ts from contracts/localnet. Inputs: ${hash}`;
  const isCurrent = async (target: string) =>
    (await readFile(target, "utf8").catch(() => "")).startsWith(header);
  if (
    !process.argv.includes("--force") &&
    (await isCurrent(TARGET)) &&
    (await isCurrent(IMPORTERS_TARGET)) &&
    (await isCurrent(CALLS_TARGET))
  )
    return;

  const all = [...CONTRACTS, ...Object.values(IMPORTERS), TOKEN, ...INTERFACES];
  const output = await compile(sources, [
    ...LARGE.map((name) => [name]),
    all.filter((name) => !LARGE.includes(name)),
  ]);
  const contracts = Object.fromEntries(
    CONTRACTS.map((name) => [name, compiled(output, name).code]),
  );
  const names = Object.keys(contracts)
    .map((name) => JSON.stringify(name))
    .join(" | ");
  const text = `${header}

/** Runtime code, and the positions of the 32-byte words in it where an address must be written. */
export interface EmulatorCode {
  readonly code: \`0x\${string}\`;
  readonly references: Readonly<Record<string, readonly number[]>>;
}

export const emulatorCode: Readonly<Record<${names}, EmulatorCode>> = ${JSON.stringify(contracts)};

/** The number of the last proposal, in the storage of Governance. */
export const lastProposalAt = ${JSON.stringify(placeOf(compiled(output, "Governance"), "lastId"))} as const;

/** The word in the storage of Staking that all payments that were put off go into. */
export const debtsAt = ${JSON.stringify(placeOf(compiled(output, "Staking"), "debts").slot)};

/** The word in the storage of Staking that tells the coins which were not minted. */
export const givenAt = ${JSON.stringify(placeOf(compiled(output, "Staking"), "given").slot)};

/** The stable token of a local network; see StableToken.sol. */
export const stableTokenCode = ${JSON.stringify(compiled(output, TOKEN).code.code)} as const;

/** What the chain by itself, and the other modules, ask at the staking precompile. */
export const systemAbi = ${JSON.stringify(INTERFACES.flatMap((name) => compiled(output, name).abi))} as const;
`;
  await write(TARGET, text);
  await write(IMPORTERS_TARGET, importersText(header, output));
  await write(CALLS_TARGET, callsText(header, output));
  for (const [contract, { code }] of Object.entries(contracts))
    console.log(`${contract}: ${(code.length - 2) / 2} bytes`);
}

await main();
