import { HardhatPluginError } from "hardhat/plugins";
import type {
  ConfigurationVariableResolver,
  EdrNetworkConfig,
  HardhatConfig,
  HardhatUserConfig,
  HttpNetworkConfig,
  NetworkConfig,
  NetworkUserConfig,
  ResolvedConfigurationVariable,
} from "hardhat/types/config";

import { LOCALNET, NETWORK_KINDS } from "../../chain/facts.js";
import {
  type DualstackConfig,
  type DualstackNetworkConfig,
  resolveConfig,
} from "../../config/resolve.js";
import type { ConfigValue } from "../../config/user-config.js";
import type { GasSettings } from "../../gas/settings.js";
import { isDerivedUrl } from "./extend-user-config.js";
import { DualstackError } from "../../support/errors.js";
import { PLUGIN_ID } from "../constants.js";
import { capEvmVersion } from "./evm-version.js";
import { behindGateway } from "./forked-url.js";

/** Adds the resolved `dualstack`, and applies it to the chain's networks. */
export function resolveUserConfig(
  user: HardhatUserConfig,
  resolved: HardhatConfig,
  resolveVariable: ConfigurationVariableResolver,
): HardhatConfig {
  let dualstack: DualstackConfig;
  try {
    dualstack = resolveConfig(user.dualstack ?? {}, process.env, (value) =>
      fetchValue(value, resolveVariable),
    );
  } catch (error) {
    throw DualstackError.is(error)
      ? new HardhatPluginError(PLUGIN_ID, error.message, error)
      : error;
  }
  const networks = { ...resolved.networks };
  for (const kind of NETWORK_KINDS) {
    const ours = dualstack.networks[kind];
    const network = networks[ours.name];
    if (network?.type === "http") {
      networks[ours.name] = chainNetwork(network, user, ours, dualstack.gas);
    }
  }
  for (const [name, network] of Object.entries(networks)) {
    if (network.type === "edr-simulated") {
      networks[name] = forkedThroughGateway(
        name,
        withForkedUrl(network, user.networks?.[name], dualstack),
        dualstack,
      );
    }
  }
  const local = networks[LOCALNET.name];
  if (local?.type === "edr-simulated") {
    const multiplier = user.networks?.[LOCALNET.name]?.gasMultiplier;
    networks[LOCALNET.name] = {
      ...local,
      gasMultiplier: 1,
      dualstack: { gas: withMultiplier(dualstack.gas, multiplier) },
    };
  }
  return {
    ...resolved,
    networks,
    solidity: capEvmVersion(resolved.solidity),
    dualstack,
  };
}

/** A fork of one of the chain's networks, with the URL that is derived for it. */
function withForkedUrl(
  network: EdrNetworkConfig,
  user: NetworkUserConfig | undefined,
  { networks }: DualstackConfig,
): EdrNetworkConfig {
  const { forking } = network;
  if (forking === undefined || user?.type !== "edr-simulated") return network;
  const kind = NETWORK_KINDS.find((one) =>
    isDerivedUrl(user.forking?.url, one),
  );
  return kind === undefined
    ? network
    : { ...network, forking: { ...forking, url: derived(networks[kind]) } };
}

/** Makes the simulator fork a chain through a gateway, which saves most of its requests. */
function forkedThroughGateway(
  name: string,
  network: EdrNetworkConfig,
  dualstack: DualstackConfig,
): EdrNetworkConfig {
  const { forking } = network;
  const isEmulated = dualstack.localnet?.networks?.[name] !== false;
  return forking?.enabled !== true || !isEmulated
    ? network
    : {
        ...network,
        forking: { ...forking, url: behindGateway(forking, dualstack) },
      };
}

function chainNetwork(
  network: HttpNetworkConfig,
  user: HardhatUserConfig,
  ours: DualstackNetworkConfig,
  gas: GasSettings,
): NetworkConfig {
  const given = user.networks?.[ours.name];
  const derivedUrl = isDerivedUrl(
    given?.type === "http" ? given.url : undefined,
    ours.kind,
  );
  return {
    ...network,
    url: derivedUrl ? derived(ours) : network.url,
    gasMultiplier: 1,
    dualstack: {
      gas: withMultiplier(gas, given?.gasMultiplier),
      kind: ours.kind,
      lazyAccounts: given?.accounts === undefined,
      derivedUrl,
    },
  };
}

// The user's multiplier becomes the plugin's factor, and Hardhat's is set to 1;
// otherwise both would multiply.
const withMultiplier = (
  gas: GasSettings,
  multiplier: number | undefined,
): GasSettings => ({
  ...gas,
  multiplier: multiplier ?? gas.multiplier,
});

/** A network's EVM URL, derived when it is first needed. */
function derived(
  network: DualstackNetworkConfig,
): ResolvedConfigurationVariable {
  const get = async () => {
    const { requireEndpoint } = await import("../../chain/endpoints.js");
    try {
      return requireEndpoint(await network.endpoints(), "evmUrl", {
        network: network.name,
        kind: network.kind,
      });
    } catch (error) {
      const { toPluginError } = await import("../errors.js");
      throw toPluginError(error);
    }
  };
  return {
    _type: "ResolvedConfigurationVariable",
    format: "{variable}",
    get,
    getUrl: get,
    getBigInt: async () => BigInt(await get()),
    getHexString: get,
  };
}

/**
 * The value of a text or variable; an empty variable counts as unset, and
 * neither asks for a password.
 */
export async function fetchValue(
  value: ConfigValue,
  resolveVariable: ConfigurationVariableResolver,
): Promise<string | undefined> {
  if (typeof value === "string") {
    return nonEmpty(value);
  }
  // With a default, Hardhat does not open the keystore for a variable that is not in it.
  const { format = "{variable}", ...variable } = value;
  const raw = await resolveVariable({
    ...variable,
    format: "{variable}",
    default: variable.default ?? "",
  }).get();
  const text = nonEmpty(raw);
  return text === undefined ? undefined : format.replaceAll("{variable}", text);
}

function nonEmpty(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : trimmed;
}
