import { type GrpcEndpoint, serveGrpc } from "../../src/local-node/grpc.js";
import { TestLedger } from "./ledger.js";
import type { Chain } from "./state.js";

export interface GrpcServerOptions {
  /** Certificate and key (PEM); without them the server does not encrypt. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer };
}

/** The gRPC endpoint over a test's state, which can misbehave. */
export class GrpcServer {
  /** Milliseconds before each answer. */
  delayMs = 0;
  /** Answers with bytes that are not a message. */
  garbage = false;
  /** The metadata of the last request. */
  lastHeaders: Readonly<Record<string, unknown>> = {};
  #endpoint: GrpcEndpoint | undefined;

  private constructor() {}

  static async start(
    chain: Chain,
    options: GrpcServerOptions = {},
  ): Promise<GrpcServer> {
    const self = new GrpcServer();
    self.#endpoint = await serveGrpc(new TestLedger(chain), {
      host: "127.0.0.1",
      port: 0,
      ...options,
      intercept: async (metadata, answer) => {
        self.lastHeaders = metadata.getMap();
        if (self.delayMs > 0) {
          await new Promise((resolve) => setTimeout(resolve, self.delayMs));
        }
        const bytes = await answer();
        return self.garbage ? Buffer.from("ffffffff", "hex") : bytes;
      },
    });
    return self;
  }

  get host(): string {
    return this.#endpoint?.address ?? "";
  }

  async close(): Promise<void> {
    this.#endpoint?.close();
    await Promise.resolve();
  }
}
