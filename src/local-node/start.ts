import type { ChainFacts, StableToken } from "../chain/facts.js";
import { localStableToken } from "../chain/local-node.js";
import { serviceName } from "../framework/services.js";
import { DualstackError } from "../support/errors.js";
import { errorText } from "../support/text.js";
import { DualChain, type SimulatedNetwork } from "./chain.js";
import type { LocalNodeEndpoints } from "./endpoints.js";
import { endpointExamples } from "./examples.js";
import { LocalFaucet } from "./faucet.js";
import { type Front, serveFront } from "./front.js";
import { type GrpcEndpoint, serveGrpc } from "./grpc.js";
import { indexText } from "./index-text.js";
import { LocalPage } from "./page/index.js";
import { LikeChain } from "./like-chain.js";
import { placeStableToken } from "./stable-token.js";

/** How to serve a chain. */
export interface ServeOptions {
  readonly facts: ChainFacts;
  readonly chainId: number;
  /** Milliseconds between blocks; 0 mines one for every transaction. */
  readonly blockTimeMs: number;
  /** Whether the EVM's endpoints imitate the pitfalls of a real node. */
  readonly likeChain: boolean;
  readonly hostname: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** 0 takes any free port. */
  readonly grpcPort: number;
}

/** A running local network with all its endpoints. */
export interface ServedChain {
  readonly chain: DualChain;
  readonly endpoints: LocalNodeEndpoints;
  readonly stableToken: StableToken & { readonly address: `0x${string}` };
  close(): Promise<void>;
}

/**
 * Serves a simulated network through all of the chain's endpoints; closes it on
 * failure.
 *
 * @throws DualstackError when the host name or a port cannot be used
 * @throws UnreadError when the state that a fork starts from cannot be read
 */
export async function serveChain(
  network: SimulatedNetwork,
  {
    facts,
    chainId,
    blockTimeMs,
    likeChain,
    hostname,
    port,
    grpcPort,
  }: ServeOptions,
): Promise<ServedChain> {
  const chain = await DualChain.over(network, {
    facts,
    evmChainId: chainId,
    blockTimeMs,
  }).catch(async (error: unknown) => {
    await network.close();
    throw error;
  });
  const stableToken = localStableToken(facts);
  let front: Front | undefined;
  let grpc: GrpcEndpoint | undefined;
  const close = async () => {
    await front?.close();
    grpc?.close();
    await chain.close();
  };
  try {
    const faucet = new LocalFaucet(
      chain,
      stableToken,
      await placeStableToken(network.provider, stableToken),
    );
    await chain.start();
    let endpoints: LocalNodeEndpoints | undefined;
    front = await serveFront({
      chain,
      evm: likeChain
        ? new LikeChain(chain)
        : {
            isLikeChain: false,
            request: async (request) => await chain.request(request),
          },
      faucet,
      prefixes: facts,
      hostname,
      port,
      index: () =>
        endpoints === undefined
          ? ""
          : indexText(chain, endpoints, stableToken, facts),
      page: new LocalPage({
        chain,
        faucet,
        facts,
        stableToken,
        examples: () =>
          endpoints === undefined
            ? []
            : endpointExamples(chain, endpoints, facts),
      }),
    }).catch((error: unknown) => {
      throw cannotListen("--port", port, error);
    });
    grpc = await serveGrpc(chain, {
      host: hostname,
      port: grpcPort,
      nameOf: (service) => serviceName(service, facts),
    }).catch((error: unknown) => {
      throw cannotListen("--grpc-port", grpcPort, error);
    });
    const found = endpointsOf(hostname, front.port, grpc);
    endpoints = found;
    return { chain, endpoints: found, stableToken, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function endpointsOf(
  hostname: string,
  port: number,
  { address }: GrpcEndpoint,
): LocalNodeEndpoints {
  // Listening on all interfaces includes this machine.
  const host = /^(?:0\.0\.0\.0|::)$/.test(hostname) ? "127.0.0.1" : hostname;
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const baseUrl = `http://${authority}`;
  return {
    baseUrl,
    evmUrl: `${baseUrl}/evm`,
    wsUrl: `ws://${authority}/ws`,
    nodeRpcUrl: `${baseUrl}/rpc`,
    restUrl: `${baseUrl}/api`,
    grpcHost: address.replace(hostname, host),
    faucetUrl: `${baseUrl}/faucet`,
  };
}

const HOST_FAULTS: readonly unknown[] = [
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
];

function cannotListen(
  option: string,
  port: number,
  cause: unknown,
): DualstackError {
  const code =
    cause instanceof Error && "code" in cause ? cause.code : undefined;
  return HOST_FAULTS.includes(code)
    ? new DualstackError(
        `the host name cannot be listened on: ${errorText(cause, 120)}`,
        { fix: "Choose one of this machine with --hostname.", cause },
      )
    : new DualstackError(
        `port ${port} cannot be used: ${errorText(cause, 120)}`,
        {
          fix: `Choose another with ${option}; 0 takes any that is free.`,
          cause,
        },
      );
}
