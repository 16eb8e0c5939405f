import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { isNetworkKind } from "../../chain/facts.js";
import type { Ui } from "../../commands/shared/ui.js";
import { compiledContracts } from "../../framework/contracts.js";
import { accountsOf } from "../../tasks/connect.js";
import type { TaskHost } from "../../tasks/host.js";
import { runTask as run } from "../../tasks/run.js";
import type { TaskEntry } from "../../tasks/table.js";
import { describeNetworks } from "../config/describe.js";
import { toPluginError } from "../errors.js";
import {
  connectForReading,
  connectForSending,
  describeNetwork,
  openNetwork,
} from "./connect.js";
import { keepingResultAlone } from "./messages.js";

/** Runs a task of the table on Hardhat 3. */
export const runTask = async (
  entry: TaskEntry,
  args: Readonly<Record<string, unknown>>,
  hre: HardhatRuntimeEnvironment,
): Promise<unknown> =>
  await keepingResultAlone(
    hre,
    async () =>
      await run(entry, args, (ui) => createHost(hre, ui), toPluginError),
  );

const createHost = (hre: HardhatRuntimeEnvironment, ui: Ui): TaskHost => ({
  config: hre.config.dualstack,
  ui,
  projectRoot: hre.config.paths.root,
  networkGiven: hre.globalOptions.network !== undefined,
  describeNetwork: async () => await describeNetwork(hre),
  describeNetworks: async () => await describeNetworks(hre.config),
  isSimulated: (name) => hre.config.networks[name]?.type === "edr-simulated",
  connectForReading: async () => await connectForReading(hre),
  connectForSending: async () => await connectForSending(hre),
  openNetwork: async () => await openNetwork(hre),
  replaySource: async () => {
    const network = await describeNetwork(hre);
    const { replaySourceOf } = await import("../replay.js");
    return await replaySourceOf(
      hre,
      network,
      hre.config.networks[network.name],
    );
  },
  startLocalNode: async (options) =>
    await hre.dualstack.startLocalNode(options),
  openFork: async ({ url, headers, height, cache }) => {
    const { keepingIn } = await import("../connection/fork-gateway.js");
    const { provider, close } = await keepingIn(
      cache,
      async () =>
        await hre.network.create({
          network: "default",
          override: {
            forking: {
              url,
              httpHeaders: { ...headers },
              blockNumber: Number(height),
            },
          },
        }),
    );
    return {
      provider: {
        request: async ({ method, params }) =>
          await provider.request({ method, params: [...(params ?? [])] }),
      },
      close: async () => await close(),
    };
  },
  accountAtHand: async ({ kind, name }) => {
    if (isNetworkKind(kind)) {
      const { addressAtHand } = await import("../../config/first-address.js");
      const settings = hre.userConfig.dualstack?.[kind]?.accounts;
      return await addressAtHand(settings, kind, (name) => process.env[name]);
    }
    if (hre.config.networks[name]?.type !== "edr-simulated") {
      return undefined;
    }
    return (await accountsOf(await connectForSending(hre)))[0];
  },
  knownContracts: async () => await compiledContracts(hre.artifacts),
  compile: async (contract) => {
    await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
    return await hre.artifacts.readArtifact(contract);
  },
  verifier: async () => {
    const { verifierOf } = await import("./verify.js");
    return await verifierOf(hre);
  },
});
