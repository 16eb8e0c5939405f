import type { Server } from "@grpc/grpc-js";

import { type DescriptorFile, descriptorFile } from "./descriptors.js";
import type { Service } from "./query/method.js";
import { table } from "./table-codec.js";

const NOT_FOUND = 5;
const VERSIONS = ["v1", "v1alpha"] as const;

const Request = table("/grpc.reflection.v1.ServerReflectionRequest", {
  host: [1, "string"],
  fileByFilename: [3, "string"],
  fileContainingSymbol: [4, "string"],
  allExtensionNumbersOfType: [6, "string"],
  listServices: [7, "string"],
});

const Response = table("/grpc.reflection.v1.ServerReflectionResponse", {
  validHost: [1, "string"],
  originalRequest: [2, Request],
  fileDescriptorResponse: [
    4,
    table("/grpc.reflection.v1.FileDescriptorResponse", {
      fileDescriptorProto: [1, "bytes", "list"],
    }),
  ],
  listServicesResponse: [
    6,
    table("/grpc.reflection.v1.ListServiceResponse", {
      service: [
        1,
        table("/grpc.reflection.v1.ServiceResponse", { name: [1, "string"] }),
        "list",
      ],
    }),
  ],
  errorResponse: [
    7,
    table("/grpc.reflection.v1.ErrorResponse", {
      errorCode: [1, "uint32"],
      errorMessage: [2, "string"],
    }),
  ],
});

const nameOf = (version: string) =>
  `grpc.reflection.${version}.ServerReflection`;

/** Answers reflection requests. */
class Reflection {
  readonly #services: Readonly<Record<string, Service>>;
  #files: readonly DescriptorFile[] | undefined;

  constructor(services: Readonly<Record<string, Service>>) {
    this.#services = services;
  }

  /** Names of all services, with reflection itself. */
  get names(): readonly string[] {
    return [...Object.keys(this.#services), ...VERSIONS.map(nameOf)].sort();
  }

  // Built on first use.
  get files(): readonly DescriptorFile[] {
    const methods = {
      ServerReflectionInfo: { request: Request, response: Response },
    };
    return (this.#files ??= [
      ...Object.entries(this.#services).map(([name, service]) =>
        descriptorFile({ name, methods: service }),
      ),
      ...VERSIONS.map((version) =>
        descriptorFile({ name: nameOf(version), methods, streams: true }),
      ),
    ]);
  }

  /**
   * Answers an encoded request.
   *
   * @throws when the request cannot be decoded
   */
  answer(bytes: Uint8Array): Buffer {
    const request = Request.decode(bytes);
    const text = (name: string) => String(request[name] ?? "");
    const answer = {
      validHost: text("host"),
      originalRequest: request,
      ...this.#body(
        text("fileByFilename"),
        text("fileContainingSymbol"),
        bytes,
      ),
    };
    return Buffer.from(Response.encode(Response.fromPartial(answer)).finish());
  }

  #body(name: string, symbol: string, bytes: Uint8Array): object {
    if (name === "" && symbol === "" && asksForList(bytes)) {
      const service = this.names.map((one) => ({ name: one }));
      return { listServicesResponse: { service } };
    }
    const found = this.files.find(
      (file) =>
        file.name === name ||
        file.symbols.some(
          (one) =>
            one === symbol ||
            symbol.startsWith(`${one}.`) ||
            symbol.startsWith(`${one}/`),
        ),
    );
    return found === undefined
      ? {
          errorResponse: {
            errorCode: NOT_FOUND,
            errorMessage: `not found: ${(name || symbol).slice(0, 200)}`,
          },
        }
      : { fileDescriptorResponse: { fileDescriptorProto: [found.bytes] } };
  }
}

/**
 * Looks for the field itself (number 7), since `list_services` may be empty.
 */
const asksForList = (bytes: Uint8Array) =>
  Buffer.from(bytes).includes(Buffer.from([0x3a]));

const same = (bytes: Buffer) => bytes;

/**
 * Adds gRPC reflection to a server: clients learn its services with their
 * request and response types.
 */
export function addReflection(
  server: Server,
  services: Readonly<Record<string, Service>>,
): void {
  const reflection = new Reflection(services);
  for (const version of VERSIONS) {
    server.addService(
      {
        ServerReflectionInfo: {
          path: `/${nameOf(version)}/ServerReflectionInfo`,
          requestStream: true,
          responseStream: true,
          requestSerialize: same,
          requestDeserialize: same,
          responseSerialize: same,
          responseDeserialize: same,
        },
      },
      {
        ServerReflectionInfo: (call: ReflectionCall) => {
          call.on("data", (request: Buffer) => {
            try {
              call.write(reflection.answer(request));
            } catch {
              call.end();
            }
          });
          call.on("end", () => {
            call.end();
          });
        },
      },
    );
  }
}

interface ReflectionCall {
  on(event: "data", listener: (request: Buffer) => void): void;
  on(event: "end", listener: () => void): void;
  write(answer: Buffer): void;
  end(): void;
}
