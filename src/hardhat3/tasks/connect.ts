import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import type { NetworkDescription } from "../../config/network-description.js";
import type { Sender } from "../../commands/shared/sending.js";
import {
  type Reading,
  readBy,
  readByHttp,
  withChainId,
  withChainIdAt,
} from "../../tasks/connect.js";
import type { OpenNetwork } from "../../tasks/host.js";
import { describeConnection } from "../config/describe.js";

const DEFAULT_NETWORK = "default";

/** What the configuration says about the network of `--network`. */
export async function describeNetwork(
  hre: HardhatRuntimeEnvironment,
): Promise<NetworkDescription> {
  const networkName = hre.globalOptions.network ?? DEFAULT_NETWORK;
  const networkConfig = hre.config.networks[networkName];
  return networkConfig === undefined
    ? // Hardhat knows which networks there are.
      (await hre.network.getOrCreate()).dualstack.network
    : await describeConnection(hre.config, { networkName, networkConfig });
}

/**
 * The network of `--network` for reading. One behind HTTP is asked directly:
 * Hardhat's handlers would want the keys of its accounts, and cannot batch.
 */
export async function connectForReading(
  hre: HardhatRuntimeEnvironment,
): Promise<Reading> {
  const network = await describeNetwork(hre);
  const networkConfig = hre.config.networks[network.name];
  if (networkConfig?.type !== "http") {
    return readBy(network, (await hre.network.getOrCreate()).provider);
  }
  const { chainId, httpHeaders: headers } = networkConfig;
  const url = await networkConfig.url.getUrl();
  return await readByHttp(network, { url, headers, chainId });
}

/** The network of `--network` as configured, for tasks that use all its endpoints. */
export async function openNetwork(
  hre: HardhatRuntimeEnvironment,
): Promise<OpenNetwork> {
  const network = await describeNetwork(hre);
  const { gas } = hre.config.dualstack;
  const config = hre.config.networks[network.name];
  const gasMultiplier = config?.dualstack?.gas.multiplier ?? gas.multiplier;
  if (config?.type !== "http") {
    const { provider } = await hre.network.getOrCreate();
    return { network, gasMultiplier, provider };
  }
  const { chainId, httpHeaders: headers } = config;
  return {
    network: await withChainIdAt(network, headers, chainId),
    gasMultiplier,
    headers,
  };
}

/** The network of `--network` for sending; its provider signs. */
export async function connectForSending(
  hre: HardhatRuntimeEnvironment,
): Promise<Sender> {
  const { dualstack, networkConfig, provider } =
    await hre.network.getOrCreate();
  const { chainId } = networkConfig;
  return {
    network: await withChainId(dualstack.network, provider, chainId),
    provider,
    estimates: dualstack,
    ...(networkConfig.type === "http"
      ? { headers: networkConfig.httpHeaders }
      : {}),
  };
}
