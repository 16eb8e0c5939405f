import { hexToBytes } from "@noble/hashes/utils";

import { parseAddress } from "../../address/index.js";
import { type Fault, internalFault } from "../fault.js";

/** The part of a list that is asked for. */
export interface PageRequest {
  readonly key: Uint8Array;
  readonly offset: bigint;
  readonly limit: bigint;
  readonly countTotal: boolean;
  readonly reverse: boolean;
}

/** One page of a list, with the framework's pagination fields. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly pagination: { readonly nextKey: Uint8Array; readonly total: bigint };
}

export const FIRST_PAGE: PageRequest = {
  key: new Uint8Array(),
  offset: 0n,
  limit: 0n,
  countTotal: false,
  reverse: false,
};
/** How many items a page has when none are asked for. */
export const DEFAULT_LIMIT = 100n;

/**
 * Cuts a page out of a list as the framework does.
 *
 * @param keyOf returns the key that the framework's store sorts an item by
 * @param refused returns the module's refusal of a page with two beginnings
 * @throws Fault when both a key and an offset are given
 */
export function paginate<T>(
  items: readonly T[],
  page: PageRequest | undefined,
  keyOf: (item: T) => Uint8Array,
  refused: (why: string) => Fault = internalFault,
): Page<T> {
  const wanted = page ?? FIRST_PAGE;
  requireOneStart(wanted, refused);
  const { key, offset, limit, countTotal, reverse } = wanted;
  const ordered = reverse ? [...items].reverse() : items;
  const size = Number(limit === 0n ? DEFAULT_LIMIT : limit);
  // An item that is gone since is passed over.
  const isReached = (item: T) =>
    Buffer.compare(keyOf(item), key) * (reverse ? -1 : 1) >= 0;
  const start = key.length > 0 ? ordered.findIndex(isReached) : Number(offset);
  const from = start < 0 ? ordered.length : start;
  const next = ordered[from + size];
  return {
    items: ordered.slice(from, from + size),
    pagination: {
      nextKey: next === undefined ? new Uint8Array() : keyOf(next),
      total:
        key.length === 0 && (countTotal || limit === 0n)
          ? BigInt(items.length)
          : 0n,
    },
  };
}

/**
 * Checks a page as the framework does.
 *
 * @param refused returns the module's refusal
 * @throws Fault when both a key and an offset are given
 */
export function requireOneStart(
  { key, offset }: PageRequest,
  refused: (why: string) => Fault,
): void {
  if (key.length > 0 && offset > 0n) {
    throw refused(
      "invalid request, either offset or key is expected, got both",
    );
  }
}

/**
 * Returns the store key of an address in any form: its length, then its bytes.
 */
export function addressKey(address: string): Uint8Array {
  const bytes = hexToBytes(parseAddress(address).hex.slice(2).toLowerCase());
  return Uint8Array.from([bytes.length, ...bytes]);
}

/** Returns the store key of an ID: 8 bytes, big-endian. */
export function idKey(id: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(id);
  return new Uint8Array(bytes);
}

/** Returns the store key of a string: its UTF-8 bytes. */
export const textKey = (text: string): Uint8Array =>
  new TextEncoder().encode(text);
