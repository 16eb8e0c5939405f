import { once } from "node:events";
import { createServer } from "node:net";

import * as grpc from "@grpc/grpc-js";

import type { Ledger } from "./ledger.js";
import { Fault } from "./fault.js";
import { HEIGHT_HEADER, heightFrom } from "./height.js";
import { query, SERVICES } from "./query/index.js";
import { addReflection } from "./reflection.js";

const same = (bytes: Buffer) => bytes;

/** How to serve gRPC. */
export interface GrpcOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Certificate and key in PEM; without them, the server does not encrypt. */
  readonly tls?: { readonly certificate: Buffer; readonly key: Buffer };
  /**
   * Returns the chain's name for a service of the reference chain; default: the
   * same name.
   */
  readonly nameOf?: (service: string) => string;
  /** Wraps every query: may change, delay or refuse its answer. */
  readonly intercept?: (
    metadata: grpc.Metadata,
    answer: () => Promise<Uint8Array>,
  ) => Promise<Uint8Array>;
}

/** A running gRPC server. */
export interface GrpcEndpoint {
  /** Host and port, as in `127.0.0.1:9090`. */
  readonly address: string;
  close(): void;
}

/**
 * Replaces halves of characters, which a client's text may have: the server of
 * gRPC would throw where nothing catches it.
 */
const wellFormed = (text: string) => Buffer.from(text).toString();

type Handler = grpc.handleUnaryCall<Buffer, Buffer>;

function handler(
  ledger: Ledger,
  service: string,
  name: string,
  intercept: NonNullable<GrpcOptions["intercept"]>,
): Handler {
  return (call, callback) => {
    const answer = async () => {
      const height = heightFrom(
        call.metadata.get(HEIGHT_HEADER)[0]?.toString(),
      );
      const bytes = await query(ledger, service, name, call.request, height);
      const told = new grpc.Metadata();
      told.set(HEIGHT_HEADER, String(height === 0n ? ledger.height : height));
      call.sendMetadata(told);
      return bytes;
    };
    intercept(call.metadata, answer).then(
      (bytes) => {
        callback(null, Buffer.from(bytes));
      },
      (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        callback({
          code: error instanceof Fault ? error.code : grpc.status.INTERNAL,
          details: wellFormed(text),
        });
      },
    );
  };
}

/**
 * Serves every query service and reflection over gRPC.
 *
 * @throws Error when the port cannot be used
 */
export async function serveGrpc(
  ledger: Ledger,
  {
    host,
    port,
    tls,
    nameOf = (service) => service,
    intercept = async (_metadata, answer) => await answer(),
  }: GrpcOptions,
): Promise<GrpcEndpoint> {
  const server = new grpc.Server();
  for (const [service, methods] of Object.entries(SERVICES)) {
    const names = Object.keys(methods);
    const definition = names.map((name) => [
      name,
      {
        path: `/${nameOf(service)}/${name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    ]);
    server.addService(
      Object.fromEntries(definition) as grpc.ServiceDefinition,
      Object.fromEntries(
        names.map((name) => [name, handler(ledger, service, name, intercept)]),
      ),
    );
  }
  addReflection(
    server,
    Object.fromEntries(
      Object.entries(SERVICES).map(([name, service]) => [
        nameOf(name),
        service,
      ]),
    ),
  );
  const credentials =
    tls === undefined
      ? grpc.ServerCredentials.createInsecure()
      : grpc.ServerCredentials.createSsl(null, [
          { cert_chain: tls.certificate, private_key: tls.key },
        ]);
  if (port !== 0) await requireFree(host, port);
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (error, number) => {
      if (error === null) resolve(number);
      else reject(error);
    });
  });
  return {
    address: `${host}:${bound}`,
    close: () => {
      server.forceShutdown();
    },
  };
}

/**
 * Tries a port. The server of gRPC would print its error, and wrap the reason in
 * another.
 *
 * @throws Error when the port cannot be used
 */
async function requireFree(host: string, port: number): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}
