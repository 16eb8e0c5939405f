import { toHexAddress } from "../address/codec.js";
import { isRecord } from "../rpc/quantities.js";
import { cleanText } from "../support/text.js";
import type { Hex } from "./state.js";
import { UnreadError } from "./unreadable.js";

// What a server answers is looked at before it goes into the books: a number
// beyond what the chain can hold would be cut off there without a word.

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

/** Base units. */
export const amount = (value: unknown): bigint =>
  within("number of tokens", value, UINT128);

/** 18 places more than base units. */
export const decimalAmount = (value: unknown): bigint =>
  within("number of shares", value, UINT160);

/** An amount that a view cut off after the whole unit, with 18 places. A coin that is there is more than nothing. */
export function wholeAmount(value: unknown): bigint {
  const whole = amount(value);
  return whole === 0n ? 1n : whole * 10n ** 18n;
}

/** Heights, times in seconds, IDs and periods. */
export const count = (value: unknown): bigint =>
  within("height, time or number", value, UINT40);

/** A part of one, 18 places. */
export const rate = (value: unknown): bigint =>
  within("rate", value, 10n ** 18n + 1n);

/** A decimal number such as "0.334" with 18 places. */
export function decimal(value: unknown): bigint {
  const found = /^(\d{1,30})(?:\.(\d{1,18}))?$/.exec(String(value));
  if (found === null) throw wrong("decimal number", value);
  const [, whole = "0", places = ""] = found;
  return BigInt(whole + places.padEnd(18, "0"));
}

/** Nanoseconds as seconds. */
export const seconds = (nanoseconds: bigint): bigint =>
  count(nanoseconds / 10n ** 9n);

export function address(value: unknown, prefix?: string): Hex {
  try {
    return toHexAddress(String(value), prefix === undefined ? {} : { prefix });
  } catch {
    throw wrong("address", value);
  }
}

export function text(value: unknown, max: number): string {
  if (typeof value !== "string" || Buffer.byteLength(value) > max) {
    throw wrong("text", value);
  }
  return value;
}

/** The chain's coin among those of an amount: base units, or with places where these have them. */
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

/** A value of a store. */
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

/** A list of a view's answer. */
export const list = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** A part of a view's answer. */
export function fields(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw wrong("structure", value);
  return value;
}
