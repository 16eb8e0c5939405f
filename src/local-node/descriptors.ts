import { BinaryReader, BinaryWriter } from "cosmjs-types/binary";

import type { Codec } from "./codec.js";
import type { Fields } from "./table-codec.js";

// Numbers of field types in google/protobuf/descriptor.proto.
const TYPES = {
  double: 1,
  int64: 3,
  uint64: 4,
  int32: 5,
  bool: 8,
  string: 9,
  message: 11,
  bytes: 12,
  uint32: 13,
  enum: 5,
} as const;
type TypeName = keyof typeof TYPES;
const REPEATED = 3;
const OPTIONAL = 1;
/** Deepest nesting of messages that is described; deeper ones stay bytes. */
const DEEPEST = 12;

interface Field {
  /** Name in TypeScript. */
  readonly name: string;
  readonly number: number;
  readonly type: TypeName;
  readonly list: boolean;
  /** Fields of a message. */
  readonly fields?: readonly Field[];
}

/** A service to describe to clients. */
export interface ServiceDescriptor {
  readonly name: string;
  readonly methods: Readonly<Record<string, MethodTypes>>;
  readonly streams?: boolean;
}

interface MethodTypes {
  readonly request: Codec<unknown>;
  readonly response: Codec<unknown>;
}

/** A descriptor file with the names it defines. */
export interface DescriptorFile {
  readonly name: string;
  /** Full names of services and messages, without a leading dot. */
  readonly symbols: readonly string[];
  /** The encoded FileDescriptorProto. */
  readonly bytes: Uint8Array;
}

/**
 * Describes a service in one file, with all messages that its methods take and
 * return.
 */
export function descriptorFile({
  name,
  methods,
  streams = false,
}: ServiceDescriptor): DescriptorFile {
  const at = name.lastIndexOf(".");
  const pkg = name.slice(0, at);
  const file = `${name.replaceAll(".", "/")}.proto`;
  const messages = new Map<string, readonly Field[]>();
  const service = writer()
    .uint32(tag(1))
    .string(name.slice(at + 1));
  for (const [method, types] of Object.entries(methods)) {
    const [input, output] = [types.request, types.response].map((codec, i) => {
      const own = codec.typeUrl.split(".").at(-1) ?? `${method}${i}`;
      if (!messages.has(own)) messages.set(own, fieldsOf(codec));
      return `.${pkg}.${own}`;
    });
    const one = writer()
      .uint32(tag(1))
      .string(method)
      .uint32(tag(2))
      .string(input ?? "")
      .uint32(tag(3))
      .string(output ?? "");
    if (streams) one.uint32(tag(5, 0)).bool(true).uint32(tag(6, 0)).bool(true);
    service.uint32(tag(2)).bytes(one.finish());
  }
  const whole = writer().uint32(tag(1)).string(file).uint32(tag(2)).string(pkg);
  for (const [own, fields] of messages) {
    const bytes = messageBytes(own, fields, `.${pkg}.${own}`);
    whole.uint32(tag(4)).bytes(bytes);
  }
  whole.uint32(tag(6)).bytes(service.finish());
  whole.uint32(tag(12)).string("proto3");
  return {
    name: file,
    symbols: [name, ...[...messages.keys()].map((own) => `${pkg}.${own}`)],
    bytes: whole.finish(),
  };
}

const writer = () => BinaryWriter.create();
const tag = (number: number, wire: 0 | 2 = 2) => (number << 3) | wire;
const snake = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);

function messageBytes(
  name: string,
  fields: readonly Field[],
  full: string,
): Uint8Array {
  const message = writer().uint32(tag(1)).string(name);
  for (const field of fields) {
    const one = writer()
      .uint32(tag(1))
      .string(snake(field.name))
      .uint32(tag(3, 0))
      .int32(field.number)
      .uint32(tag(4, 0))
      .int32(field.list ? REPEATED : OPTIONAL)
      .uint32(tag(5, 0))
      .int32(TYPES[field.type]);
    const type = pascal(field.name);
    if (field.fields !== undefined) {
      one.uint32(tag(6)).string(`${full}.${type}`);
    }
    one.uint32(tag(10)).string(field.name);
    message.uint32(tag(2)).bytes(one.finish());
  }
  for (const { name: of, fields: inner } of fields) {
    if (inner === undefined) continue;
    const type = pascal(of);
    const nested = messageBytes(type, inner, `${full}.${type}`);
    message.uint32(tag(3)).bytes(nested);
  }
  return message.finish();
}

function fieldsOf(codec: Codec<unknown>): readonly Field[] {
  return "fields" in codec
    ? tableFields(codec.fields as Fields)
    : probedFields(codec, []);
}

const tableFields = (table: Fields): readonly Field[] =>
  Object.entries(table).map(([name, [number, kind, list]]) => ({
    name,
    number,
    list: list === "list",
    ...(typeof kind === "string"
      ? { type: kind }
      : { type: "message" as const, fields: tableFields(kind.fields) }),
  }));

