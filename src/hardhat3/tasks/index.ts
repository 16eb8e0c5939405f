import { emptyTask, task } from "hardhat/config";
import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

const GROUP = "dualstack";

const JSON_FLAG = {
  name: "json",
  description: "Print the figures as JSON, for scripts",
} as const;
const YES_FLAG = {
  name: "yes",
  description: "Spend on the main network without asking",
} as const;
const DRY_RUN_FLAG = {
  name: "dryRun",
  description: "Check everything and print the cost, but send nothing",
} as const;

/** The tasks, all under `dualstack`. A new one is an entry here and a file in actions. */
export const tasks: TaskDefinition[] = [
  emptyTask(
    GROUP,
    "Networks, tokens and contracts of the dual-stack chain",
  ).build(),

  task([GROUP, "networks"], "Show the networks and their endpoints")
    .addFlag(JSON_FLAG)
    .setAction(() => import("./actions/networks.js"))
    .build(),

  task([GROUP, "balance"], "Show balances of the native and the stable token")
    .addVariadicArgument({
      name: "addresses",
      description:
        "Addresses as 0x… or bech32; default: the network's accounts",
      defaultValue: [],
    })
    .addOption({
      name: "file",
      description: "A file with one address a line",
      type: ArgumentType.FILE_WITHOUT_DEFAULT,
      defaultValue: undefined,
    })
    .addFlag(JSON_FLAG)
    .setAction(() => import("./actions/balance.js"))
    .build(),

  task([GROUP, "faucet"], "Get test tokens and wait until they are there")
    .addPositionalArgument({
      name: "address",
      description:
        "The recipient as 0x… or bech32; default: the network's first account",
      type: ArgumentType.STRING_WITHOUT_DEFAULT,
      defaultValue: undefined,
    })
    .addOption({
      name: "token",
      description: "native or stable",
      defaultValue: "native",
    })
    .addFlag(JSON_FLAG)
    .setAction(() => import("./actions/faucet.js"))
    .build(),

  task([GROUP, "deploy"], "Compile and deploy a contract")
    .addPositionalArgument({
      name: "contract",
      description: "The contract's name, or path/to/File.sol:Name",
    })
    .addVariadicArgument({
      name: "constructorArguments",
      description: "Its constructor's arguments; arrays and tuples as JSON",
      defaultValue: [],
    })
    .addOption({
      name: "value",
      description: 'Native tokens to send along, such as "1.5"',
      type: ArgumentType.STRING_WITHOUT_DEFAULT,
      defaultValue: undefined,
    })
    .addOption({
      name: "libraries",
      description: "Addresses of libraries: Name=0x…,Other=0x…",
      type: ArgumentType.STRING_WITHOUT_DEFAULT,
      defaultValue: undefined,
    })
    .addFlag(DRY_RUN_FLAG)
    .addFlag(YES_FLAG)
    .addFlag(JSON_FLAG)
    .setAction(() => import("./actions/deploy.js"))
    .build(),

  task([GROUP, "transfer"], "Transfer native tokens")
    .addPositionalArgument({
      name: "to",
      description: "The recipient as 0x… or bech32",
    })
    .addPositionalArgument({
      name: "amount",
      description:
        'Whole tokens ("1.5"), or base units with their denomination ("15wei")',
    })
    .addFlag({
      name: "wait",
      description: "Wait until the transfer is in a block",
    })
    .addFlag({
      name: "force",
      description: "Send to a module account or a precompile all the same",
    })
    .addFlag(DRY_RUN_FLAG)
    .addFlag(YES_FLAG)
    .addFlag(JSON_FLAG)
    .setAction(() => import("./actions/transfer.js"))
    .build(),

  task([GROUP, "address"], "Show an address in all its forms")
    .addPositionalArgument({
      name: "address",
      description: "0x…, an account address or an operator address",
    })
    .addOption({
      name: "prefix",
      description: "Another bech32 prefix than the chain's",
      type: ArgumentType.STRING_WITHOUT_DEFAULT,
      defaultValue: undefined,
    })
    .addFlag(JSON_FLAG)
    .setAction(() => import("./actions/address.js"))
    .build(),
];
