import { createProvider } from "hardhat/internal/core/providers/construction";
import { HARDHAT_NETWORK_NAME } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";
import type { EIP1193Provider } from "hardhat/types/provider";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { LOCALNET } from "../chain/facts.js";
import { compiledContracts } from "../framework/contracts.js";
import type { SimulatedNetwork } from "../local-node/chain.js";
import {
  forkSource,
  type LocalNode,
  type ForkSource,
  type LocalNodeOptions,
  openedFork,
  type SimulationSettings,
  simulatedNetwork,
  startLocalNode as start,
} from "../local-node/index.js";
import type { ForkToOpen, OpenFork } from "../commands/snapshot/index.js";
import { openGateway, openedBehindGateway } from "./fork-gateway.js";
import { STATE_URL } from "./config.js";
import { knowHardforks } from "./edr/hardforks.js";
import { toPluginError } from "./errors.js";
import { extendLocalProvider } from "./local-provider.js";

/** Starts a local network on top of a network of Hardhat 2. */
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

// Hardhat 2 has only one network of its own, so another is created as `hardhat
// node` does it.
async function simulate(
  { config, artifacts }: HardhatRuntimeEnvironment,
  settings: SimulationSettings,
): Promise<SimulatedNetwork> {
  const own = withSettings(config, settings);
  const create = async () =>
    await createProvider(own, HARDHAT_NETWORK_NAME, artifacts);
  const { fork } = settings;
  // Hardhat 2 applies the configured rules of a chain only when it forks by a reset.
  const inner =
    fork === undefined
      ? await openedBehindGateway(own, create)
      : await create();
  const provider = extendLocalProvider(inner, own);
  if (fork !== undefined) {
    const source = await forkSource(fork.of, async (name) => {
      const network = config.networks[name];
      return await Promise.resolve(
        network !== undefined && "url" in network && network.url !== undefined
          ? { url: network.url, headers: network.httpHeaders }
          : undefined,
      );
    });
    await knowHardforks(inner);
    await openedFork(source, fork.blockNumber, async () => {
      await forkAt(provider, source, fork.blockNumber);
    });
    // The chain's state is loaded with the first request.
    await provider.request({ method: "eth_blockNumber", params: [] });
  }
  const { engine } = provider;
  return await simulatedNetwork({
    name: HARDHAT_NETWORK_NAME,
    provider,
    engine,
    contracts: async () => await compiledContracts(artifacts),
    close: async () => {
      await engine?.close();
      await openGateway(own, undefined);
    },
  });
}

async function forkAt(
  provider: EIP1193Provider,
  { url, headers }: ForkSource,
  blockNumber: number | undefined,
): Promise<void> {
  const forking = {
    jsonRpcUrl: url,
    ...(blockNumber === undefined ? {} : { blockNumber }),
    httpHeaders: { ...headers },
  };
  await provider.request({ method: "hardhat_reset", params: [{ forking }] });
}

/** Opens a network of Hardhat 2 that forks a chain. */
export async function openFork(
  { config, artifacts }: HardhatRuntimeEnvironment,
  { url, headers, height, cache }: ForkToOpen,
): Promise<OpenFork> {
  const { forking: _, ...network } = config.networks[HARDHAT_NETWORK_NAME];
  const own: HardhatConfig = {
    ...config,
    paths: { ...config.paths, cache },
    networks: { ...config.networks, [HARDHAT_NETWORK_NAME]: network },
  };
  const provider = extendLocalProvider(
    await createProvider(own, HARDHAT_NETWORK_NAME, artifacts),
    own,
  );
  await forkAt(provider, { url, headers }, Number(height));
  return {
    provider: {
      request: async ({ method, params }) =>
        await provider.request({ method, params: [...(params ?? [])] }),
    },
    close: async () => {
      await provider.engine?.close();
      await openGateway(own, undefined);
    },
  };
}

function withSettings(
  config: HardhatConfig,
  {
    chainId,
    privateKeys,
    balance,
    blockGasLimit,
    baseFee,
    fork,
  }: SimulationSettings,
): HardhatConfig {
  const { forking, ...network } = config.networks[HARDHAT_NETWORK_NAME];
  return {
    ...config,
    networks: {
      ...config.networks,
      [HARDHAT_NETWORK_NAME]: {
        ...network,
        // Keeps a snapshot as the starting state; the fork is set when the node
        // is started.
        ...(forking?.url === STATE_URL && fork === undefined
          ? { forking: { ...forking } }
          : {}),
        chainId,
        hardfork: LOCALNET.hardfork,
        accounts: privateKeys.map((privateKey) => ({
          privateKey,
          balance: String(balance),
        })),
        blockGasLimit: Number(blockGasLimit),
        gas: Number(blockGasLimit),
        initialBaseFeePerGas: Number(baseFee),
        mining: { ...network.mining, auto: true, interval: 0 },
        loggingEnabled: false,
        // Estimates are the node's own: the buffer of its clients is applied on top.
        dualstack: {
          gas: {
            multiplier: 1,
            rewardsAllowance: false,
            transactionGasCap: undefined,
          },
        },
      },
    },
  };
}