/** The fields that lead to a nested message. */
type Path = readonly {
  readonly name: string;
  readonly number: number;
  readonly list: boolean;
}[];

const valueAt = (path: Path, message: unknown): unknown =>
  path.reduce<unknown>((at, { name, list }) => {
    const value = (at as Record<string, unknown> | undefined)?.[name];
    return list ? (value as readonly unknown[] | undefined)?.[0] : value;
  }, message);

/**
 * Field numbers to probe; the last two are those of a transaction's extension
 * options.
 */
const NUMBERS = [...Array.from({ length: 64 }, (_, i) => i + 1), 1023, 2047];
const ONE = Uint8Array.from([1]);
const TEXT = Uint8Array.from([0x31]);
const NOTHING = new Uint8Array();
/** -1 as a varint. */
const MINUS_ONE = Uint8Array.from([...Array<number>(9).fill(0xff), 1]);

/**
 * Finds the fields of a generated message, whose code holds no descriptors, by
 * decoding bytes with a field of each number and looking at the result.
 */
function probedFields(codec: Codec<unknown>, path: Path): readonly Field[] {
  const empty = valueAt(path, codec.decode(wrapped(path, NOTHING)));
  const always = alwaysWritten(codec, path);
  let written = 0;
  return Object.entries(empty as object).flatMap(([name, standard]) => {
    const list = Array.isArray(standard);
    const number = isMessage(standard) ? always[written++] : undefined;
    const found =
      number === undefined
        ? probe(codec, path, name, list)
        : { number, type: "message" as const };
    if (found === undefined) return [];
    if (found.type !== "message") return [{ name, list, ...found }];
    const at = [...path, { name, list, number: found.number }];
    return at.length < DEEPEST && !repeats(at)
      ? [{ name, list, ...found, fields: probedFields(codec, at) }]
      : [{ name, list, number: found.number, type: "bytes" as const }];
  });
}

const isMessage = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array);

/** Tells by repeated field names whether a message contains itself. */
const repeats = (path: Path) =>
  new Set(path.map(({ name }) => name)).size < path.length - 1;

function probe(
  codec: Codec<unknown>,
  path: Path,
  name: string,
  list: boolean,
): { readonly number: number; readonly type: TypeName } | undefined {
  const read = (number: number, wire: 0 | 2, payload: Uint8Array): unknown => {
    const bytes = wrapped(path, payload, number, wire);
    try {
      const message = valueAt(path, codec.decode(bytes));
      const value = (message as Record<string, unknown>)[name];
      return list ? (value as readonly unknown[])[0] : value;
    } catch {
      return undefined;
    }
  };
  for (const number of NUMBERS) {
    switch (read(number, 0, ONE)) {
      case true:
        return { number, type: "bool" };
      case 1:
        return { number, type: "int32" };
      case 1n: {
        const isSigned = read(number, 0, MINUS_ONE) === -1n;
        return { number, type: isSigned ? "int64" : "uint64" };
      }
    }
    const text = read(number, 2, TEXT);
    if (typeof text === "string" && text !== "") {
      return { number, type: "string" };
    }
    if (text instanceof Uint8Array && text.length > 0) {
      return { number, type: "bytes" };
    }
    if (isMessage(read(number, 2, NOTHING))) {
      return { number, type: "message" };
    }
  }
  return undefined;
}

/** Encodes a message with one field, or none, at the end of a path. */
function wrapped(
  path: Path,
  payload: Uint8Array,
  number?: number,
  wire: 0 | 2 = 2,
): Uint8Array {
  const head = (of: number, bytes: Uint8Array) =>
    writer().uint32(tag(of)).bytes(bytes).finish();
  const field =
    number === undefined
      ? payload
      : wire === 2
        ? head(number, payload)
        : Uint8Array.from([
            ...writer().uint32(tag(number, 0)).finish(),
            ...payload,
          ]);
  return path.reduceRight((bytes, one) => head(one.number, bytes), field);
}

/**
 * Returns the numbers of message fields that are encoded even when empty, in
 * order.
 */
function alwaysWritten(codec: Codec<unknown>, path: Path): readonly number[] {
  const message = codec.decode(wrapped(path, NOTHING));
  const bytes = path.reduce<Uint8Array>((within, { number }) => {
    const found = entriesOf(within).find((one) => one.number === number);
    return found?.bytes ?? NOTHING;
  }, codec.encode(message).finish());
  return entriesOf(bytes).map(({ number }) => number);
}

function entriesOf(
  bytes: Uint8Array,
): readonly { readonly number: number; readonly bytes: Uint8Array }[] {
  const reader = new BinaryReader(bytes);
  const found: { number: number; bytes: Uint8Array }[] = [];
  while (reader.pos < reader.len) {
    const head = reader.uint32();
    if ((head & 7) === 2) {
      found.push({ number: head >>> 3, bytes: reader.bytes() });
    } else {
      reader.skipType(head & 7);
    }
  }
  return found;
}
