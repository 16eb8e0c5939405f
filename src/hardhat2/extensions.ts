import { BrowserProvider } from "ethers";
import { HARDHAT_NETWORK_NAME, HardhatPluginError } from "hardhat/plugins";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import type { Accounts } from "../config/accounts.js";
import { ConnectionExtension } from "../connection/extension.js";
import {
  createPrecompiles as create,
  type EthersOfHardhat,
} from "../connection/precompiles.js";
import type {
  ConnectionPrecompiles,
  DualstackConnection,
} from "../connection/types.js";
import { createFrameworkClients } from "../framework/clients.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import type { DualstackEnvironment } from "../local-node/environment.js";
import type { LocalNodeOptions } from "../local-node/index.js";
import { describeNetwork } from "./describe.js";
import { localControl } from "./local-control.js";
import { isEmulated } from "./emulated.js";
import { servicesOf } from "./services.js";

/** `hre.dualstack`. */
export function createExtension(
  hre: HardhatRuntimeEnvironment,
): DualstackConnection & DualstackEnvironment {
  const { config } = hre;
  const { name, provider } = hre.network;
  const network = describeNetwork(hre);
  const localnet = localControl(hre);
  const connection = unwrapped(
    new ConnectionExtension({
      network,
      provider,
      clients: createFrameworkClients({
        network: name,
        kind: network.kind,
        endpoints: network.endpoints,
        facts: network.facts,
        precompiles: network.precompiles,
        provider,
        ...("url" in hre.network.config
          ? { headers: hre.network.config.httpHeaders }
          : {}),
      }),
      services: () => {
        const { current } = servicesOf(config, name);
        return name !== HARDHAT_NETWORK_NAME || !isEmulated(config)
          ? (current ?? {})
          : {
              localnet,
              estimateBehind: (call, limit) =>
                current?.estimateBehind?.(call, limit),
            };
      },
      accounts: async () => await accountsOf(hre),
      replaySource: async () => {
        const { replaySourceOf } = await import("./replay.js");
        return replaySourceOf(hre);
      },
      noLocalnet: name === HARDHAT_NETWORK_NAME ? noLocalnet : undefined,
      longestWait: config.dualstack.localnet?.longestWait,
    }),
  );
  return Object.assign(connection, {
    startLocalNode: async (options?: LocalNodeOptions) => {
      const { startLocalNode } = await import("./local-node.js");
      return await startLocalNode(hre, options);
    },
  });
}

// Hardhat wraps lazy objects in a proxy, which has no private fields.
function unwrapped<T extends object>(object: T): T {
  return new Proxy(object, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function"
        ? (value.bind(target) as unknown)
        : value;
    },
  });
}

/** `hre.precompiles`. */
export const createPrecompiles = (
  hre: HardhatRuntimeEnvironment,
): ConnectionPrecompiles =>
  create(hre.config.dualstack, () => ethersOf(hre), describeNetwork(hre));

// hardhat-ethers, if the project has it.
function ethersOf(hre: HardhatRuntimeEnvironment): EthersOfHardhat {
  if ("ethers" in hre) {
    return hre.ethers as EthersOfHardhat;
  }
  const provider = new BrowserProvider(hre.network.provider);
  return { provider, getSigners: async () => await provider.listAccounts() };
}

async function accountsOf({
  config: { dualstack },
  network: { config },
}: HardhatRuntimeEnvironment): Promise<Accounts | undefined> {
  if (!("url" in config)) {
    return undefined;
  }
  const { lazyAccounts, kind } = config.dualstack ?? {};
  if (lazyAccounts === true && kind !== undefined) {
    return await dualstack.networks[kind].accounts();
  }
  return config.accounts === "remote"
    ? undefined
    : (config.accounts as Accounts);
}

const noLocalnet = () =>
  new HardhatPluginError(
    PLUGIN_ID,
    `The precompiles are switched off on the network ${HARDHAT_NETWORK_NAME}: remove dualstack.localnet.networks.${HARDHAT_NETWORK_NAME} from the configuration.`,
  );
