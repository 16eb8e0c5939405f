// Decodes a signed transaction when it comes in, so that it can be traced.

import { keccak_256 } from "@noble/hashes/sha3";

/** The fields of a signed transaction that the emulation needs. */
export interface RawTransaction {
  readonly hash: `0x${string}`;
  /** Absent if it creates a contract. */
  readonly to?: `0x${string}`;
  readonly data: `0x${string}`;
  readonly value: `0x${string}`;
  readonly gas: `0x${string}`;
  /** Whether it sets the code of accounts (EIP-7702). */
  readonly setsCode: boolean;
  /**
   * Returns the input with which the ecrecover precompile yields the sender.
   */
  readonly recovery: () => `0x${string}`;
}

/**
 * Indexes of fields in the list of each transaction type. Value and data follow
 * `to`, and the signature follows the `unsigned` fields.
 */
const LAYOUT: Readonly<
  Record<
    number,
    { readonly gas: number; readonly to: number; readonly unsigned: number }
  >
> = {
  0: { gas: 2, to: 3, unsigned: 6 },
  1: { gas: 3, to: 4, unsigned: 8 },
  2: { gas: 4, to: 5, unsigned: 9 },
  3: { gas: 4, to: 5, unsigned: 11 },
  4: { gas: 4, to: 5, unsigned: 10 },
};

interface Item {
  /** Offset of the header. */
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

const hex = (bytes: Uint8Array): `0x${string}` =>
  `0x${Buffer.from(bytes).toString("hex")}`;
const quantity = (bytes: Uint8Array): `0x${string}` => {
  const digits = Buffer.from(bytes).toString("hex").replace(/^0+/, "");
  return `0x${digits === "" ? "0" : digits}`;
};

/**
 * Decodes a signed transaction; `undefined` for anything else, which the node
 * will refuse.
 */
export function readRawTransaction(text: unknown): RawTransaction | undefined {
  if (typeof text !== "string" || !/^0x(?:[0-9a-fA-F]{2})+$/.test(text))
    return undefined;
  const raw = Buffer.from(text.slice(2), "hex");
  const type = (raw[0] ?? 0) < 0xc0 ? (raw[0] ?? 0) : 0;
  const layout = LAYOUT[type];
  if (layout === undefined) return undefined;
  try {
    const outer = itemAt(raw, type === 0 ? 0 : 1);
    // A blob transaction may come with its blobs (EIP-4844): the first element
    // is the transaction then.
    const first = itemAt(raw, outer.content);
    const list = type === 3 && (raw[first.start] ?? 0) >= 0xc0 ? first : outer;
    const items = itemsOf(raw, list);
    const field = (index: number) => {
      const item = items[index];
      if (item === undefined) throw new RangeError("too few fields");
      return raw.subarray(item.content, item.end);
    };
    const to = field(layout.to);
    return {
      hash: hex(
        keccak_256(
          type === 3 && list !== outer
            ? Buffer.concat([
                raw.subarray(0, 1),
                raw.subarray(list.start, list.end),
              ])
            : raw,
        ),
      ),
      ...(to.length === 0 ? {} : { to: hex(to) }),
      value: quantity(field(layout.to + 1)),
      data: hex(field(layout.to + 2)),
      gas: quantity(field(layout.gas)),
      setsCode: type === 4,
      recovery: () => recoveryInput(raw, type, items, layout.unsigned, field),
    };
  } catch {
    return undefined;
  }
}

function recoveryInput(
  raw: Buffer,
  type: number,
  items: readonly Item[],
  unsigned: number,
  field: (index: number) => Buffer,
): `0x${string}` {
  const v = Number(quantity(field(unsigned)));
  const fields = raw.subarray(items[0]?.start, items[unsigned - 1]?.end);
  // EIP-155 puts the chain ID into v and under the signature.
  const protectedBy155 = type === 0 && v >= 35;
  const parity = type !== 0 ? v : protectedBy155 ? (v - 35) % 2 : v - 27;
  const tail = protectedBy155
    ? Buffer.concat([
        encodeNumber((v - 35 - parity) / 2),
        Buffer.from([0x80, 0x80]),
      ])
    : Buffer.alloc(0);
  const body = Buffer.concat([fields, tail]);
  const payload = Buffer.concat([
    type === 0 ? Buffer.alloc(0) : Buffer.from([type]),
    listHeader(body.length),
    body,
  ]);
  const word = (bytes: Uint8Array) =>
    Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]);
  return hex(
    Buffer.concat([
      keccak_256(payload),
      word(Buffer.from([27 + parity])),
      word(field(unsigned + 1)),
      word(field(unsigned + 2)),
    ]),
  );
}

function itemAt(raw: Buffer, at: number): Item {
  const head = raw[at];
  if (head === undefined) throw new RangeError("the list ends early");
  const make = (content: number, length: number): Item => {
    if (content + length > raw.length)
      throw new RangeError("an item is longer than the transaction");
    return { start: at, content, end: content + length };
  };
  if (head < 0x80) return make(at, 1);
  if (head < 0xb8) return make(at + 1, head - 0x80);
  if (head < 0xc0)
    return make(at + 1 + head - 0xb7, raw.readUIntBE(at + 1, head - 0xb7));
  if (head < 0xf8) return make(at + 1, head - 0xc0);
  return make(at + 1 + head - 0xf7, raw.readUIntBE(at + 1, head - 0xf7));
}

function itemsOf(raw: Buffer, list: Item): Item[] {
  const items: Item[] = [];
  for (let at = list.content; at < list.end; ) {
    const item = itemAt(raw, at);
    items.push(item);
    at = item.end;
  }
  return items;
}

const bigEndian = (value: number) => {
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
};

function encodeNumber(value: number): Buffer {
  if (value === 0) return Buffer.from([0x80]);
  const bytes = bigEndian(value);
  return value < 0x80
    ? bytes
    : Buffer.concat([Buffer.from([0x80 + bytes.length]), bytes]);
}

function listHeader(length: number): Buffer {
  if (length < 56) return Buffer.from([0xc0 + length]);
  const bytes = bigEndian(length);
  return Buffer.concat([Buffer.from([0xf7 + bytes.length]), bytes]);
}
