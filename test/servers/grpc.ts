import * as grpc from "@grpc/grpc-js";

import { Fault, METHODS, query } from "./queries.js";
import type { Chain } from "./state.js";

const HEIGHT = "x-cosmos-block-height";
const same = (bytes: Buffer) => bytes;

export interface GrpcServerOptions {
  /** Certificate and key (PEM); without them the server does not encrypt. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer };
}

/** The gRPC endpoint, with every query service of the state. */
export class GrpcServer {
  /** Milliseconds before each answer. */
  delayMs = 0;
  /** Answers with bytes that are no message. */
  garbage = false;
  /** The metadata of the last request. */
  lastHeaders: Readonly<Record<string, unknown>> = {};
  readonly host: string;
  readonly #server: grpc.Server;

  private constructor(server: grpc.Server, port: number) {
    this.#server = server;
    this.host = `127.0.0.1:${port}`;
  }

  static async start(
    chain: Chain,
    options: GrpcServerOptions = {},
  ): Promise<GrpcServer> {
    const server = new grpc.Server();
    const services = new Map<string, string[]>();
    for (const path of Object.keys(METHODS)) {
      const [service = "", name = ""] = path.split("/");
      services.set(service, [...(services.get(service) ?? []), name]);
    }
    let self: GrpcServer | undefined;
    const handler =
      (service: string, name: string) =>
      (
        call: grpc.ServerUnaryCall<Buffer, Buffer>,
        callback: grpc.sendUnaryData<Buffer>,
      ) => {
        if (self !== undefined) {
          self.lastHeaders = call.metadata.getMap();
        }
        const answer = () => {
          const asked = call.metadata.get(HEIGHT)[0]?.toString() ?? "0";
          const height = BigInt(asked);
          const metadata = new grpc.Metadata();
          try {
            const bytes = query(chain, service, name, call.request, height);
            metadata.set(HEIGHT, String(height === 0n ? chain.height : height));
            call.sendMetadata(metadata);
            callback(
              null,
              self?.garbage === true
                ? Buffer.from("ffffffff", "hex")
                : Buffer.from(bytes),
            );
          } catch (error) {
            if (!(error instanceof Fault)) {
              callback({ code: grpc.status.UNKNOWN, details: String(error) });
              return;
            }
            callback({ code: error.code, details: error.message });
          }
        };
        if (self === undefined || self.delayMs === 0) {
          answer();
        } else {
          setTimeout(answer, self.delayMs);
        }
      };
    for (const [service, names] of services) {
      // Every known method, and for the others the answer of a real node.
      server.addService(
        Object.fromEntries(
          [...names, "Nope"].map((name) => [
            name,
            {
              path: `/${service}/${name}`,
              requestStream: false,
              responseStream: false,
              requestSerialize: same,
              requestDeserialize: same,
              responseSerialize: same,
              responseDeserialize: same,
            },
          ]),
        ),
        Object.fromEntries(
          [...names, "Nope"].map((name) => [name, handler(service, name)]),
        ),
      );
    }
    const { tls } = options;
    const credentials =
      tls === undefined
        ? grpc.ServerCredentials.createInsecure()
        : grpc.ServerCredentials.createSsl(null, [
            { cert_chain: tls.certificate, private_key: tls.key },
          ]);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", credentials, (error, bound) => {
        if (error === null) {
          resolve(bound);
        } else {
          reject(error);
        }
      });
    });
    self = new GrpcServer(server, port);
    return self;
  }

  async close(): Promise<void> {
    this.#server.forceShutdown();
    await Promise.resolve();
  }
}
