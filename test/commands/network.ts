import type { DualstackUserConfig } from "../../src/config/user-config.js";
import type { NetworkDescription } from "../../src/config/network-description.js";
import { ofPrecompiles } from "../../src/precompiles/addresses.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { FACTS } from "../framework/network.js";
import type { RpcProvider } from "../../src/rpc/provider.js";
import { startNode } from "../local-node/start.js";
import { Evm } from "../servers/evm.js";
import { EvmHttpServer } from "../servers/evm-http.js";
import { GrpcServer } from "../servers/grpc.js";
import { NodeRpcServer } from "../servers/node-rpc.js";
import { recordedChain } from "../servers/recorded-state.js";
import { RestServer } from "../servers/rest.js";
import type { Chain } from "../servers/state.js";
import { WsServer } from "../servers/ws.js";
import { describedNetwork } from "./helpers.js";

/** A network with every endpoint; requests to it go to its JSON-RPC. */
export interface AnyNetwork extends RpcProvider, AsyncDisposable {
  /** Describes it to a command, with some fields replaced. */
  describe(given?: Partial<NetworkDescription>): NetworkDescription;
}

/** A network with every endpoint on loopback, for commands. */
export interface WholeNetwork extends AnyNetwork {
  readonly chain: Chain;
  readonly evm: Evm;
  readonly evmHttp: EvmHttpServer;
  readonly rest: RestServer;
  readonly nodeRpc: NodeRpcServer;
  readonly grpc: GrpcServer;
  readonly ws: WsServer;
}

export const ABIS = ofPrecompiles((name) => PRECOMPILES[name].abi);

/** Describes a network at these endpoints, with the facts of the recordings. */
export const describedAt =
  (ours: NetworkDescription["endpoints"]): AnyNetwork["describe"] =>
  (given = {}) =>
    describedNetwork({
      facts: FACTS,
      ...given,
      endpoints: { ...ours, ...given.endpoints },
    });

/** @param blockMs milliseconds between blocks; 0 for none */
export async function wholeNetwork(blockMs = 0): Promise<WholeNetwork> {
  const chain = recordedChain();
  const evm = new Evm(chain);
  const [evmHttp, rest, nodeRpc, grpc, ws] = await Promise.all([
    EvmHttpServer.start(evm),
    RestServer.start(chain, "/api"),
    NodeRpcServer.start(chain),
    GrpcServer.start(chain),
    WsServer.start(chain),
  ]);
  const timer =
    blockMs === 0
      ? undefined
      : setInterval(() => void chain.mine([], true), blockMs);
  return {
    chain,
    evm,
    evmHttp,
    rest,
    nodeRpc,
    grpc,
    ws,
    request: async (request) => await evm.request(request),
    describe: describedAt({
      evmUrl: evmHttp.url,
      wsUrl: ws.url,
      nodeRpcUrl: nodeRpc.url,
      restUrl: rest.url,
      grpcHost: grpc.host,
    }),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.all(
        [evmHttp, rest, nodeRpc, grpc, ws].map(
          async (server) => await server.close(),
        ),
      );
    },
  };
}

/** Settings that give a local node the names of the recorded network. */
export const FACTS_OF_LOCAL_NODE: DualstackUserConfig = {
  currency: { name: FACTS.currency.name, symbol: FACTS.currency.symbol },
  baseDenom: FACTS.baseDenom,
};

/** Starts a local node in place of the recorded network. */
async function localNetwork(): Promise<AnyNetwork> {
  // As strict as a real node.
  const started = await startNode({ likeChain: true }, FACTS_OF_LOCAL_NODE);
  const { evmUrl, wsUrl, nodeRpcUrl, restUrl, grpcHost } =
    started.node.endpoints;
  return {
    describe: describedAt({ evmUrl, wsUrl, nodeRpcUrl, restUrl, grpcHost }),
    request: async ({ method, params = [] }) =>
      await started.evm(method, ...params),
    [Symbol.asyncDispose]: async () => await started[Symbol.asyncDispose](),
  };
}

/**
 * The networks that each command is tested on, with a new block every 100 ms.
 */
export const ANY_NETWORK: readonly (readonly [
  where: string,
  start: () => Promise<AnyNetwork>,
])[] = [
  ["as recorded", async () => await wholeNetwork(100)],
  ["of a local node", localNetwork],
];
