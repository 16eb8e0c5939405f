import { HARDHAT_NETWORK_NAME } from "hardhat/plugins";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { requireEndpoint } from "../chain/endpoints.js";
import { isNetworkKind } from "../chain/facts.js";
import type { Verify } from "../commands/deploy/index.js";
import type { Sender } from "../commands/shared/sending.js";
import type { Ui } from "../commands/shared/ui.js";
import { compiledContracts } from "../framework/contracts.js";
import { besideResult } from "../tasks/beside-result.js";
import {
  accountsOf,
  type Reading,
  readBy,
  readByHttp,
  withChainId,
  withChainIdAt,
} from "../tasks/connect.js";
import {
  type OpenNetwork,
  type TaskHost,
  verifyIsMissing,
} from "../tasks/host.js";
import { runTask as run } from "../tasks/run.js";
import type { TaskEntry } from "../tasks/table.js";
import { describeNetwork, describeNetworks } from "./describe.js";
import { toPluginError } from "./errors.js";
import { valueOf } from "./variables.js";

export { isFailed } from "../tasks/run.js";

/** Runs a task of the table on Hardhat 2. */
export const runTask = async (
  entry: TaskEntry,
  args: Readonly<Record<string, unknown>>,
  hre: HardhatRuntimeEnvironment,
): Promise<unknown> =>
  await run(entry, args, (ui) => createHost(hre, ui), toPluginError);

const createHost = (hre: HardhatRuntimeEnvironment, ui: Ui): TaskHost => ({
  config: hre.config.dualstack,
  ui,
  projectRoot: hre.config.paths.root,
  networkGiven: hre.hardhatArguments.network !== undefined,
  describeNetwork: async () => await Promise.resolve(describeNetwork(hre)),
  describeNetworks: async () => await Promise.resolve(describeNetworks(hre)),
  isSimulated: (name) => name === HARDHAT_NETWORK_NAME,
  connectForReading: async () => await connectForReading(hre),
  connectForSending: async () => await connectForSending(hre),
  openNetwork: async () => await openNetwork(hre),
  replaySource: async () => {
    const { replaySourceOf } = await import("./replay.js");
    return replaySourceOf(hre);
  },
  startLocalNode: async (options) =>
    await hre.dualstack.startLocalNode(options),
  openFork: async (fork) => {
    const { openFork } = await import("./local-node.js");
    return await openFork(hre, fork);
  },
  accountAtHand: async ({ kind, name }) => {
    if (isNetworkKind(kind)) {
      const { addressAtHand } = await import("../config/first-address.js");
      const settings = hre.userConfig.dualstack?.[kind]?.accounts;
      return await addressAtHand(settings, kind, (variable) =>
        valueOf({ _type: "ConfigurationVariable", name: variable }),
      );
    }
    return name === HARDHAT_NETWORK_NAME
      ? (await accountsOf(await connectForSending(hre)))[0]
      : undefined;
  },
  knownContracts: async () => await compiledContracts(hre.artifacts),
  compile: async (contract) => {
    await compile(hre);
    return await hre.artifacts.readArtifact(contract);
  },
  verifier: async () => {
    if (hre.tasks[VERIFY_TASK] === undefined) {
      throw verifyIsMissing(2);
    }
    return await Promise.resolve<Verify>(
      async ({ address, contract, libraries }) => {
        await besideResult(
          async () =>
            await hre.run(VERIFY_TASK, { address, contract, libraries }),
        );
      },
    );
  },
});

// An explorer of this kind finds the constructor's arguments in the transaction.
const VERIFY_TASK = "verify:blockscout";

// The task prints what it compiled even when it is told to be quiet.
async function compile(hre: HardhatRuntimeEnvironment): Promise<void> {
  await besideResult(async () => await hre.run("compile", { quiet: true }));
}

// As on Hardhat 3: directly and in batches.
async function connectForReading(
  hre: HardhatRuntimeEnvironment,
): Promise<Reading> {
  const network = describeNetwork(hre);
  const { config, provider } = hre.network;
  if (!("url" in config)) {
    return readBy(network, provider);
  }
  const { chainId, httpHeaders: headers, dualstack } = config;
  const url =
    dualstack === undefined
      ? config.url
      : requireEndpoint(network.endpoints, "evmUrl", {
          network: network.name,
          kind: dualstack.kind,
        });
  return await readByHttp(network, { url, headers, chainId });
}

async function openNetwork(
  hre: HardhatRuntimeEnvironment,
): Promise<OpenNetwork> {
  const { dualstack } = hre.config;
  const { config, provider } = hre.network;
  const network = describeNetwork(hre);
  if (!("url" in config)) {
    return { network, gasMultiplier: dualstack.gas.multiplier, provider };
  }
  const { chainId, httpHeaders: headers } = config;
  return {
    network: await withChainIdAt(network, headers, chainId),
    gasMultiplier: (config.dualstack ?? dualstack).gas.multiplier,
    headers,
  };
}

const connectForSending = async (
  hre: HardhatRuntimeEnvironment,
): Promise<Sender> => {
  const { config, provider } = hre.network;
  return {
    network: await withChainId(describeNetwork(hre), provider, config.chainId),
    provider,
    estimates: hre.dualstack,
    ...("url" in config ? { headers: config.httpHeaders } : {}),
  };
};
