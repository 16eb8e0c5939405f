import path from "node:path";
import { fileURLToPath } from "node:url";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { definePlugin } from "hardhat/plugins";
import type { HookContext, NetworkHooks } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";
import type { EdrNetworkUserConfig } from "hardhat/types/config";

import { DEFAULT_FACTS } from "../../src/chain/facts.js";
import {
  attachLocalnet,
  closeLocalnet,
  handleLocalnet,
} from "../../src/hardhat3/connection/localnet.js";
import type { LocalnetControl } from "../../src/localnet/control/control.js";
import {
  type LocalnetUserSettings,
  resolveLocalnet,
} from "../../src/localnet/settings/settings.js";
import {
  PRECOMPILE_ADDRESSES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../../src/precompiles/addresses.js";

type AnyConnection = NetworkConnection<ChainType | string>;

/** A simulated network with the emulation, and shortcuts for requests. */
export interface LocalNetwork {
  readonly connection: AnyConnection;
  readonly control: LocalnetControl;
  readonly accounts: readonly string[];
  rpc(method: string, ...params: unknown[]): Promise<any>;
  close(): Promise<void>;
}

export interface NetworkOptions {
  readonly settings?: LocalnetUserSettings;
  readonly network?: Partial<EdrNetworkUserConfig>;
  /** Without the emulation, to compare with. */
  readonly bare?: boolean;
  /** Whether a second passes after each estimate, before anything else. */
  readonly ticks?: boolean;
  /** Whether the node has only the default tracer. */
  readonly onlyInstructions?: boolean;
  readonly addresses?: PrecompileAddresses;
  /** The precompiles that are emulated; default: the usual ones. */
  readonly active?: readonly PrecompileName[];
  readonly facts?: {
    readonly bech32Prefix: string;
    readonly baseDenom: string;
  };
}

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Creates an environment that has the engine, by a minimal plugin. */
export async function createEnvironment(options: NetworkOptions = {}) {
  const controls = new WeakMap<AnyConnection, LocalnetControl>();
  const settings = resolveLocalnet(
    options.settings,
    options.facts ?? DEFAULT_FACTS,
    options.addresses ?? PRECOMPILE_ADDRESSES,
    options.active,
  );
  const handlers: Partial<NetworkHooks> = {
    async newConnection<C extends ChainType | string>(
      context: HookContext,
      next: (context: HookContext) => Promise<NetworkConnection<C>>,
    ) {
      const connection = await next(context);
      controls.set(
        connection,
        await attachLocalnet(connection, settings, {
          onlyInstructions: options.onlyInstructions,
        }),
      );
      return connection;
    },
    onRequest<C extends ChainType | string>(
      context: HookContext,
      connection: NetworkConnection<C>,
      request: JsonRpcRequest,
      next: (
        c: HookContext,
        n: NetworkConnection<C>,
        r: JsonRpcRequest,
      ) => Promise<JsonRpcResponse>,
    ) {
      const response = handleLocalnet(connection, request, (r) =>
        next(context, connection, r),
      );
      if (!options.ticks || request.method !== "eth_estimateGas")
        return response;
      const tick = { method: "evm_increaseTime", params: [1] };
      return response.finally(() => connection.provider.request(tick));
    },
    async closeConnection<C extends ChainType | string>(
      context: HookContext,
      connection: NetworkConnection<C>,
      next: (c: HookContext, n: NetworkConnection<C>) => Promise<void>,
    ) {
      await closeLocalnet(connection);
      await next(context, connection);
    },
  };
  const plugin = definePlugin({
    id: "localnet-under-test",
    hookHandlers: { network: async () => ({ default: async () => handlers }) },
  });
  const hre = await createHardhatRuntimeEnvironment(
    {
      plugins: options.bare ? [] : [plugin],
      networks: {
        default: {
          type: "edr-simulated",
          chainType: "generic",
          hardfork: "prague",
          ...options.network,
        },
      },
    },
    {},
    ROOT,
  );
  return { hre, controls };
}

export async function createNetwork(
  options: NetworkOptions = {},
): Promise<LocalNetwork> {
  const { hre, controls } = await createEnvironment(options);
  const connection: AnyConnection = await hre.network.create();
  const rpc = async (method: string, ...params: unknown[]) =>
    await connection.provider.request({ method, params });
  return {
    connection,
    control: controls.get(connection) as LocalnetControl,
    accounts: (await rpc("eth_accounts")) as string[],
    rpc,
    close: () => connection.close(),
  };
}

export type NetworkOn2 = Omit<LocalNetwork, "connection" | "control"> & {
  readonly control: Pick<LocalnetControl, "state">;
};

/** Creates the same on Hardhat 2, as its users have it. */
export async function createNetworkOn2({
  settings = {},
  facts,
  bare = false,
  network = {},
  multiplier,
}: Pick<NetworkOptions, "settings" | "facts" | "bare"> & {
  readonly network?: {
    readonly gas?: number | "auto";
    readonly blockGasLimit?: number;
  };
  /** The factor for gas estimates. */
  readonly multiplier?: number;
} = {}): Promise<NetworkOn2> {
  const { loadHardhat2 } = await import("../helpers/hardhat2.js");
  const hre = await loadHardhat2({
    ...(bare ? { plugins: [] } : {}),
    config: {
      networks: { hardhat: { hardfork: "prague", ...network } },
      dualstack: {
        ...facts,
        localnet: settings,
        ...(multiplier === undefined ? {} : { gas: { multiplier } }),
      },
    },
  });
  const rpc = async (method: string, ...params: unknown[]) =>
    await hre.network.provider.request({ method, params });
  return {
    get control() {
      return hre.dualstack.localnet;
    },
    accounts: (await rpc("eth_accounts")) as string[],
    rpc,
    close: async () => await Promise.resolve(),
  };
}
