import { BinaryReader, BinaryWriter } from "cosmjs-types/binary";

import type { Codec } from "./codec.js";

type Scalar =
  | "string"
  | "bytes"
  | "bool"
  | "uint64"
  | "int64"
  | "uint32"
  | "enum";

/** A field: its number, its type, and whether it is repeated. */
export type Field = readonly [
  number: number,
  kind: Scalar | TableCodec,
  list?: "list",
];

/** The fields of a message by name. */
export type Fields = Readonly<Record<string, Field>>;

type Message = Record<string, unknown>;

/** A message type defined by a table of fields. */
export interface TableCodec extends Codec<Message> {
  readonly fields: Fields;
}

const EMPTY: Readonly<Record<Scalar, unknown>> = {
  string: "",
  bytes: new Uint8Array(),
  bool: false,
  uint64: 0n,
  int64: 0n,
  uint32: 0,
  enum: 0,
};

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === "" ||
  value === 0 ||
  value === 0n ||
  value === false ||
  (value instanceof Uint8Array && value.length === 0);

/** Defines a message that cosmjs-types lacks, with the same interface. */
export function table(typeUrl: string, fields: Fields): TableCodec {
  const entries = Object.entries(fields);
  const byNumber = new Map(entries.map(([name, field]) => [field[0], name]));
  const empty = (): Message =>
    Object.fromEntries(
      entries.map(([name, [, kind, list]]) => [
        name,
        list === "list"
          ? []
          : typeof kind === "string"
            ? EMPTY[kind]
            : undefined,
      ]),
    );
  const codec: TableCodec = {
    typeUrl,
    fields,
    fromPartial: (partial) => ({ ...empty(), ...partial }),
    encode: (message) => {
      const writer = BinaryWriter.create();
      for (const [name, [number, kind, list]] of entries) {
        const value = message[name];
        const all = list === "list" ? (value as readonly unknown[]) : [value];
        for (const one of all) {
          if (list === undefined && isEmpty(one)) continue;
          write(writer, number, kind, one);
        }
      }
      return writer;
    },
    decode: (bytes) => {
      const reader = new BinaryReader(bytes);
      const message = empty();
      while (reader.pos < reader.len) {
        const tag = reader.uint32();
        const name = byNumber.get(tag >>> 3);
        const field = name === undefined ? undefined : fields[name];
        if (name === undefined || field === undefined) {
          reader.skipType(tag & 7);
          continue;
        }
        const value = read(reader, field[1]);
        message[name] =
          field[2] === "list"
            ? [...(message[name] as unknown[]), value]
            : value;
      }
      return message;
    },
    toJSON: (message) => message,
  };
  return codec;
}

function write(
  writer: BinaryWriter,
  number: number,
  kind: Scalar | TableCodec,
  value: unknown,
): void {
  const tag = (wire: 0 | 2) => writer.uint32((number << 3) | wire);
  if (typeof kind !== "string") {
    const bytes = kind.encode(kind.fromPartial(value as object)).finish();
    tag(2).bytes(bytes);
    return;
  }
  switch (kind) {
    case "string":
      tag(2).string(String(value));
      break;
    case "bytes":
      tag(2).bytes(value as Uint8Array);
      break;
    case "bool":
      tag(0).bool(value === true);
      break;
    case "uint64":
      tag(0).uint64(BigInt(value as bigint));
      break;
    case "int64":
      tag(0).int64(BigInt(value as bigint));
      break;
    default:
      tag(0).uint32(Number(value));
  }
}

function read(reader: BinaryReader, kind: Scalar | TableCodec): unknown {
  if (typeof kind !== "string") return kind.decode(reader.bytes());
  return kind === "enum" ? reader.int32() : reader[kind]();
}
