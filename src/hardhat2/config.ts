import type {
  HardhatConfig,
  HardhatUserConfig,
  HttpNetworkConfig,
  NetworkConfig,
} from "hardhat/types/config";
import { HARDHAT_NETWORK_NAME, HardhatPluginError } from "hardhat/plugins";

import { LOCALNET, NETWORK_KINDS, type NetworkKind } from "../chain/facts.js";
import { readEndpoints } from "../config/endpoints.js";
import {
  checkNetworks,
  IGNITION_RETRIES,
  nameTaken,
  networkName,
  TIMEOUT_MS,
} from "../config/networks.js";
import { type DualstackConfig, resolveConfig } from "../config/resolve.js";
import type { GasSettings } from "../gas/settings.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import { toPluginError } from "./errors.js";
import { valueOf } from "./variables.js";

/** The plugin's part of a chain network in the resolved configuration. */
export interface NetworkOptions {
  readonly kind: NetworkKind;
  readonly gas: GasSettings;
  /** Whether the plugin finds the accounts, on first use. */
  readonly lazyAccounts: boolean;
  /** Whether the URL is derived from the configured endpoints. */
  readonly derivedUrl: boolean;
}

/** The plugin's part of Hardhat's own network. */
export type LocalNetworkOptions = Pick<NetworkOptions, "gas">;

/** The highest gas limit of a transaction under Hardhat 2's default rules (EIP-7825). */
const OSAKA_GAS_CAP = 16_777_216n;

/** Ignition's part of a network. */
interface WithIgnition {
  ignition?: { maxRetries?: number };
}

/**
 * Stands in for an unknown URL; the provider says which variable to set before
 * it sends a request.
 */
export const NO_URL = "http://not-configured.invalid";

/** Adds `dualstack` and the chain's networks to the resolved configuration. */
export function extendResolvedConfig(
  config: HardhatConfig,
  user: Readonly<HardhatUserConfig>,
): void {
  try {
    checkNetworks(user.dualstack, HARDHAT_NETWORK_NAME);
    checkConfig(user.dualstack);
    const dualstack = resolveConfig(
      user.dualstack ?? {},
      process.env,
      async (value) => await Promise.resolve(valueOf(value)),
    );
    config.dualstack = dualstack;
    for (const kind of NETWORK_KINDS) {
      const name = networkName(user.dualstack, kind);
      config.networks[name] = chainNetwork(kind, config, user, dualstack);
    }
  } catch (error) {
    throw toPluginError(error);
  }
  forkByName(config);
  beginWithState(config);
  bufferLocal(config, user);
  knowChains(config);
}

function checkConfig(dualstack: unknown): void {
  if (dualstack === undefined) {
    return;
  }
  // Hardhat 2 extends its configuration synchronously, so the checks are
  // required only if there is something to check.
  const { validateUserConfig } =
    require("../config/schema.js") as typeof import("../config/schema.js");
  const [first, ...others] = validateUserConfig(dualstack, [
    HARDHAT_NETWORK_NAME,
  ]);
  if (first !== undefined) {
    const lines = [first, ...others].map(
      ({ path, message }) => `  - ${path.join(".")}: ${message}`,
    );
    throw new HardhatPluginError(
      PLUGIN_ID,
      `The configuration is wrong:\n${lines.join("\n")}`,
    );
  }
}

