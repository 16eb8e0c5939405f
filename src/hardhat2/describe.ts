import { HARDHAT_NETWORK_NAME } from "hardhat/plugins";
import type { HardhatConfig, HardhatUserConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { NETWORK_KINDS, type NetworkKind } from "../chain/facts.js";
import type { NetworkDescription } from "../config/network-description.js";
import { describeChainAt, describeOther, withUrl } from "../config/describe.js";
import { readEndpoints } from "../config/endpoints.js";
import { valueOf } from "./variables.js";

type Configs = {
  readonly config: HardhatConfig;
  readonly userConfig: Readonly<HardhatUserConfig>;
};

/** The network in use; on Hardhat 2 variables can be read at once. */
export function describeNetwork({
  network,
  ...configs
}: Configs & Pick<HardhatRuntimeEnvironment, "network">): NetworkDescription {
  const { name, config } = network;
  if ("url" in config && config.dualstack !== undefined) {
    return describeKind(configs, config.dualstack.kind);
  }
  const url = "url" in config ? config.url : undefined;
  const { chainId } = config;
  return describeOther(configs.config.dualstack, { name, chainId, url });
}

/** The chain's networks and Hardhat's own. */
export function describeNetworks(configs: Configs): NetworkDescription[] {
  const { networks, dualstack } = configs.config;
  const name = HARDHAT_NETWORK_NAME;
  const { chainId } = networks[name];
  return [
    ...NETWORK_KINDS.map((kind) => describeKind(configs, kind)),
    describeOther(dualstack, { name, chainId, url: undefined }),
  ];
}

function describeKind(
  { config, userConfig }: Configs,
  kind: NetworkKind,
): NetworkDescription {
  const { dualstack, networks } = config;
  const { name, allowInsecure } = dualstack.networks[kind];
  const network = networks[name];
  const endpoints = readEndpoints(userConfig.dualstack?.[kind] ?? {}, valueOf, {
    network: name,
    kind,
    allowInsecure,
  });
  const given =
    network !== undefined &&
    "url" in network &&
    network.dualstack?.derivedUrl === false
      ? network.url
      : undefined;
  return describeChainAt(dualstack, kind, withUrl(endpoints, given));
}
