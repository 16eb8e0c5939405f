import type { Abi } from "abitype";

import {
  type Endpoints,
  grpcTarget,
  requireEndpoint,
} from "../chain/endpoints.js";
import type { ChainFacts, NetworkKind } from "../chain/facts.js";
import {
  PRECOMPILE_ADDRESSES,
  type PrecompileAddresses,
  type PrecompileName,
} from "../precompiles/index.js";
import type { RpcProvider } from "../rpc/provider.js";
import { basicAuthorization } from "../support/http.js";
import type { RetryOptions } from "../support/retry.js";
import { closed } from "./errors.js";
import { EventsClient, type EventsOptions } from "./events/client.js";
import type { SubscribingProvider } from "./events/provider-socket.js";
import { GrpcClient } from "./grpc.js";
import { NodeRpcClient } from "./node-rpc/client.js";
import { PrecompileReader } from "./precompile-reader.js";
import {
  type AskOptions,
  askQuestion,
  type Queries,
  queriesBy,
} from "./query/index.js";
import { Rest } from "./rest-modules.js";
import { RestClient } from "./rest.js";
import type { QueryOptions } from "./services.js";

export interface FrameworkOptions {
  /** The network's name, for errors. */
  readonly network: string;
  readonly kind: NetworkKind | "local" | "other";
  readonly endpoints: Endpoints;
  readonly facts: ChainFacts;
  /** The EVM's JSON-RPC over HTTP. */
  readonly provider: RpcProvider;
  readonly precompiles?: PrecompileAddresses;
  /** ABIs that replace this package's own. */
  readonly abis?: Partial<Readonly<Record<PrecompileName, Abi>>>;
  /** Sent with every request to the network's nodes, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How often requests to REST and the node RPC are retried. */
  readonly retry?: RetryOptions;
  /** Milliseconds for every exchange. */
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly events?: Pick<
    EventsOptions,
    | "maxWaiting"
    | "maxRange"
    | "patienceMs"
    | "reconnect"
    | "silenceMs"
    | "timeoutMs"
    | "onStatus"
  > & {
    /** The network itself, if it runs in this process and has no socket. */
    readonly source?: SubscribingProvider;
  };
  /** Certificates (PEM) to check the gRPC endpoint against. */
  readonly grpcRootCertificates?: Buffer;
}

/** Clients of a network's endpoints besides JSON-RPC, each created on first use. */
export interface FrameworkClients {
  /** Live events over the WebSocket. */
  readonly events: EventsClient;
  /** The node's own RPC. */
  readonly nodeRpc: NodeRpcClient;
  /** The REST endpoint: GET requests, and typed questions. */
  readonly rest: Rest;
  /** The gRPC endpoint: generated query clients of `cosmjs-types`. */
  readonly grpc: GrpcClient;
  /** Typed questions about the chain's modules, over whichever endpoint is configured. */
  readonly query: Queries<AskOptions>;
  /** Whether there is a socket. */
  readonly hasEvents: boolean;
  /**
   * Closes all connections and ends all waits. Afterwards all clients refuse;
   * may be called again.
   */
  close(): Promise<void>;
}

/**
 * The clients of a network. Nothing is loaded or opened before it is used; a
 * client whose endpoint is not configured throws on first use.
 */
export function createFrameworkClients(
  options: FrameworkOptions,
): FrameworkClients {
  return new Clients(options);
}

class Clients implements FrameworkClients {
  readonly #options: FrameworkOptions;
  #events: EventsClient | undefined;
  #nodeRpc: NodeRpcClient | undefined;
  #restClient: RestClient | undefined;
  #rest: Rest | undefined;
  #grpc: GrpcClient | undefined;
  #query: Queries<AskOptions> | undefined;
  #reader: PrecompileReader | undefined;
  readonly #closed = new AbortController();

  constructor(options: FrameworkOptions) {
    this.#options = options;
  }