function chainNetwork(
  kind: NetworkKind,
  config: HardhatConfig,
  user: Readonly<HardhatUserConfig>,
  { networks, gas }: DualstackConfig,
): NetworkConfig {
  const { name, chainId } = networks[kind];
  const given = user.networks?.[name];
  const resolved = config.networks[name] as
    | Partial<HttpNetworkConfig>
    | undefined;
  if ((given?.chainId ?? chainId) !== chainId) {
    throw nameTaken(name, kind, chainId, `has chain ID ${given?.chainId}`);
  }
  const derivedUrl = resolved?.url === undefined;
  const network: HttpNetworkConfig & WithIgnition = {
    accounts: "remote",
    gas: "auto",
    gasPrice: "auto",
    httpHeaders: {},
    ...resolved,
    // The user's multiplier becomes the plugin's factor; otherwise both would multiply.
    gasMultiplier: 1,
    timeout:
      given !== undefined && "timeout" in given && given.timeout !== undefined
        ? given.timeout
        : TIMEOUT_MS,
    url:
      resolved?.url ??
      derived(kind, user, networks[kind].allowInsecure) ??
      NO_URL,
    chainId,
    // Ignition fails on networks without this.
    ignition: { ...(resolved as WithIgnition | undefined)?.ignition },
    dualstack: {
      kind,
      gas: { ...gas, multiplier: given?.gasMultiplier ?? gas.multiplier },
      lazyAccounts:
        given === undefined ||
        !("accounts" in given) ||
        given.accounts === undefined,
      derivedUrl,
    },
  };
  return network;
}

// A malformed address is reported when it is used.
function derived(
  kind: NetworkKind,
  { dualstack }: Readonly<HardhatUserConfig>,
  allowInsecure: boolean,
): string | undefined {
  try {
    return readEndpoints(dualstack?.[kind] ?? {}, valueOf, {
      network: networkName(dualstack, kind),
      kind,
      allowInsecure,
    }).evmUrl;
  } catch {
    return undefined;
  }
}

/**
 * Makes Ignition wait as long as the chain needs; Ignition may fill in its part
 * before or after this.
 */
export function makePatient({ networks, dualstack }: HardhatConfig): void {
  for (const kind of NETWORK_KINDS) {
    const network = networks[dualstack.networks[kind].name] as
      | WithIgnition
      | undefined;
    if (network?.ignition !== undefined) {
      network.ignition.maxRetries ??= IGNITION_RETRIES;
    }
  }
}

/**
 * The gas buffer on Hardhat's own network; a multiplier set by the user is the
 * factor there too.
 */
function bufferLocal(
  { networks, dualstack }: HardhatConfig,
  user: Readonly<HardhatUserConfig>,
): void {
  const network = networks[HARDHAT_NETWORK_NAME];
  const { gas } = dualstack;
  const given = user.networks?.[HARDHAT_NETWORK_NAME]?.gasMultiplier;
  network.gasMultiplier = 1;
  network.dualstack = {
    gas: {
      ...gas,
      multiplier: given ?? gas.multiplier,
      transactionGasCap:
        gas.transactionGasCap ??
        (network.hardfork === "osaka" ? OSAKA_GAS_CAP : undefined),
    },
  };
}

/** Stands in for the snapshot that `dualstack.localnet.state` names. */
export const STATE_URL = "http://snapshot.invalid";

/**
 * Hardhat's own network starts from a snapshot as if it forked a chain; the
 * file is read when the network is first used.
 */
function beginWithState({ networks, dualstack }: HardhatConfig): void {
  const network = networks[HARDHAT_NETWORK_NAME];
  const isWanted = dualstack.localnet?.networks?.[HARDHAT_NETWORK_NAME] ?? true;
  if (dualstack.localnet?.state === undefined || !isWanted) return;
  network.forking ??= { enabled: true, url: STATE_URL, httpHeaders: {} };
}

/** A fork may give the name of one of the chain's networks instead of a URL. */
function forkByName({ networks, dualstack }: HardhatConfig): void {
  const { forking } = networks[HARDHAT_NETWORK_NAME];
  if (forking === undefined) return;
  for (const kind of NETWORK_KINDS) {
    const { name } = dualstack.networks[kind];
    const network = networks[name];
    if (forking.url === name && network !== undefined && "url" in network) {
      forking.url = network.url ?? NO_URL;
    }
  }
}

/** Hardhat must know the rules of a chain to fork it. */
function knowChains({ networks, dualstack }: HardhatConfig): void {
  const { chains } = networks[HARDHAT_NETWORK_NAME];
  for (const kind of NETWORK_KINDS) {
    const { chainId } = dualstack.networks[kind];
    if (!chains.has(chainId)) {
      chains.set(chainId, {
        hardforkHistory: new Map([[LOCALNET.hardfork, 0]]),
      });
    }
  }
}
