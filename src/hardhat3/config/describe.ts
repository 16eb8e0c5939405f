import type { HardhatConfig, NetworkConfig } from "hardhat/types/config";

import { LOCALNET, NETWORK_KINDS } from "../../chain/facts.js";
import type { NetworkDescription } from "../../config/network-description.js";
import { describeChain, describeOther } from "../../config/describe.js";
import type { AnyConnection } from "../connection/handler.js";

/** The network of a connection. */
export async function describeConnection(
  { dualstack }: HardhatConfig,
  {
    networkName: name,
    networkConfig,
  }: Pick<AnyConnection, "networkName" | "networkConfig">,
): Promise<NetworkDescription> {
  if (networkConfig.type !== "http") {
    const { chainId } = networkConfig;
    return describeOther(dualstack, { name, chainId, url: undefined });
  }
  const { kind } = networkConfig.dualstack ?? {};
  if (kind !== undefined) {
    return await describeChain(dualstack, kind, await givenUrl(networkConfig));
  }
  const { chainId, url } = networkConfig;
  return describeOther(dualstack, { name, chainId, url: await url.getUrl() });
}

/** The chain's networks and the local one, with their configuration. */
export async function describeNetworks({
  dualstack,
  networks: configured,
}: HardhatConfig): Promise<NetworkDescription[]> {
  const networks: NetworkDescription[] = [];
  for (const kind of NETWORK_KINDS) {
    const { name } = dualstack.networks[kind];
    networks.push(
      await describeChain(dualstack, kind, await givenUrl(configured[name])),
    );
  }
  const local = configured[LOCALNET.name];
  if (local?.type === "edr-simulated") {
    const { chainId } = local;
    const { name } = LOCALNET;
    networks.push(describeOther(dualstack, { name, chainId, url: undefined }));
  }
  return networks;
}

async function givenUrl(
  network: NetworkConfig | undefined,
): Promise<string | undefined> {
  if (network?.type !== "http" || network.dualstack?.derivedUrl === true) {
    return undefined;
  }
  return await network.url.getUrl();
}