  get hasEvents(): boolean {
    const { endpoints, events } = this.#options;
    return endpoints.wsUrl !== undefined || events?.source !== undefined;
  }

  get events(): EventsClient {
    this.#closed.signal.throwIfAborted();
    const { network, facts, provider, precompiles, headers } = this.#options;
    const { timeoutMs, events } = this.#options;
    this.#events ??= new EventsClient({
      timeoutMs,
      ...events,
      headers,
      source: events?.source ?? this.#endpoint("wsUrl"),
      network,
      provider,
      precompiles: precompiles ?? PRECOMPILE_ADDRESSES,
      bech32Prefix: facts.bech32Prefix,
    });
    return this.#events;
  }

  get nodeRpc(): NodeRpcClient {
    this.#nodeRpc ??= new NodeRpcClient({
      ...this.#common,
      url: this.#endpoint("nodeRpcUrl"),
    });
    return this.#nodeRpc;
  }

  get #restAlone(): RestClient {
    this.#restClient ??= new RestClient({
      ...this.#common,
      url: this.#endpoint("restUrl"),
    });
    return this.#restClient;
  }

  get rest(): Rest {
    this.#rest ??= new Rest(
      this.#restAlone,
      this.#options.facts,
      queriesBy<QueryOptions>(
        async (question, args, options) =>
          await this.#ask(question, args, { ...options, via: "rest" }),
      ),
    );
    return this.#rest;
  }

  get grpc(): GrpcClient {
    const { kind, grpcRootCertificates } = this.#options;
    const { host, tls, user } = grpcTarget(this.#endpoint("grpcHost"));
    const { headers, ...common } = this.#common;
    this.#grpc ??= new GrpcClient({
      ...common,
      host,
      kind,
      tls,
      headers: {
        ...(user === "" ? {} : basicAuthorization(user)),
        ...headers,
      },
      rootCertificates: grpcRootCertificates,
    });
    return this.#grpc;
  }

  get query(): Queries<AskOptions> {
    this.#query ??= queriesBy<AskOptions>(
      async (question, args, options = {}) =>
        await this.#ask(question, args, options),
    );
    return this.#query;
  }

  async close(): Promise<void> {
    this.#closed.abort(closed("the network", this.#options.network));
    await Promise.all(
      [this.#events, this.#nodeRpc, this.#grpc].map(
        async (client) => await client?.close(),
      ),
    );
  }

  #ask: Parameters<typeof queriesBy<AskOptions>>[0] = async (
    question,
    args,
    options = {},
  ) => {
    this.#closed.signal.throwIfAborted();
    const { endpoints } = this.#options;
    const { restUrl, grpcHost, nodeRpcUrl } = endpoints;
    return await askQuestion(
      question,
      args,
      options,
      {
        rest: restUrl === undefined ? undefined : () => this.#restAlone,
        grpc:
          grpcHost === undefined ? undefined : (query) => this.grpc.rpc(query),
        abci:
          nodeRpcUrl === undefined
            ? undefined
            : (query) => this.nodeRpc.rpc(query),
        precompile: () => this.#precompiles,
      },
      this.#options,
    );
  };

  get #precompiles(): PrecompileReader {
    const { provider, precompiles, network, abis } = this.#options;
    this.#reader ??= new PrecompileReader({
      provider,
      network,
      addresses: precompiles ?? PRECOMPILE_ADDRESSES,
      abis,
    });
    return this.#reader;
  }

  get #common() {
    const { network, facts, timeoutMs, maxBytes, headers, retry } =
      this.#options;
    const { signal } = this.#closed;
    return { network, facts, timeoutMs, maxBytes, headers, retry, signal };
  }

  #endpoint(name: keyof Endpoints): string {
    this.#closed.signal.throwIfAborted();
    const { endpoints, network, kind } = this.#options;
    return requireEndpoint(endpoints, name, { network, kind });
  }
}
