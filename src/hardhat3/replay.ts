import type { NetworkConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { LOCALNET } from "../chain/facts.js";
import type { NetworkDescription } from "../config/network-description.js";
import type { ForkAt } from "../replay/block.js";
import {
  type LiveNode,
  type ReplaySource,
  replaySource,
} from "../replay/source.js";
import { DualstackError } from "../support/errors.js";
import { engineOf } from "./connection/localnet.js";

/** The network that `hardhat node` serves, too. */
const NETWORK = "node";

/** What replays transactions of a network. */
export async function replaySourceOf(
  hre: Pick<HardhatRuntimeEnvironment, "network">,
  network: NetworkDescription,
  config: NetworkConfig | undefined,
): Promise<ReplaySource> {
  const node =
    config?.type === "http"
      ? { url: await config.url.getUrl(), headers: config.httpHeaders }
      : undefined;
  return replaySource(network, node, (live) => forksOf(hre, live));
}

/** Forks a live network on simulated networks of Hardhat 3. */
export const forksOf =
  (
    { network }: Pick<HardhatRuntimeEnvironment, "network">,
    { url, headers, chainId }: LiveNode & { readonly chainId: number },
  ): ForkAt =>
  async (height) => {
    const connection = await network.create({
      network: NETWORK,
      override: {
        chainId,
        hardfork: LOCALNET.hardfork,
        // Hardhat funds its own accounts, which may be in use on the chain.
        accounts: [],
        allowBlocksWithSameTimestamp: true,
        loggingEnabled: false,
        mining: { auto: false, interval: 0, mempool: { order: "fifo" } },
        forking: {
          url,
          blockNumber: Number(height),
          ...(headers === undefined ? {} : { httpHeaders: { ...headers } }),
        },
      },
    });
    const engine = engineOf(connection);
    if (engine === undefined) {
      await connection.close();
      throw new DualstackError(
        "the precompiles are switched off on the network that transactions are replayed on",
        {
          network: NETWORK,
          fix: `Remove dualstack.localnet.networks.${NETWORK} from the configuration.`,
        },
      );
    }
    const { provider } = connection;
    return {
      provider: {
        request: async ({ method, params }) =>
          await provider.request({ method, params: [...(params ?? [])] }),
      },
      engine,
      close: async () => {
        await connection.close();
      },
    };
  };
