import type { Client, Metadata, ServiceError } from "@grpc/grpc-js";

import { GRPC_PORT, isLoopback } from "../chain/endpoints.js";
import type { ChainFacts, NetworkKind } from "../chain/facts.js";
import { cleanText } from "../support/text.js";
import { FrameworkError, refusal, STATUS } from "./errors.js";
import { type QueryOptions, type Rpc, serviceName } from "./services.js";

const NAME = "the gRPC endpoint";
const HEIGHT = "x-cosmos-block-height";
const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

export interface GrpcOptions {
  /** `host:port`. */
  readonly host: string;
  readonly network: string;
  /** The main network's endpoint may not be public yet; errors say so. */
  readonly kind?: NetworkKind | "local" | "other";
  readonly facts: Pick<ChainFacts, "frameworkPrefix" | "networkPrefix">;
  /** Default: encrypted unless the host is this machine. */
  readonly tls?: boolean;
  /** Certificates (PEM) to trust instead of the public ones. */
  readonly rootCertificates?: Buffer;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/**
 * The chain's gRPC endpoint. The methods give generated query clients of
 * `cosmjs-types`, whose requests need every field (wrap them in
 * `Request.fromPartial(…)`); others work with {@link rpc}.
 */
export class GrpcClient {
  readonly #options: GrpcOptions;
  readonly #tls: boolean;
  #client: Promise<Client> | undefined;
  #closed = false;

  constructor(options: GrpcOptions) {
    this.#options = options;
    this.#tls = options.tls ?? !isLoopback(hostOf(options.host));
  }

  /**
   * Carries requests of generated clients.
   *
   * @example const mint = new QueryClientImpl(grpc.rpc({ height: 100n }))
   */
  rpc(options: QueryOptions = {}): Rpc {
    return {
      request: async (service, method, data) =>
        await this.#request(service, method, data, options),
    };
  }

  /** Queries of the staking module. */
  async staking(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/staking/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** Queries of the distribution module. */
  async distribution(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/distribution/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** Governance v1; v1beta1 cannot tell proposals of several messages. */
  async governance(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/gov/v1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** Queries of the bank module. */
  async bank(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/bank/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** Queries of the auth module. */
  async auth(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/auth/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** Blocks, versions and whether the node is catching up. */
  async base(options?: QueryOptions) {
    const { ServiceClientImpl } = await import(
      "cosmjs-types/cosmos/base/tendermint/v1beta1/query"
    );
    return new ServiceClientImpl(this.rpc(options));
  }

  /** Closes the connection; later requests fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    this.#client = undefined;
    // A library that could not be loaded has nothing to close.
    (await client?.catch(() => undefined))?.close();
  }

  async #connect(): Promise<Client> {
    if (this.#closed) {
      throw new FrameworkError(`the connection to ${NAME} is closed`, {
        network: this.#options.network,
        fault: "unavailable",
      });
    }
    this.#client ??= (async () => {
      const grpc = await import("@grpc/grpc-js");
      const { host, rootCertificates, maxBytes } = this.#options;
      return new grpc.Client(
        host,
        this.#tls
          ? grpc.credentials.createSsl(rootCertificates ?? null)
          : grpc.credentials.createInsecure(),
        {
          "grpc.max_receive_message_length": maxBytes ?? DEFAULT_MAX_BYTES,
          // Proxies of the environment are for HTTP; this connection is direct.
          "grpc.enable_http_proxy": 0,
          "grpc.initial_reconnect_backoff_ms": 250,
          "grpc.max_reconnect_backoff_ms": 5_000,
        },
      );
    })();
    return await this.#client;
  }

  async #request(
    service: string,
    method: string,
    data: Uint8Array,
    { height, timeoutMs }: QueryOptions,
  ): Promise<Uint8Array> {
    const client = await this.#connect();
    const { Metadata } = await import("@grpc/grpc-js");
    const metadata = new Metadata();
    if (height !== undefined) {
      metadata.set(HEIGHT, String(height));
    }
    const path = `/${serviceName(service, this.#options.facts)}/${method}`;
    let initial: Metadata | undefined;
    let answer: Uint8Array;
    try {
      answer = await new Promise<Uint8Array>((resolve, reject) => {
        client
          .makeUnaryRequest(
            path,
            (bytes: Uint8Array) => Buffer.from(bytes),
            (bytes: Buffer) => new Uint8Array(bytes),
            data,
            metadata,
            {
              deadline:
                Date.now() +
                (timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
            },
            (error, value) => {
              if (error !== null) {
                reject(error);
              } else {
                resolve(value ?? new Uint8Array());
              }
            },
          )
          .on("metadata", (received: Metadata) => {
            initial = received;
          });
      });
    } catch (error) {
      throw this.#failure(error, path);
    }
    const answered = initial?.get(HEIGHT)[0]?.toString();
    if (height !== undefined && height !== 0n && answered !== String(height)) {
      throw new FrameworkError(
        `${NAME} answered for ${answered === undefined ? "an unknown height" : `height ${cleanText(answered, 20)}`} instead of ${height}`,
        {
          network: this.#options.network,
          endpoint: this.#options.host + path,
          fault: "wrong-height",
        },
      );
    }
    return answer;
  }

  #failure(error: unknown, path: string): unknown {
    if (!isServiceError(error)) {
      return error;
    }
    const { host, network, kind } = this.#options;
    const place = { network, endpoint: host + path, cause: error };
    const text = cleanText(error.details);
    const known = MISTAKES.find(({ pattern }) => pattern.test(text));
    if (
      error.code !== STATUS.unavailable &&
      error.code !== STATUS.deadlineExceeded
    ) {
      return refusal(NAME, { code: error.code, text }, place);
    }
    const late = error.code === STATUS.deadlineExceeded;
    const notPublic =
      kind === "mainnet"
        ? " The main network's gRPC endpoint may not be public yet; ask by REST or the node RPC meanwhile."
        : "";
    return new FrameworkError(
      late
        ? `${NAME} did not answer in time`
        : `${NAME} cannot be reached: ${known?.what ?? text}`,
      {
        ...place,
        fault: late ? "timeout" : "unavailable",
        code: error.code,
        serverText: text,
        fix: `${known?.fix ?? `Check that the host is right and port ${GRPC_PORT} is open; gRPC does not go through the HTTPS gateway.`}${notPublic}`,
      },
    );
  }
}

// Three mistakes in an address, told apart by the library's text.
const MISTAKES: readonly {
  readonly pattern: RegExp;
  readonly what: string;
  readonly fix: string;
}[] = [
  {
    pattern: /ECONNREFUSED/,
    what: "nothing listens at this address",
    fix: `Check host and port; gRPC has its own port, by default ${GRPC_PORT}.`,
  },
  {
    pattern: /wrong version number|packet length too long/i,
    what: "the server does not encrypt",
    fix: "Allow it with allowInsecure: true, if the way to that host is safe.",
  },
  {
    pattern: /protocol error/i,
    what: "the server does not speak gRPC",
    fix: "This may be the port of REST or the node RPC, or one that needs encryption.",
  },
];

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "number" &&
  "details" in error &&
  typeof error.details === "string";

const hostOf = (address: string) => address.replace(/:\d+$/, "");
