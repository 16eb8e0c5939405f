import { LOCAL_NODE } from "../chain/local-node.js";
import { JSON_FLAG, SENDING_OPTIONS, type TaskEntry } from "./entry.js";
import { MODULE_GROUPS, MODULE_TASKS } from "./module-tasks.js";

export type { TaskArgument, TaskEntry, TaskOption } from "./entry.js";

// Read whenever Hardhat starts: nothing is imported here but on demand.

/** The task that all others are under. */
export const ROOT = {
  name: "dualstack",
  description: "Networks, tokens and contracts of the dual-stack chain",
} as const;

/** Tasks that only hold others. */
export const GROUPS: readonly Pick<TaskEntry, "path" | "description">[] =
  MODULE_GROUPS;

/** The tasks, for both majors of Hardhat. A new one is an entry here and a file in actions. */
export const TASKS = [
  {
    path: ["init"],
    description: "Write a starter: a contract that stakes, with its tests",
    arguments: [
      {
        name: "folder",
        description: "The folder to create; default: dualstack-starter",
        optional: true,
      },
    ],
    options: [
      {
        name: "library",
        description: "ethers or viem",
        defaultValue: "ethers",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/init.js"),
  },
  {
    path: ["networks"],
    description: "Show the networks and their endpoints",
    options: [JSON_FLAG],
    load: () => import("./actions/networks.js"),
  },
  {
    path: ["balance"],
    description: "Show balances of the native and the stable token",
    arguments: [
      {
        name: "addresses",
        description:
          "Addresses as 0x… or bech32; default: the network's accounts",
        optional: true,
        variadic: true,
      },
    ],
    options: [
      {
        name: "file",
        description: "A file with one address per line",
        type: "file",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/balance.js"),
  },
  {
    path: ["faucet"],
    description: "Get test tokens and wait until they are there",
    arguments: [
      {
        name: "address",
        description:
          "The recipient as 0x… or bech32; default: the network's first account",
        optional: true,
      },
    ],
    options: [
      {
        name: "token",
        description: "native or stable",
        defaultValue: "native",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/faucet.js"),
  },
  {
    path: ["deploy"],
    description: "Compile and deploy a contract",
    arguments: [
      {
        name: "contract",
        description: "The contract's name, or path/to/File.sol:Name",
      },
      {
        name: "constructorArguments",
        description: "Its constructor's arguments; arrays and tuples as JSON",
        optional: true,
        variadic: true,
      },
    ],
    options: [
      {
        name: "value",
        description: 'Native tokens to send along, such as "1.5"',
      },
      {
        name: "libraries",
        description: "Addresses of libraries: Name=0x…,Other=0x…",
      },
      {
        name: "verify",
        description:
          "Verify the source on the network's explorer, with hardhat-verify",
        type: "flag",
      },
      ...SENDING_OPTIONS,
    ],
    load: () => import("./actions/deploy.js"),
  },
  {
    path: ["transfer"],
    description: "Transfer native tokens",
    arguments: [
      { name: "to", description: "The recipient as 0x… or bech32" },
      {
        name: "amount",
        description:
          'Whole tokens ("1.5"), or base units with the denomination ("1500anative")',
      },
    ],
    options: [
      {
        name: "async",
        description: "Do not wait until the transfer is in a block",
        type: "flag",
      },
      {
        name: "force",
        description: "Send even to a module account or a precompile",
        type: "flag",
      },
      ...SENDING_OPTIONS,
    ],
    load: () => import("./actions/transfer.js"),
  },
  {
    path: ["address"],
    description: "Show an address in all its forms",
    arguments: [
      {
        name: "address",
        description: "0x…, an account address or an operator address",
      },
    ],
    options: [
      {
        name: "prefix",
        description: "The bech32 prefix; default: the chain's",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/address.js"),
  },
  {
    path: ["doctor"],
    description: "Check a network from end to end",
    arguments: [
      {
        name: "address",
        description:
          "An account to look at, as 0x… or bech32; default: the network's first account, if its key is available",
        optional: true,
      },
    ],
    options: [
      {
        name: "timeout",
        description: "The time limit of each check, in seconds",
        defaultValue: "15",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/doctor.js"),
  },
  {
    path: ["trace"],
    description: "Replay a transaction locally, and show what it did and why",
    arguments: [
      {
        name: "hash",
        description: "The transaction's hash; leave it out with --call",
        optional: true,
      },
    ],
    options: [
      {
        name: "call",
        description:
          "Instead of a transaction, a call as JSON: from, to, value, data or method and args, block",
      },
      {
        name: "abi",
        description:
          "JSON files with ABIs or artifacts of other contracts, separated by commas",
      },
      {
        name: "depth",
        description: "Levels of calls to show; default: all",
      },
      {
        name: "gas",
        description:
          "Show the gas that each call was given, and what it used itself",
        type: "flag",
      },
      {
        name: "fromBlockStart",
        description: "Leave out the block's earlier transactions",
        type: "flag",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/trace.js"),
  },
  {
    path: ["watch"],
    description: "Show what happens on a network, until you interrupt it",
    arguments: [
      {
        name: "what",
        description:
          "blocks (default), logs, pending, or address; or an address itself",
        optional: true,
      },
      {
        name: "of",
        description:
          "With logs: a contract's name or address, or a precompile's name; with address: the address",
        optional: true,
      },
    ],
    options: [{ ...JSON_FLAG, description: "Print JSON, one object per line" }],
    load: () => import("./actions/watch.js"),
  },
  {
    path: ["snapshot"],
    description:
      "Write a network's state to a file that local networks can start from",
    arguments: [
      {
        name: "file",
        description: "The file; default: dualstack-snapshot.json",
        optional: true,
      },
    ],
    options: [
      {
        name: "block",
        description: "The block's number; default: the newest",
      },
      {
        name: "accounts",
        description:
          "Accounts to include with their stake and balance, as 0x… or bech32, separated by commas",
      },
      {
        name: "calls",
        description:
          "Calls whose contracts to include, as <address>:<data>, separated by commas",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/snapshot.js"),
  },
  {
    path: ["node"],
    description: "Start a local network with every endpoint of the chain",
    options: [
      {
        name: "port",
        description:
          "The port of all endpoints except gRPC; 0 picks a free one",
        defaultValue: String(LOCAL_NODE.port),
      },
      {
        name: "grpcPort",
        description: "The port of gRPC; 0 picks a free one",
        defaultValue: String(LOCAL_NODE.grpcPort),
      },
      {
        name: "hostname",
        description:
          "The host name to listen on; other than the default it opens the network to other machines",
        defaultValue: LOCAL_NODE.hostname,
      },
      {
        name: "accounts",
        description: "How many accounts have funds",
        defaultValue: String(LOCAL_NODE.accounts),
      },
      {
        name: "balance",
        description: "Whole tokens that each account has",
        defaultValue: LOCAL_NODE.balance,
      },
      {
        name: "mnemonic",
        description:
          "The mnemonic of the accounts; default: Hardhat's test mnemonic",
      },
      {
        name: "blockTime",
        description: "Seconds between blocks",
        defaultValue: String(LOCAL_NODE.blockTime),
      },
      {
        name: "automine",
        description: "Mine a block for every transaction, and no others",
        type: "flag",
      },
      {
        name: "likeChain",
        description: "Behave like a real node, with its traps",
        type: "flag",
      },
      {
        name: "fork",
        description:
          "Continue from a chain's state: a network of the configuration, or an EVM endpoint's URL",
      },
      {
        name: "forkBlock",
        description: "The block to continue from; default: a recent one",
      },
      { ...JSON_FLAG, description: "Print endpoints and accounts as JSON" },
    ],
    load: () => import("./actions/node.js"),
  },
  {
    path: ["wallet"],
    description:
      "Print a network's record for wallets, or serve a page that adds it to them",
    options: [
      {
        name: "format",
        description: "eip3085, keplr, viem, chainlist or chain-registry",
        defaultValue: "eip3085",
      },
      {
        name: "name",
        description: "The name that people see",
      },
      {
        name: "shortName",
        description: "Its name in registries",
      },
      {
        name: "infoUrl",
        description:
          "A page about the network, for registries; default: the explorer",
      },
      {
        name: "cosmosChainId",
        description: "The framework's chain ID; default: what the node reports",
      },
      {
        name: "gasPrice",
        description:
          "The lowest gas price in base units; default: what the chain reports",
      },
      {
        name: "serve",
        description: "Serve the page on this machine, until you interrupt it",
        type: "flag",
      },
      {
        name: "port",
        description: "The page's port; 0 picks a free one",
        defaultValue: "0",
      },
      JSON_FLAG,
    ],
    load: () => import("./actions/wallet.js"),
  },
  ...MODULE_TASKS,
] as const satisfies readonly TaskEntry[];
