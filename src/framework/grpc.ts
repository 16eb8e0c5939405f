import type { Client, Metadata, ServiceError } from "@grpc/grpc-js";

import {
  type ChainFacts,
  GRPC_PORT,
  type NetworkKind,
} from "../chain/facts.js";
import { cleanText } from "../support/text.js";
import { encryptionFault } from "../support/encryption.js";
import { fixRefused, isLoopback } from "../support/loopback.js";
import { once } from "../support/once.js";
import { closed, FrameworkError, refusal, STATUS } from "./errors.js";
import { checkHeight } from "./height.js";
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
  /** Sent with every request as metadata, such as an API key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Certificates (PEM) to trust instead of the public ones. */
  readonly rootCertificates?: Buffer;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

/**
 * The chain's gRPC endpoint. The methods return generated query clients of
 * `cosmjs-types`, whose requests need every field (wrap them in
 * `Request.fromPartial(…)`). For other services use {@link rpc}.
 */
export class GrpcClient {
  readonly #options: GrpcOptions;
  readonly #tls: boolean;
  readonly #client = once(async () => await this.#open());
  #opened: Client | undefined;
  #closed = false;

  constructor(options: GrpcOptions) {
    this.#options = options;
    this.#tls = options.tls ?? !isLoopback(hostOf(options.host));
  }

  /**
   * A transport for generated clients.
   *
   * @example const mint = new QueryClientImpl(grpc.rpc({ height: 100n }))
   */
  rpc(options: QueryOptions = {}): Rpc {
    return {
      request: async (service, method, data) =>
        await this.#request(service, method, data, options),
    };
  }

  /** The generated query client of the staking module. */
  async staking(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/staking/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** The generated query client of the distribution module. */
  async distribution(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/distribution/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /**
   * The generated query client of governance v1; v1beta1 cannot represent
   * proposals with several messages.
   */
  async governance(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/gov/v1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** The generated query client of the bank module. */
  async bank(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/bank/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** The generated query client of the auth module. */
  async auth(options?: QueryOptions) {
    const { QueryClientImpl } = await import(
      "cosmjs-types/cosmos/auth/v1beta1/query"
    );
    return new QueryClientImpl(this.rpc(options));
  }

  /** The generated client for blocks, versions and whether the node is catching up. */
  async base(options?: QueryOptions) {
    const { ServiceClientImpl } = await import(
      "cosmjs-types/cosmos/base/tendermint/v1beta1/query"
    );
    return new ServiceClientImpl(this.rpc(options));
  }

  /** Closes the connection; later requests fail. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#opened?.close();
    await Promise.resolve();
  }

  async #connect(): Promise<Client> {
    const client = this.#closed ? undefined : await this.#client();
    // It may have been closed while the library was loading.
    if (client === undefined || this.#closed) {
      client?.close();
      throw closed(NAME, this.#options.network);
    }
    this.#opened = client;
    return client;
  }

  async #open(): Promise<Client> {
    const grpc = await import("@grpc/grpc-js");
    const { host, rootCertificates, maxBytes } = this.#options;
    return new grpc.Client(
      host,
      this.#tls
        ? grpc.credentials.createSsl(rootCertificates ?? null)
        : grpc.credentials.createInsecure(),
      {
        "grpc.max_receive_message_length": maxBytes ?? DEFAULT_MAX_BYTES,
        // The environment's proxies are for HTTP; this connection is direct.
        "grpc.enable_http_proxy": 0,
        "grpc.initial_reconnect_backoff_ms": 250,
        "grpc.max_reconnect_backoff_ms": 5_000,
      },
    );
  }

  async #request(
    service: string,
    method: string,
    data: Uint8Array,
    { height, timeoutMs }: QueryOptions,
  ): Promise<Uint8Array> {
    checkHeight(height);
    const client = await this.#connect();
    const { Metadata } = await import("@grpc/grpc-js");
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(this.#options.headers ?? {})) {
      if (!NOT_METADATA.test(name)) {
        metadata.set(name, value);
      }
    }
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
      throw this.#closed
        ? closed(NAME, this.#options.network)
        : this.#failure(error, path, height);
    }
    const answered = initial?.get(HEIGHT)[0]?.toString();
    if (height !== undefined && answered !== String(height)) {
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

  #failure(error: unknown, path: string, height: bigint | undefined): unknown {
    if (!isServiceError(error)) {
      return error;
    }
    const { host, network, kind } = this.#options;
    const place = { network, endpoint: host + path, cause: error };
    const text = cleanText(error.details);
    const known = MISTAKES.find(({ pattern }) => pattern.test(text));
    const encryption = encryptionFault(undefined, text);
    if (
      error.code !== STATUS.unavailable &&
      error.code !== STATUS.deadlineExceeded
    ) {
      return refusal(
        NAME,
        { code: error.code, text },
        place,
        this.#options.facts,
        height,
      );
    }
    const late = error.code === STATUS.deadlineExceeded;
    const notPublic =
      kind === "mainnet"
        ? " The main network's gRPC endpoint may not be public yet; ask by REST or the node RPC meanwhile."
        : "";
    return new FrameworkError(
      late
        ? `${NAME} did not answer in time`
        : encryption === undefined
          ? `${NAME} cannot be reached: ${known?.what ?? text}`
          : `${NAME} ${encryption.what}`,
      {
        ...place,
        fault: late ? "timeout" : "unavailable",
        code: error.code,
        serverText: text,
        fix: `${known?.fix(host) ?? encryption?.fix ?? `Check that the host is right and port ${GRPC_PORT} is open; gRPC does not go through the HTTPS gateway.`}${notPublic}`,
      },
    );
  }
}

// Mistakes in an address, recognised by the library's text.
const MISTAKES: readonly {
  readonly pattern: RegExp;
  readonly what: string;
  readonly fix: (host: string) => string;
}[] = [
  {
    pattern: /ECONNREFUSED/,
    what: "nothing listens at this address",
    fix: (host) =>
      fixRefused(
        `grpc://${host}`,
        `Check host and port; gRPC has its own port, by default ${GRPC_PORT}.`,
      ),
  },
  {
    pattern: /protocol error|no application protocol/i,
    what: "the server does not speak gRPC",
    fix: () =>
      "This may be the port of REST or the node RPC, or one that needs encryption.",
  },
];

/** HTTP headers that mean something else, or nothing, in gRPC. */
const NOT_METADATA =
  /^(?:content-.*|host|user-agent|accept.*|connection|te|transfer-encoding|grpc-.*|:.*)$/i;

const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "number" &&
  "details" in error &&
  typeof error.details === "string";

const hostOf = (address: string) => address.replace(/:\d+$/, "");
