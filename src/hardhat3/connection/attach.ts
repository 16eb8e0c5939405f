import { HardhatPluginError } from "hardhat/plugins";
import type { HookContext } from "hardhat/types/hooks";

import { LOCALNET } from "../../chain/facts.js";
import type { NetworkDescription } from "../../config/network-description.js";
import { ConnectionExtension } from "../../connection/extension.js";
import { createFrameworkClients } from "../../framework/clients.js";
import type { ForkGateway } from "../../localnet/fork/gateway.js";
import { describeConnection } from "../config/describe.js";
import { PLUGIN_ID } from "../constants.js";
import { toPluginError } from "../errors.js";
import { accountsOf } from "./accounts.js";
import type { AnyConnection, RequestHandler } from "./handler.js";

export interface AttachedConnection {
  /** Absent on networks that the plugin does not handle. */
  readonly handler: RequestHandler | undefined;
  close(): Promise<void>;
}

/**
 * Adds `precompiles` and `dualstack` to a new connection, and a handler for its
 * requests. `gateway`: what it forks through.
 */
export async function attach(
  context: HookContext,
  connection: AnyConnection,
  gateway?: ForkGateway,
): Promise<AttachedConnection> {
  try {
    const network = await describeConnection(context.config, connection);
    const handler = await createHandler(context, connection, network, gateway);
    const { createPrecompiles } = await import(
      "../../connection/precompiles.js"
    );
    const clients = createFrameworkClients({
      network: network.name,
      kind: network.kind,
      endpoints: network.endpoints,
      facts: network.facts,
      precompiles: network.precompiles,
      abis: network.abis,
      provider: connection.provider,
      ...(connection.networkConfig.type === "http"
        ? { headers: connection.networkConfig.httpHeaders }
        : {}),
    });
    Object.assign(connection, {
      dualstack: new ConnectionExtension({
        network,
        provider: connection.provider,
        clients,
        services: () => handler ?? {},
        accounts: async () => await accountsOf(context.config, connection),
        replaySource: async () => {
          const { replaySourceOf } = await import("../replay.js");
          return await replaySourceOf(
            context,
            network,
            connection.networkConfig,
          );
        },
        noLocalnet:
          connection.networkConfig.type === "edr-simulated"
            ? () => noLocalnet(network.name)
            : undefined,
        longestWait: context.config.dualstack.localnet?.longestWait,
      }),
      precompiles: createPrecompiles(
        context.config.dualstack,
        () => connection.ethers,
        network,
      ),
    });
    return {
      handler,
      close: async () => {
        await clients.close();
        await handler?.close();
        await gateway?.close();
      },
    };
  } catch (error) {
    await gateway?.close();
    throw toPluginError(error);
  }
}

async function createHandler(
  context: HookContext,
  connection: AnyConnection,
  network: NetworkDescription,
  gateway: ForkGateway | undefined,
): Promise<RequestHandler | undefined> {
  const { networkConfig } = connection;
  if (networkConfig.type === "edr-simulated") {
    const { createLocalHandler } = await import("./local-handler.js");
    return await createLocalHandler(
      context,
      connection,
      networkConfig,
      gateway,
    );
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

const noLocalnet = (network: string) =>
  new HardhatPluginError(
    PLUGIN_ID,
    `The network ${network} has no emulated precompiles. Use ${LOCALNET.name}, default or node, or switch them on for a simulated network: dualstack.localnet.networks: { ${network}: true }.`,
  );
