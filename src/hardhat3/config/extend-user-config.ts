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
} from "../../chain/facts.js";
import { variableName } from "../../chain/variables.js";
import type {
  ConfigValue,
  NetworkUserSettings,
} from "../../config/user-config.js";
import { PLUGIN_ID } from "../constants.js";

/**
 * Milliseconds that the node has for an answer: it holds back a receipt that
 * is not there yet for 30 s.
 */
const TIMEOUT_MS = 40_000;

/** Ignition asks so often, a second apart, whether a transaction is there before it takes it for dropped. */
const IGNITION_RETRIES = 60;

/** Adds our networks and what is known of their chains; what the user wrote wins, field by field. */
export function extendUserConfig(config: HardhatUserConfig): HardhatUserConfig {
  const networks: Record<string, NetworkUserConfig> = { ...config.networks };
  mustBeDistinct(config);
  for (const kind of NETWORK_KINDS) {
    const name = networkName(config, kind);
    networks[name] = chainNetwork(kind, name, networks[name]);
  }
  networks[LOCALNET.name] = localNetwork(networks[LOCALNET.name]);
  return {
    ...config,
    networks,
    chainDescriptors: { ...config.chainDescriptors, ...descriptors(config) },
  };
}

/** The name of one of our networks in Hardhat. */
export function networkName(
  config: HardhatUserConfig,
  kind: NetworkKind,
): string {
  // The user's configuration is not validated yet.
  const name: unknown = config.dualstack?.[kind]?.name;
  return typeof name === "string" && name !== "" ? name : kind;
}

function mustBeDistinct(config: HardhatUserConfig): void {
  const names = new Map<string, string>([[LOCALNET.name, "the local network"]]);
  for (const kind of NETWORK_KINDS) {
    const name = networkName(config, kind);
    const other = names.get(name);
    if (other !== undefined) {
      throw new HardhatPluginError(
        PLUGIN_ID,
        `dualstack.${kind}.name: "${name}" is the name of ${other} already. Choose another one.`,
      );
    }
    names.set(name, NETWORKS[kind].title);
  }
}

/** Stands for the URL that resolveUserConfig derives. */
export const derivedUrl = (kind: NetworkKind): ConfigValue => ({
  _type: "ConfigurationVariable",
  name: variableName("evmUrl", kind),
  format: "{variable}",
});

/** Whether a network's URL is ours to derive. */
export function isDerivedUrl(url: unknown, kind: NetworkKind): boolean {
  return (
    typeof url === "object" &&
    url !== null &&
    "name" in url &&
    url.name === variableName("evmUrl", kind)
  );
}

// A user may write any part of a network; the types of Hardhat want it whole.
function chainNetwork(
  kind: NetworkKind,
  name: string,
  given: Partial<NetworkUserConfig> | undefined,
): NetworkUserConfig {
  const { chainId } = NETWORKS[kind];
  if (
    given !== undefined &&
    (given.type === "edr-simulated" || (given.chainId ?? chainId) !== chainId)
  ) {
    const what =
      given.type === "edr-simulated"
        ? "is a simulated one"
        : `has chain ID ${given.chainId}`;
    throw new HardhatPluginError(
      PLUGIN_ID,
      `The network "${name}" of your configuration ${what}, but ${PLUGIN_ID} uses that name for chain ID ${chainId}. Give ours another name, dualstack.${kind}.name: "…", or rename yours.`,
    );
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
    // The user's own idea of a local network.
    return given as NetworkUserConfig;
  }
  return {
    type: "edr-simulated",
    chainId: LOCALNET.chainId,
    hardfork: LOCALNET.hardfork,
    ...given,
  } as NetworkUserConfig;
}

function descriptors(config: HardhatUserConfig): ChainDescriptorsUserConfig {
  return Object.fromEntries(
    NETWORK_KINDS.map((kind) => {
      const { chainId, title } = NETWORKS[kind];
      const given: Partial<ChainDescriptorUserConfig> =
        config.chainDescriptors?.[chainId] ?? {};
      const url = explorerUrl(config.dualstack?.[kind], kind);
      return [
        chainId,
        {
          name: title,
          hardforkHistory: { [LOCALNET.hardfork]: { blockNumber: 0 } },
          ...(url === undefined
            ? {}
            : {
                blockExplorers: {
                  blockscout: { name: "Explorer", url, apiUrl: `${url}/api` },
                },
              }),
          ...given,
        },
      ];
    }),
  );
}

// Descriptors are plain values, so only what is known without asking the keystore counts.
function explorerUrl(
  settings: NetworkUserSettings | undefined,
  kind: NetworkKind,
): string | undefined {
  const given = settings?.explorerUrl;
  const text =
    typeof given === "string"
      ? given
      : process.env[
          given === undefined ? variableName("explorerUrl", kind) : given.name
        ];
  const url = text?.trim().replace(/\/+$/, "");
  return url === undefined || url === "" ? undefined : url;
}
