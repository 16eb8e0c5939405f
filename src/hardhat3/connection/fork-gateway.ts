import { AsyncLocalStorage } from "node:async_hooks";
import path from "node:path";

import type {
  EdrNetworkForkingConfig,
  ResolvedConfigurationVariable,
} from "hardhat/types/config";

import { NETWORK_KINDS } from "../../chain/facts.js";
import { activeAddresses } from "../../config/describe.js";
import type { DualstackConfig } from "../../config/resolve.js";
import { toPluginError } from "../errors.js";
import type { Snapshot } from "../../live-state/snapshot.js";
import type { ForkGateway } from "../../localnet/fork/gateway.js";

/** What a connection that is being created forks through. */
interface Opening {
  gateway?: ForkGateway;
  /** Where it keeps what it reads, instead of Hardhat's cache folder. */
  readonly cache?: string;
}

/**
 * Only on while connections are being created, since an active storage slows
 * every promise down.
 */
const opening = new AsyncLocalStorage<Opening>();
let pending = 0;

async function whileOpening<T>(
  slot: Opening,
  open: () => Promise<T>,
): Promise<T> {
  pending++;
  try {
    return await opening.run(slot, open);
  } finally {
    if (--pending === 0) opening.disable();
  }
}

/**
 * Returns the URL to fork: a new gateway's while a connection is created, and
 * the real one otherwise.
 */
export async function urlToFork(
  { url, httpHeaders, blockNumber, cacheDir }: EdrNetworkForkingConfig,
  dualstack: DualstackConfig,
): Promise<string> {
  const real = await url.getUrl();
  const slot = opening.getStore();
  if (slot === undefined) return real;
  const { ForkGateway } = await import("../../localnet/fork/gateway.js");
  slot.gateway = await ForkGateway.open({
    url: real,
    headers: httpHeaders,
    height: blockNumber,
    cache: slot.cache ?? path.dirname(cacheDir),
    simulatorCache: path.dirname(cacheDir),
    chainIds: NETWORK_KINDS.map((kind) => dualstack.networks[kind].chainId),
    precompiles: activeAddresses(dualstack),
  });
  return slot.gateway?.url ?? real;
}

/** The URL of a snapshot, which is forked like a chain. */
export function ofSnapshot(
  snapshot: Snapshot,
  url: string,
  dualstack: DualstackConfig,
  simulatorCache: string,
): ResolvedConfigurationVariable {
  const getUrl = async () => {
    const slot = opening.getStore();
    if (slot === undefined) return url;
    const { ForkGateway } = await import("../../localnet/fork/gateway.js");
    try {
      slot.gateway = await ForkGateway.ofSnapshot(snapshot, {
        url,
        simulatorCache,
        chainIds: NETWORK_KINDS.map((kind) => dualstack.networks[kind].chainId),
        precompiles: activeAddresses(dualstack),
      });
    } catch (error) {
      throw toPluginError(error);
    }
    return slot.gateway.url;
  };
  return {
    _type: "ResolvedConfigurationVariable",
    format: "{variable}",
    get: getUrl,
    getUrl,
    getBigInt: async () => BigInt(await getUrl()),
    getHexString: getUrl,
  };
}

/** Creates connections that keep what they read of a fork in a folder. */
export async function keepingIn<T>(
  cache: string,
  open: () => Promise<T>,
): Promise<T> {
  return await whileOpening({ cache }, open);
}

/** Creates a connection, with the gateway that it forks through, if it does. */
export async function openedBehindGateway<T>(
  open: () => Promise<T>,
): Promise<{ opened: T; gateway: ForkGateway | undefined }> {
  const slot: Opening = { cache: opening.getStore()?.cache };
  try {
    return {
      opened: await whileOpening(slot, open),
      gateway: slot.gateway,
    };
  } catch (error) {
    await slot.gateway?.close();
    throw error;
  }
}
