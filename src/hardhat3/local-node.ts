import type { HardhatConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { LOCALNET } from "../chain/facts.js";
import { compiledContracts } from "../framework/contracts.js";
import type { SimulatedNetwork } from "../local-node/chain.js";
import {
  forkSource,
  type LocalNode,
  type LocalNodeOptions,
  openedFork,
  type SimulationSettings,
  simulatedNetwork,
  startLocalNode as start,
} from "../local-node/index.js";
import { engineOf } from "./connection/localnet.js";
import { toPluginError } from "./errors.js";

/** The network that `hardhat node` serves, too. */
const NETWORK = "node";

/** Starts a local network on top of a simulated one of Hardhat 3. */
export async function startLocalNode(
  hre: HardhatRuntimeEnvironment,
  options: LocalNodeOptions = {},
): Promise<LocalNode> {
  try {
    return await start(
      hre.config.dualstack,
      options,
      async (settings) => await simulate(hre, settings),
    );
  } catch (error) {
    throw toPluginError(error);
  }
}

async function forkingOf(
  { networks }: HardhatConfig,
  { fork }: SimulationSettings,
) {
  if (fork === undefined) return undefined;
  const { url, headers } = await forkSource(fork.of, async (name) => {
    const network = networks[name];
    return network?.type === "http"
      ? { url: await network.url.getUrl(), headers: network.httpHeaders }
      : undefined;
  });
  const { blockNumber } = fork;
  return {
    url,
    ...(blockNumber === undefined ? {} : { blockNumber }),
    ...(headers === undefined ? {} : { httpHeaders: { ...headers } }),
  };
}

async function simulate(
  { network, artifacts, config }: HardhatRuntimeEnvironment,
  settings: SimulationSettings,
): Promise<SimulatedNetwork> {
  const { chainId, privateKeys, balance, blockGasLimit, baseFee } = settings;
  const forking = await forkingOf(config, settings);
  const create = async () =>
    await network.create({
      network: NETWORK,
      override: {
        chainId,
        hardfork: LOCALNET.hardfork,
        accounts: privateKeys.map((privateKey) => ({ privateKey, balance })),
        blockGasLimit,
        initialBaseFeePerGas: baseFee,
        mining: { auto: true, interval: 0 },
        loggingEnabled: false,
        ...(forking === undefined ? {} : { forking }),
      },
    });
  const connection = await (forking === undefined
    ? create()
    : openedFork(
        { url: forking.url, headers: forking.httpHeaders },
        forking.blockNumber,
        create,
      ));
  return await simulatedNetwork({
    name: NETWORK,
    provider: connection.provider,
    engine: engineOf(connection),
    contracts: async () => await compiledContracts(artifacts),
    close: async () => {
      await connection.close();
    },
  });
}
