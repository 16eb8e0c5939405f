import type { HardhatConfig, NetworkConfig } from "hardhat/types/config";

import {
  LOCALNET,
  NETWORK_KINDS,
  type NetworkKind,
  NETWORKS,
} from "../../chain/facts.js";
import { type Endpoints, isLocalUrl } from "../../chain/endpoints.js";
import type { NetworkDescription } from "../../commands/context.js";
import {
  PRECOMPILE_ADDRESSES,
  PRECOMPILE_NAMES,
  type PrecompileAddresses,
} from "../../precompiles/addresses.js";
import type { AnyConnection } from "../connection/attach.js";

/** Where the precompiles are, by the configuration. */
export function precompileAddresses({
  dualstack,
}: Pick<HardhatConfig, "dualstack">): PrecompileAddresses {
  return Object.fromEntries(
    PRECOMPILE_NAMES.map((name) => [
      name,
      dualstack.precompiles[name].address ?? PRECOMPILE_ADDRESSES[name],
    ]),
  ) as unknown as PrecompileAddresses;
}

/** The network of a connection. */
export async function describeConnection(
  config: HardhatConfig,
  {
    networkName,
    networkConfig,
  }: Pick<AnyConnection, "networkName" | "networkConfig">,
): Promise<NetworkDescription> {
  const kind =
    networkConfig.type === "http" ? networkConfig.dualstack?.kind : undefined;
  if (kind !== undefined) {
    return await describeChain(config, kind, networkConfig);
  }
  const url =
    networkConfig.type === "http"
      ? await networkConfig.url.getUrl()
      : undefined;
  return describeOther(config, networkName, networkConfig, url);
}

/** The chain's two networks and the local one, with what is configured of each. */
export async function describeNetworks(
  config: HardhatConfig,
): Promise<NetworkDescription[]> {
  const networks: NetworkDescription[] = [];
  for (const kind of NETWORK_KINDS) {
    networks.push(
      await describeChain(
        config,
        kind,
        config.networks[config.dualstack.networks[kind].name],
      ),
    );
  }
  const local = config.networks[LOCALNET.name];
  if (local?.type === "edr-simulated") {
    networks.push(describeOther(config, LOCALNET.name, local, undefined));
  }
  return networks;
}

async function describeChain(
  config: HardhatConfig,
  kind: NetworkKind,
  network: NetworkConfig | undefined,
): Promise<NetworkDescription> {
  const { name, chainId, endpoints } = config.dualstack.networks[kind];
  return {
    name,
    kind,
    title: NETWORKS[kind].title,
    chainId,
    facts: config.dualstack.facts,
    endpoints: withUrl(await endpoints(), await givenUrl(network)),
    precompiles: precompileAddresses(config),
  };
}

// A URL that the user wrote into the network itself counts more than a derived one.
async function givenUrl(
  network: NetworkConfig | undefined,
): Promise<string | undefined> {
  if (network?.type !== "http" || network.dualstack?.derivedUrl === true) {
    return undefined;
  }
  return await network.url.getUrl();
}

const withUrl = (
  endpoints: Endpoints,
  evmUrl: string | undefined,
): Endpoints => (evmUrl === undefined ? endpoints : { ...endpoints, evmUrl });

function describeOther(
  config: HardhatConfig,
  name: string,
  network: NetworkConfig,
  url: string | undefined,
): NetworkDescription {
  const isLocal = url === undefined || isLocalUrl(url);
  return {
    name,
    kind: isLocal ? "local" : "other",
    title: isLocal ? LOCALNET.title : name,
    chainId: network.chainId ?? LOCALNET.chainId,
    facts: config.dualstack.facts,
    endpoints: url === undefined ? {} : { evmUrl: url },
    precompiles: precompileAddresses(config),
  };
}
