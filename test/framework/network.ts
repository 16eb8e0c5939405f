import type { ChainFacts } from "../../src/chain/facts.js";
import {
  createFrameworkClients,
  type FrameworkClients,
  type FrameworkOptions,
} from "../../src/framework/index.js";
import { Evm } from "../servers/evm.js";
import { GrpcServer } from "../servers/grpc.js";
import { NodeRpcServer } from "../servers/node-rpc.js";
import { recordedChain } from "../servers/recorded-state.js";
import { RestServer } from "../servers/rest.js";
import type { Chain } from "../servers/state.js";
import { WsServer } from "../servers/ws.js";

export const FACTS: ChainFacts = {
  currency: { name: "Test Token", symbol: "TEST", decimals: 18 },
  baseDenom: "atest",
  bech32Prefix: "cosmos",
  moduleAccounts: [],
  frameworkPrefix: "cosmos",
  networkPrefix: "cosmos.evm",
};

/** A network with every endpoint, and clients for it. */
export interface TestNetwork extends AsyncDisposable {
  readonly chain: Chain;
  readonly evm: Evm;
  readonly rest: RestServer;
  readonly nodeRpc: NodeRpcServer;
  readonly grpc: GrpcServer;
  readonly ws: WsServer;
  readonly clients: FrameworkClients;
}

export async function startNetwork(
  options: Partial<FrameworkOptions> & { readonly chain?: Chain } = {},
): Promise<TestNetwork> {
  const { chain = recordedChain(), ...rest } = options;
  const evm = new Evm(chain);
  const [restServer, nodeRpc, grpc, ws] = await Promise.all([
    RestServer.start(chain, "/api"),
    NodeRpcServer.start(chain),
    GrpcServer.start(chain),
    WsServer.start(chain),
  ]);
  const clients = createFrameworkClients({
    network: "test",
    kind: "local",
    endpoints: {
      restUrl: restServer.url,
      nodeRpcUrl: nodeRpc.url,
      grpcHost: grpc.host,
      wsUrl: ws.url,
    },
    facts: FACTS,
    provider: evm,
    timeoutMs: 5_000,
    retry: { backoffMs: 5 },
    ...rest,
  });
  return {
    chain,
    evm,
    rest: restServer,
    nodeRpc,
    grpc,
    ws,
    clients,
    async [Symbol.asyncDispose]() {
      await clients.close();
      await Promise.all(
        [restServer, nodeRpc, grpc, ws].map(
          async (server) => await server.close(),
        ),
      );
    },
  };
}
