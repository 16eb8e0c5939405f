import type { Server } from "@grpc/grpc-js";
import { BinaryReader, BinaryWriter } from "cosmjs-types/binary";

// What ServerReflectionRequest and ServerReflectionResponse have, by their numbers.
const LIST_SERVICES = 7;
const REQUEST = { host: 1, symbols: [3, 4, 5, 6] } as const;
const RESPONSE = { validHost: 1, original: 2, services: 6, error: 7 } as const;
const NOT_FOUND = 5;

const NAMES = [
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
];

/** Answers one request: the names of the services; descriptors of messages are not there. */
function answer(request: Buffer, services: readonly string[]): Buffer {
  const reader = new BinaryReader(request);
  let host = "";
  let isList = false;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if (field === REQUEST.host) host = reader.string();
    else {
      isList ||= field === LIST_SERVICES;
      reader.skipType(tag & 7);
    }
  }
  const field = (number: number) => (number << 3) | 2;
  const writer = BinaryWriter.create();
  if (host !== "") writer.uint32(field(RESPONSE.validHost)).string(host);
  writer.uint32(field(RESPONSE.original)).bytes(request);
  if (isList) {
    const list = BinaryWriter.create();
    for (const name of services) {
      const service = BinaryWriter.create();
      service.uint32(field(1)).string(name);
      list.uint32(field(1)).bytes(service.finish());
    }
    writer.uint32(field(RESPONSE.services)).bytes(list.finish());
  } else {
    const error = BinaryWriter.create();
    error.uint32(1 << 3).int32(NOT_FOUND);
    error
      .uint32(field(2))
      .string("descriptors are not served: use the chain's .proto files");
    writer.uint32(field(RESPONSE.error)).bytes(error.finish());
  }
  return Buffer.from(writer.finish());
}

const same = (bytes: Buffer) => bytes;

/** Tells clients which services a server has. */
export function addReflection(
  server: Server,
  services: readonly string[],
): void {
  const all = [...services, ...NAMES].sort();
  for (const name of NAMES) {
    server.addService(
      {
        ServerReflectionInfo: {
          path: `/${name}/ServerReflectionInfo`,
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
              call.write(answer(request, all));
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
