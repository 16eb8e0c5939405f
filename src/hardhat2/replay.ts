import { createProvider } from "hardhat/internal/core/providers/construction";
import { HARDHAT_NETWORK_NAME } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { requireEndpoint } from "../chain/endpoints.js";
import { LOCALNET } from "../chain/facts.js";
import type { ForkAt } from "../replay/block.js";
import {
  type LiveNode,
  type ReplaySource,
  replaySource,
} from "../replay/source.js";
import { DualstackError } from "../support/errors.js";
import { describeNetwork } from "./describe.js";
import { knowHardforks } from "./edr/hardforks.js";
import { extendLocalProvider } from "./local-provider.js";

/** What replays transactions of the chosen network. */
export function replaySourceOf(hre: HardhatRuntimeEnvironment): ReplaySource {
  const network = describeNetwork(hre);
  const { config } = hre.network;
  const node =
    "url" in config
      ? {
          url:
            config.dualstack === undefined
              ? config.url
              : requireEndpoint(network.endpoints, "evmUrl", {
                  network: network.name,
                  kind: config.dualstack.kind,
                }),
          headers: config.httpHeaders,
        }
      : undefined;
  return replaySource(network, node, (live) => forksOf(hre, live));
}

/** Forks a live network on simulated networks of Hardhat 2. */
const forksOf =
  (
    { config, artifacts }: HardhatRuntimeEnvironment,
    { url, headers, chainId }: LiveNode & { readonly chainId: number },
  ): ForkAt =>
  async (height) => {
    const own = withChain(config, chainId);
    const inner = await createProvider(own, HARDHAT_NETWORK_NAME, artifacts);
    const provider = extendLocalProvider(inner, own);
    const { engine } = provider;
    if (engine === undefined) {
      throw new DualstackError(
        "the precompiles are switched off on the network that transactions are replayed on",
        {
          network: HARDHAT_NETWORK_NAME,
          fix: `Remove dualstack.localnet.networks.${HARDHAT_NETWORK_NAME} from the configuration.`,
        },
      );
    }
    await knowHardforks(inner);
    const request = async (method: string, ...params: unknown[]) =>
      await provider.request({ method, params });
    await request("hardhat_reset", {
      forking: {
        jsonRpcUrl: url,
        blockNumber: Number(height),
        ...(headers === undefined ? {} : { httpHeaders: { ...headers } }),
      },
    });
    // The chain's state is loaded with the first request.
    await request("eth_blockNumber");
    return {
      provider: {
        request: async ({ method, params }) =>
          await request(method, ...(params ?? [])),
      },
      engine,
      close: async () => {
        await engine.close();
      },
    };
  };

function withChain(config: HardhatConfig, chainId: number): HardhatConfig {
  const { forking: _, ...network } = config.networks[HARDHAT_NETWORK_NAME];
  return {
    ...config,
    networks: {
      ...config.networks,
      [HARDHAT_NETWORK_NAME]: {
        ...network,
        chainId,
        hardfork: LOCALNET.hardfork,
        // Hardhat funds its own accounts, which may be in use on the chain.
        accounts: [],
        allowBlocksWithSameTimestamp: true,
        mining: { auto: false, interval: 0, mempool: { order: "fifo" } },
        loggingEnabled: false,
      },
    },
  };
}
