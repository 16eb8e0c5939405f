import { HARDHAT_NETWORK_NAME } from "hardhat/plugins";
import type { HardhatConfig, HttpNetworkConfig } from "hardhat/types/config";
import type { EIP1193Provider } from "hardhat/types/provider";

import { servicesOf } from "./services.js";

/** Inserts the plugin's provider between Hardhat's own ones and the node. */
export async function extendNetworkProvider(
  provider: EIP1193Provider,
  config: HardhatConfig,
  networkName: string,
): Promise<EIP1193Provider> {
  if (networkName === HARDHAT_NETWORK_NAME) {
    const { extendLocalProvider } = await import("./local-provider.js");
    return extendLocalProvider(provider, config);
  }
  const network = config.networks[networkName];
  const options =
    network !== undefined && "url" in network ? network.dualstack : undefined;
  if (options === undefined) {
    return provider;
  }
  const { ChainProvider } = await import("./chain-provider.js");
  const chain = new ChainProvider(
    provider,
    config,
    network as HttpNetworkConfig,
    options,
  );
  servicesOf(config, networkName).current = chain;
  return chain;
}
