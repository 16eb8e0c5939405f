import { HardhatPluginError } from "hardhat/plugins";
import type { HardhatConfig } from "hardhat/types/config";
import type { HookContext } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

import { parseAddress, toValoper } from "../../address/index.js";
import { LOCALNET } from "../../chain/facts.js";
import { toViemChain } from "../../chain/viem-chain.js";
import type { NetworkDescription } from "../../commands/context.js";
import {
  createFrameworkClients,
  type FrameworkClients,
} from "../../framework/clients.js";
import type { NonceSource } from "../../framework/node-rpc/sender.js";
import type { EstimateSource } from "../../gas/quote.js";
import type { LocalnetControl } from "../../localnet/control.js";
import { PLUGIN_ID } from "../constants.js";
import { toPluginError } from "../errors.js";
import { describeConnection } from "../config/describe.js";
import type { DualstackConnection } from "../types.js";

export type AnyConnection = NetworkConnection<ChainType | string>;
export type NextRequest = (request: JsonRpcRequest) => Promise<JsonRpcResponse>;

/** What answers the requests of a connection that concerns us. */
export interface RequestHandler extends Partial<EstimateSource> {
  /** Where the precompiles are emulated. */
  readonly localnet?: LocalnetControl;
  /** The nonces that both stacks count. */
  readonly nonces?: NonceSource;
  handle(request: JsonRpcRequest, next: NextRequest): Promise<JsonRpcResponse>;
  close(): Promise<void>;
}

export interface AttachedConnection {
  /** Absent on networks that are not ours. */
  readonly handler: RequestHandler | undefined;
  close(): Promise<void>;
}

/** Gives a new connection its `precompiles` and `dualstack`, and what handles its requests. */
export async function attach(
  context: HookContext,
  connection: AnyConnection,
): Promise<AttachedConnection> {
  try {
    const network = await describeConnection(context.config, connection);
    const handler = await createHandler(context, connection, network);
    const { createPrecompiles } = await import("./precompiles.js");
    const clients = createFrameworkClients({
      network: network.name,
      kind: network.kind,
      endpoints: network.endpoints,
      facts: network.facts,
      precompiles: network.precompiles,
      provider: connection.provider,
      allowInsecure: allowsInsecure(context, network),
    });
    Object.assign(connection, {
      dualstack: new ConnectionExtension(
        context.config,
        connection,
        network,
        handler,
        clients,
      ),
      precompiles: createPrecompiles(
        context.config.dualstack,
        connection,
        network,
      ),
    });
    return {
      handler,
      close: async () => {
        await clients.close();
        await handler?.close();
      },
    };
  } catch (error) {
    throw toPluginError(error);
  }
}

async function createHandler(
  context: HookContext,
  connection: AnyConnection,
  network: NetworkDescription,
): Promise<RequestHandler | undefined> {
  const { networkConfig } = connection;
  if (networkConfig.type === "edr-simulated") {
    const { createLocalHandler } = await import("./local-handler.js");
    return await createLocalHandler(context, connection, networkConfig);
  }
  if (networkConfig.dualstack === undefined) {
    return undefined;
  }
  const { createChainHandler } = await import("./chain-handler.js");
  return await createChainHandler(
    context,
    connection,
    networkConfig,
    networkConfig.dualstack,
    network,
  );
}

const allowsInsecure = (context: HookContext, { kind }: NetworkDescription) =>
  kind === "testnet" || kind === "mainnet"
    ? context.config.dualstack.networks[kind].allowInsecure
    : false;

class ConnectionExtension implements DualstackConnection {
  readonly network: NetworkDescription;
  readonly #handler: RequestHandler | undefined;
  readonly #clients: FrameworkClients;
  readonly #config: HardhatConfig;
  readonly #connection: AnyConnection;

  constructor(
    config: HardhatConfig,
    connection: AnyConnection,
    network: NetworkDescription,
    handler: RequestHandler | undefined,
    clients: FrameworkClients,
  ) {
    this.#config = config;
    this.#connection = connection;
    this.network = network;
    this.#handler = handler;
    this.#clients = clients;
  }

  get events() {
    return this.#clients.events;
  }

  get nodeRpc() {
    return this.#clients.nodeRpc;
  }

  get rest() {
    return this.#clients.rest;
  }

  get grpc() {
    return this.#clients.grpc;
  }

  get query() {
    return this.#clients.query;
  }

  async frameworkSender() {
    const { createFrameworkSender } = await import("./framework-sender.js");
    return await createFrameworkSender(
      this.#config,
      this.#connection,
      this.nodeRpc,
      this.#handler?.nonces,
    );
  }

  get viemChain() {
    const { kind, chainId, title, endpoints, facts } = this.network;
    const chain = toViemChain(
      kind === "mainnet" ? "mainnet" : "testnet",
      endpoints,
      facts,
    );
    return { ...chain, id: chainId, name: title };
  }

  get localnet(): LocalnetControl {
    if (this.#handler?.localnet === undefined) {
      throw new HardhatPluginError(
        PLUGIN_ID,
        `The network ${this.network.name} has no emulated precompiles. Use ${LOCALNET.name}, default or node, or switch them on for a simulated network: dualstack.localnet.networks: { ${this.network.name}: true }.`,
      );
    }
    return this.#handler.localnet;
  }

  address(text: string) {
    return parseAddress(text, { prefix: this.network.facts.bech32Prefix });
  }

  valoper(validator: string) {
    return toValoper(validator, { prefix: this.network.facts.bech32Prefix });
  }

  estimateBehind(
    call: { readonly to?: string; readonly data?: string },
    limit: bigint,
  ) {
    return this.#handler?.estimateBehind?.(call, limit);
  }
}
