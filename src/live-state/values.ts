import { toHexAddress } from "../address/codec.js";
import { isRecord } from "../rpc/quantities.js";
import { cleanText } from "../support/text.js";
import type { Hex } from "./state.js";
import { UnreadError } from "./unreadable.js";

// Validates what a server answers before it is imported into the books, where a
// number out of range would be truncated silently. All functions but `list`
// throw an UnreadError for a value that no chain has.

const UINT40 = 2n ** 40n;
const UINT128 = 2n ** 128n;
const UINT160 = 2n ** 160n;

const wrong = (what: string, value: unknown) =>
  new UnreadError(
    `the node answered a ${what} that no chain has: ${cleanText(String(value), 60)}`,
    { fix: "Fork from another node." },
  );

function within(what: string, value: unknown, limit: bigint): bigint {
  const number =
    typeof value === "string" && /^\d{1,80}$/.test(value)
      ? BigInt(value)
      : value;
  if (typeof number !== "bigint" || number < 0n || number >= limit) {
    throw wrong(what, value);
  }
  return number;
}

/** Parses an amount in base units. */
export const amount = (value: unknown): bigint =>
  within("number of tokens", value, UINT128);

/** Parses an amount in base units scaled by 10^18. */
export const decimalAmount = (value: unknown): bigint =>
  within("number of shares", value, UINT160);

/**
 * Parses an amount that a view truncated to whole base units, and scales it by
 * 10^18. A 0 becomes 1, since a coin in a list is never 0.
 */
export function wholeAmount(value: unknown): bigint {
  const whole = amount(value);
  return whole === 0n ? 1n : whole * 10n ** 18n;
}

/** Parses a height, a time in seconds, an ID or a period. */
export const count = (value: unknown): bigint =>
  within("height, time or number", value, UINT40);

/** Decodes a counter of a store, which is big-endian. */
export const counter = (bytes: Uint8Array): bigint =>
  count(BigInt(`0x0${Buffer.from(bytes).toString("hex")}`));

/** Parses a rate from 0 to 1, scaled by 10^18. */
export const rate = (value: unknown): bigint =>
  within("rate", value, 10n ** 18n + 1n);

/** Parses a decimal number such as "0.334", scaled by 10^18. */
export function decimal(value: unknown): bigint {
  const found = /^(\d{1,30})(?:\.(\d{1,18}))?$/.exec(String(value));
  if (found === null) throw wrong("decimal number", value);
  const [, whole = "0", places = ""] = found;
  return BigInt(whole + places.padEnd(18, "0"));
}

/** Converts nanoseconds to seconds. */
export const seconds = (nanoseconds: bigint): bigint =>
  count(nanoseconds / 10n ** 9n);

/** Parses an address of either form to hex. */
export function address(value: unknown, prefix?: string): Hex {
  try {
    return toHexAddress(String(value), prefix === undefined ? {} : { prefix });
  } catch {
    throw wrong("address", value);
  }
}

/** Checks a text of at most `max` bytes. */
export function text(value: unknown, max: number): string {
  if (typeof value !== "string" || Buffer.byteLength(value) > max) {
    throw wrong("text", value);
  }
  return value;
}

/**
 * Returns the amount of a denomination in a list of coins; 0 for an empty list.
 *
 * @param of parses the amount; by default base units
 * @throws UnreadError when the list has other coins only
 */
export function coin(
  coins: unknown,
  denom: string,
  of: (value: unknown) => bigint = amount,
): bigint {
  const others: string[] = [];
  for (const one of list(coins)) {
    if (one.denom === denom) return of(one.amount);
    others.push(cleanText(one.denom, 40));
  }
  if (others.length > 0) {
    throw new UnreadError(
      `an amount of the chain is in ${others.join(", ")}, and its tokens are ${denom}`,
    );
  }
  return 0n;
}

/** Decodes a value of a store. */
export function stored<T>(
  { decode }: { readonly decode: (bytes: Uint8Array) => T },
  bytes: Uint8Array,
): T {
  try {
    return decode(bytes);
  } catch {
    throw wrong("value of a store", Buffer.from(bytes).toString("hex"));
  }
}

/** Returns the objects of a list; of anything else, an empty list. */
export const list = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Checks that a value is an object. */
export function fields(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw wrong("structure", value);
  return value;
}
