import { existsSync, rmSync } from "node:fs";
import { mkdtemp, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import type { DualstackUserConfig } from "../../src/config/user-config.js";
import type {
  ConnectionPrecompiles,
  DualstackConnection,
} from "../../src/connection/types.js";
import { EvmNode, type EvmNodeOptions } from "../servers/evm-node.js";
import { accountsIn, KEYS } from "./chain.js";

/** The project on Hardhat 2 whose dependencies the tests use. */
export const TOOLBOX = fileURLToPath(
  new URL("../../fixtures/hardhat2-toolbox/", import.meta.url),
);

const PACKAGE = path.join(TOOLBOX, "node_modules/hardhat-dualstack");
if (!existsSync(path.join(PACKAGE, "dist/cjs/hardhat2/index.js"))) {
  throw new Error(
    "The fixture for Hardhat 2 is not installed: npm run build && npm run prepare:fixtures",
  );
}

const require = createRequire(path.join(TOOLBOX, "package.json"));

/** Loads a module as the project on Hardhat 2 would. */
export const requireFromToolbox = (name: string): any => require(name);

/** What the tests use of Hardhat 2's runtime environment; its types are those of another major. */
export interface Hardhat2 {
  readonly config: any;
  readonly network: {
    readonly name: string;
    readonly config: any;
    readonly provider: {
      request(args: {
        readonly method: string;
        readonly params?: readonly unknown[];
      }): Promise<any>;
    };
  };
  readonly ethers: any;
  readonly ignition: any;
  readonly artifacts: any;
  readonly precompiles: ConnectionPrecompiles;
  readonly dualstack: DualstackConnection;
  run(
    task: string | { readonly scope: string; readonly task: string },
    args?: Record<string, unknown>,
  ): Promise<any>;
}

export interface Hardhat2Options {
  readonly config?: Record<string, unknown> & {
    readonly dualstack?: DualstackUserConfig;
  };
  readonly network?: string;
  /** What the configuration requires, in this order; default: {@link HARDHAT2_PLUGINS}. */
  readonly plugins?: readonly string[];
  /** Where the project is; default: a new folder. */
  readonly root?: string;
}

/** What a configuration requires by default, in this order. */
export const HARDHAT2_PLUGINS: readonly string[] = [
  "@nomicfoundation/hardhat-ethers",
  "hardhat-dualstack/hardhat2",
];
const folders: string[] = [];
process.once("exit", () => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A folder that sees the toolbox's dependencies. */
export async function createProject(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "dualstack2-"));
  folders.push(root);
  await writeFile(path.join(root, "package.json"), "{}");
  await symlink(
    path.join(TOOLBOX, "node_modules"),
    path.join(root, "node_modules"),
    "junction",
  );
  return root;
}

/** Hardhat 2 with a configuration, in this process; the one before is forgotten. */
export async function loadHardhat2({
  config = {},
  network = "hardhat",
  plugins = HARDHAT2_PLUGINS,
  root,
}: Hardhat2Options = {}): Promise<Hardhat2> {
  const folder = root ?? (await createProject());
  const file = path.join(folder, `config-${folders.length}.cjs`);
  await writeFile(
    file,
    `${plugins.map((name) => `require(${JSON.stringify(name)});`).join("\n")}\nmodule.exports = globalThis.hardhat2Config;\n`,
  );
  Object.assign(globalThis, {
    hardhat2Config: { solidity: "0.8.28", paths: { root: folder }, ...config },
  });
  process.env["HARDHAT_CONFIG"] = file;
  process.env["HARDHAT_NETWORK"] = network;
  try {
    require("hardhat/plugins-testing").resetHardhatContext();
    for (const loaded of Object.keys(require.cache)) {
      // Hardhat forgets only what was loaded together with the configuration.
      if (loaded.startsWith(PACKAGE) || loaded === file) {
        delete require.cache[loaded];
      }
    }
    return require("hardhat") as Hardhat2;
  } finally {
    delete process.env["HARDHAT_CONFIG"];
    delete process.env["HARDHAT_NETWORK"];
  }
}

export interface Chain2 {
  readonly node: EvmNode;
  readonly hre: Hardhat2;
  close(): Promise<void>;
}

/** A node and a Hardhat 2 whose test network it is. */
export async function startChain2({
  config,
  accounts = "local",
  plugins,
  timeout,
  ...options
}: EvmNodeOptions &
  Pick<Hardhat2Options, "config" | "plugins"> & {
    readonly accounts?: "local" | "remote" | "none" | "network";
    /** How long a request may take, in milliseconds. */
    readonly timeout?: number;
  } = {}): Promise<Chain2> {
  const node = await EvmNode.start({
    keyring: accounts === "remote",
    ...options,
  });
  const hre = await loadHardhat2({
    network: "testnet",
    ...(plugins === undefined ? {} : { plugins }),
    config: {
      ...config,
      ...(accounts === "network"
        ? { networks: { testnet: { url: node.evmUrl, accounts: [...KEYS] } } }
        : timeout === undefined
          ? {}
          : { networks: { testnet: { url: node.evmUrl, timeout } } }),
      dualstack: {
        ...config?.dualstack,
        testnet: {
          baseUrl: node.baseUrl,
          ...accountsIn(accounts),
          ...config?.dualstack?.testnet,
        },
      },
    },
  });
  return { node, hre, close: async () => await node.close() };
}
