import { readFile } from "node:fs/promises";
import path from "node:path";

import { HARDHAT_NETWORK_NAME, HardhatPluginError } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";
import type { EthereumProvider } from "hardhat/types/provider";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { NETWORK_KINDS } from "../chain/facts.js";
import { activeAddresses } from "../config/describe.js";
import { parseSnapshot } from "../live-state/snapshot.js";
import type { ForkGateway } from "../localnet/fork/gateway.js";
import type { Forking } from "../localnet/fork/live-fork.js";
import { DualstackError } from "../support/errors.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import { NO_URL, STATE_URL } from "./config.js";
import { toPluginError } from "./errors.js";
import { isEmulated } from "./emulated.js";

/** The part of Hardhat's lazy provider that creates the real one. */
interface Waiting {
  _providerFactory?: () => Promise<EthereumProvider>;
}

const gateways = new WeakMap<HardhatConfig, ForkGateway>();

/** The gateway through which Hardhat's own network forks, if it does. */
export const gatewayOf = (config: HardhatConfig): ForkGateway | undefined =>
  gateways.get(config);

/**
 * Opens a gateway to a forked chain, and closes the previous one. `undefined`:
 * the chain is not one of ours.
 */
export async function openGateway(
  config: HardhatConfig,
  forking: (Forking & { readonly height?: bigint }) | undefined,
): Promise<ForkGateway | undefined> {
  await gateways.get(config)?.close();
  gateways.delete(config);
  if (forking === undefined || !isEmulated(config)) return undefined;
  const { ForkGateway } = await import("../localnet/fork/gateway.js");
  const gateway = await ForkGateway.open({
    ...forking,
    simulatorCache: config.paths.cache,
    chainIds: NETWORK_KINDS.map(
      (kind) => config.dualstack.networks[kind].chainId,
    ),
    precompiles: activeAddresses(config.dualstack),
  });
  if (gateway !== undefined) gateways.set(config, gateway);
  return gateway;
}

/**
 * Makes Hardhat's own network fork through a gateway. Hardhat reads the URL
 * when its provider is first used, and the configuration has the gateway's URL
 * only then.
 */
export function forkBehindGateway({
  config,
  network,
}: HardhatRuntimeEnvironment): void {
  const waiting = network.provider as Waiting;
  const create = waiting._providerFactory;
  if (network.name !== HARDHAT_NETWORK_NAME || create === undefined) return;
  waiting._providerFactory = async () =>
    await openedBehindGateway(config, create);
}

/** Creates a provider of a configuration's own network, which forks through a gateway. */
export async function openedBehindGateway<T>(
  config: HardhatConfig,
  create: () => Promise<T>,
): Promise<T> {
  const { forking } = config.networks[HARDHAT_NETWORK_NAME];
  if (forking?.enabled !== true) return await create();
  const { url, httpHeaders: headers, blockNumber } = forking;
  if (url === NO_URL) {
    throw new HardhatPluginError(
      PLUGIN_ID,
      "The URL of the network that is forked is not configured: set dualstack.<network>.baseUrl, or give forking.url.",
    );
  }
  const gateway =
    url === STATE_URL
      ? await openState(config)
      : await openGateway(config, {
          url,
          headers,
          ...(blockNumber === undefined
            ? {}
            : { height: BigInt(blockNumber), cache: config.paths.cache }),
        });
  forking.url = gateway?.url ?? url;
  if (gateway?.snapshot !== undefined)
    forking.blockNumber = gateway.snapshot.block.number;
  try {
    return await create();
  } finally {
    forking.url = url;
  }
}

/** Opens a gateway to the snapshot that `dualstack.localnet.state` names. */
async function openState(config: HardhatConfig): Promise<ForkGateway> {
  const { dualstack, paths } = config;
  const file = path.resolve(paths.root, dualstack.localnet?.state ?? "");
  try {
    const text = await readFile(file, "utf8").catch((cause: unknown) => {
      throw new DualstackError(`the snapshot ${file} cannot be read`, {
        fix: "Write it with hardhat dualstack:snapshot, or remove dualstack.localnet.state.",
        cause,
      });
    });
    const { ForkGateway } = await import("../localnet/fork/gateway.js");
    const gateway = await ForkGateway.ofSnapshot(parseSnapshot(text, file), {
      url: STATE_URL,
      simulatorCache: paths.cache,
      chainIds: NETWORK_KINDS.map((kind) => dualstack.networks[kind].chainId),
      precompiles: activeAddresses(dualstack),
    });
    gateways.set(config, gateway);
    return gateway;
  } catch (error) {
    throw toPluginError(error);
  }
}
