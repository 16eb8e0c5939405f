import { createProvider } from "hardhat/internal/core/providers/construction";
import { HARDHAT_NETWORK_NAME } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { LOCALNET } from "../chain/facts.js";
import { compiledContracts } from "../framework/contracts.js";
import type { SimulatedNetwork } from "../local-node/chain.js";
import {
  type LocalNode,
  type LocalNodeOptions,
  type SimulationSettings,
  simulatedNetwork,
  startLocalNode as start,
} from "../local-node/index.js";
import type { ForkToOpen, OpenFork } from "../commands/snapshot/index.js";
import { openGateway, openedBehindGateway } from "./fork-gateway.js";
import { STATE_URL } from "./config.js";
import { toPluginError } from "./errors.js";
import { extendLocalProvider } from "./local-provider.js";

/** A local network over one of Hardhat 2's own. */
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

// Hardhat 2 has one network of its own to offer; another is made as `hardhat node` makes it.
async function simulate(
  { config, artifacts }: HardhatRuntimeEnvironment,
  settings: SimulationSettings,
): Promise<SimulatedNetwork> {
  const own = withSettings(config, settings);
  const provider = extendLocalProvider(
    await openedBehindGateway(
      own,
      async () => await createProvider(own, HARDHAT_NETWORK_NAME, artifacts),
    ),
    own,
  );
  const { engine } = provider;
  return await simulatedNetwork({
    name: HARDHAT_NETWORK_NAME,
    provider,
    engine,
    contracts: async () => await compiledContracts(artifacts),
    close: async () => {
      await engine?.close();
    },
  });
}

/** One of Hardhat 2's own networks that forks a chain. */
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
  const forking = {
    jsonRpcUrl: url,
    blockNumber: Number(height),
    httpHeaders: { ...headers },
  };
  await provider.request({ method: "hardhat_reset", params: [{ forking }] });
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
  { chainId, privateKeys, balance, blockGasLimit, baseFee }: SimulationSettings,
): HardhatConfig {
  const { forking, ...network } = config.networks[HARDHAT_NETWORK_NAME];
  return {
    ...config,
    networks: {
      ...config.networks,
      [HARDHAT_NETWORK_NAME]: {
        ...network,
        // A snapshot is what it begins with; a fork of a chain is not served.
        ...(forking?.url === STATE_URL ? { forking: { ...forking } } : {}),
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
        // Estimates are the node's own: the clients' buffer comes on top.
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
