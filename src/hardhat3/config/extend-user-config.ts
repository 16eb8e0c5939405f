import { HardhatPluginError } from "hardhat/plugins";
import type {
  ChainDescriptorsUserConfig,
  ChainDescriptorUserConfig,
  HardhatUserConfig,
  NetworkUserConfig,
} from "hardhat/types/config";

import {
  LOCALNET,
  NETWORK_KINDS,
  type NetworkKind,
  NETWORKS,
  PUBLIC_NETWORK_KINDS,
} from "../../chain/facts.js";
import { variableName } from "../../chain/variables.js";
import {
  chainIdOf,
  checkNetworks,
  explorerApi,
  explorerUrl,
  IGNITION_RETRIES,
  nameTaken,
  networkName,
  TIMEOUT_MS,
} from "../../config/networks.js";
import type { ConfigValue } from "../../config/user-config.js";
import { DualstackError } from "../../support/errors.js";
import { PLUGIN_ID } from "../constants.js";

/** Adds the chain's networks and chain descriptors; what the user wrote wins, field by field. */
export function extendUserConfig(config: HardhatUserConfig): HardhatUserConfig {
  const networks: Record<string, NetworkUserConfig> = { ...config.networks };
  try {
    checkNetworks(config.dualstack);
    for (const kind of NETWORK_KINDS) {
      const name = networkName(config.dualstack, kind);
      const chainId = chainIdOf(config.dualstack, kind);
      networks[name] = chainNetwork(kind, name, chainId, networks[name]);
    }
  } catch (error) {
    throw DualstackError.is(error)
      ? new HardhatPluginError(PLUGIN_ID, error.message, error)
      : error;
  }
  networks[LOCALNET.name] = localNetwork(networks[LOCALNET.name]);
  for (const [name, network] of Object.entries(networks)) {
    networks[name] = withForkedUrl(network, networks, config);
  }
  return {
    ...config,
    networks,
    chainDescriptors: { ...config.chainDescriptors, ...descriptors(config) },
  };
}

/** Stands in for the URL that resolveUserConfig derives. */
export const derivedUrl = (kind: NetworkKind): ConfigValue => ({
  _type: "ConfigurationVariable",
  name: variableName("evmUrl", kind),
  format: "{variable}",
});

/** Whether the plugin derives a network's URL. */
export function isDerivedUrl(url: unknown, kind: NetworkKind): boolean {
  return (
    typeof url === "object" &&
    url !== null &&
    "name" in url &&
    url.name === variableName("evmUrl", kind)
  );
}

// Users may write any part of a network; Hardhat's types require all of it.
function chainNetwork(
  kind: NetworkKind,
  name: string,
  chainId: number,
  given: Partial<NetworkUserConfig> | undefined,
): NetworkUserConfig {
  if (
    given !== undefined &&
    (given.type === "edr-simulated" || (given.chainId ?? chainId) !== chainId)
  ) {
    const what =
      given.type === "edr-simulated"
        ? "is a simulated one"
        : `has chain ID ${given.chainId}`;
    throw nameTaken(name, kind, chainId, what);
  }
  const merged = {
    type: "http",
    url: derivedUrl(kind),
    chainId,
    timeout: TIMEOUT_MS,
    ...given,
  };
  const ignition = {
    maxRetries: IGNITION_RETRIES,
    ...("ignition" in merged ? (merged.ignition as object) : {}),
  };
  return { ...merged, ignition } as unknown as NetworkUserConfig;
}

function localNetwork(
  given: Partial<NetworkUserConfig> | undefined,
): NetworkUserConfig {
  if (given?.type === "http") {
    // The user has a local network of their own.
    return given as NetworkUserConfig;
  }
  return {
    type: "edr-simulated",
    chainId: LOCALNET.chainId,
    hardfork: LOCALNET.hardfork,
    ...given,
  } as NetworkUserConfig;
}

/** Replaces `forking: { network }` by that network's URL. */
function withForkedUrl(
  network: NetworkUserConfig,
  networks: Readonly<Record<string, NetworkUserConfig>>,
  { dualstack }: HardhatUserConfig,
): NetworkUserConfig {
  if (network.type !== "edr-simulated" || network.forking === undefined)
    return network;
  const { network: forked, ...forking } = network.forking;
  if (forked === undefined) return network;
  const known = PUBLIC_NETWORK_KINDS.map((kind) =>
    networkName(dualstack, kind),
  );
  const source = networks[forked];
  if (!known.includes(forked) || source?.type !== "http") {
    throw new HardhatPluginError(
      PLUGIN_ID,
      `forking.network is ${JSON.stringify(forked)}, which is none of the chain's networks. Use ${known.join(" or ")}, or give forking.url.`,
    );
  }
  return {
    ...network,
    forking: { ...forking, url: forking.url ?? source.url },
  };
}

function descriptors(config: HardhatUserConfig): ChainDescriptorsUserConfig {
  return Object.fromEntries(
    PUBLIC_NETWORK_KINDS.map((kind) => {
      const { title } = NETWORKS[kind];
      const chainId = chainIdOf(config.dualstack, kind);
      const given: Partial<ChainDescriptorUserConfig> =
        config.chainDescriptors?.[chainId] ?? {};
      // Chain descriptors are plain values, so a URL in the keystore cannot be used here.
      const url = explorerUrl(
        config.dualstack?.[kind]?.explorerUrl,
        kind,
        (variable) => process.env[variable],
      );
      return [
        chainId,
        {
          name: title,
          hardforkHistory: { [LOCALNET.hardfork]: { blockNumber: 0 } },
          ...(url === undefined
            ? {}
            : {
                blockExplorers: {
                  blockscout: {
                    name: "Explorer",
                    url,
                    apiUrl: explorerApi(url),
                  },
                },
              }),
          ...given,
        },
      ];
    }),
  );
}
