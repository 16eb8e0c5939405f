import type { NetworkDescription } from "../../src/config/network-description.js";
import { ofPrecompiles } from "../../src/precompiles/addresses.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { FACTS } from "../framework/network.js";
import { Evm } from "../servers/evm.js";
import { EvmHttpServer } from "../servers/evm-http.js";
import { GrpcServer } from "../servers/grpc.js";
import { NodeRpcServer } from "../servers/node-rpc.js";
import { recordedChain } from "../servers/recorded-state.js";
import { RestServer } from "../servers/rest.js";
import type { Chain } from "../servers/state.js";
import { WsServer } from "../servers/ws.js";
import { describedNetwork } from "./helpers.js";

/** A network with every endpoint on loopback, for commands. */
export interface WholeNetwork extends AsyncDisposable {
  readonly chain: Chain;
  readonly evm: Evm;
  readonly evmHttp: EvmHttpServer;
  readonly rest: RestServer;
  readonly nodeRpc: NodeRpcServer;
  readonly grpc: GrpcServer;
  readonly ws: WsServer;
  /** What a command is told of it, with a part replaced. */
  describe(given?: Partial<NetworkDescription>): NetworkDescription;
}

export const ABIS = ofPrecompiles((name) => PRECOMPILES[name].abi);

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
    describe: (given = {}) =>
      describedNetwork({
        facts: FACTS,
        ...given,
        endpoints: {
          evmUrl: evmHttp.url,
          wsUrl: ws.url,
          nodeRpcUrl: nodeRpc.url,
          restUrl: rest.url,
          grpcHost: grpc.host,
          ...given.endpoints,
        },
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
