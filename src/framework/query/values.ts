import { hexToBytes } from "@noble/hashes/utils";
import { base64 } from "@scure/base";

import { parseAddress } from "../../address/index.js";
import { asObject, isList, type Json } from "../json.js";
import { malformed } from "../errors.js";
import type { AddressForms, Coin, DecCoin } from "./answers.js";

/** Brings units and names of the framework's answers into one form. */

const ONE = 10n ** 18n;
const NANOS = 1_000_000_000n;

type JsonObject = { readonly [key: string]: Json };

/** Reads the fields of a JSON answer; anything unexpected is an error, never a guess. */
export class Fields {
  readonly #object: JsonObject;
  readonly #where: string;

  constructor(value: Json | undefined, where: string) {
    const object = asObject(value);
    if (object === undefined) {
      throw unexpected(where, "an object");
    }
    this.#object = object;
    this.#where = where;
  }

  /** The object itself. */
  get value(): JsonObject {
    return this.#object;
  }

  at(key: string): Json | undefined {
    // Own properties only, so that no answer can reach Object.prototype.
    return Object.hasOwn(this.#object, key) ? this.#object[key] : undefined;
  }

  object(key: string): Fields {
    return new Fields(this.at(key), this.#path(key));
  }

  /** The objects in a list; the framework writes null for an empty one. */
  objects(key: string): readonly Fields[] {
    return this.#list(key).map((item) => new Fields(item, this.#path(key)));
  }

  texts(key: string): readonly string[] {
    return this.#list(key).map((item) => {
      if (typeof item !== "string") {
        throw unexpected(this.#path(key), "texts");
      }
      return item;
    });
  }

  text(key: string): string {
    const value = this.at(key);
    if (typeof value !== "string") {
      throw unexpected(this.#path(key), "a text");
    }
    return value;
  }

  flag(key: string): boolean {
    const value = this.at(key);
    if (typeof value !== "boolean") {
      throw unexpected(this.#path(key), "true or false");
    }
    return value;
  }

  /** An integer, written as a string or, in some messages, as a number. */
  integer(key: string): bigint {
    return toInteger(this.at(key), this.#path(key));
  }

  optionalInteger(key: string): bigint | undefined {
    return this.at(key) === undefined ? undefined : this.integer(key);
  }

  number(key: string): number {
    return Number(this.integer(key));
  }

  /** A decimal string, times 10^18. */
  decimal(key: string): bigint {
    return timesOne(this.text(key), this.#path(key));
  }

  /** An RFC 3339 time in Unix seconds; null if it is not set. */
  time(key: string): bigint | null {
    const value = this.at(key);
    if (value === null || value === undefined) {
      return null;
    }
    const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(ms)) {
      throw unexpected(this.#path(key), "a time");
    }
    return timeOrNone(BigInt(Math.floor(ms / 1000)));
  }

  /** A duration such as `60s` or `0.5s`, in nanoseconds. */
  duration(key: string): bigint {
    const match = /^(-?)(\d+)(?:\.(\d{1,9}))?s$/.exec(this.text(key));
    if (match === null) {
      throw unexpected(this.#path(key), "a duration");
    }
    const [, sign = "", whole = "", fraction = ""] = match;
    const nanos = BigInt(whole) * NANOS + BigInt(fraction.padEnd(9, "0"));
    return sign === "" ? nanos : -nanos;
  }

  bytes(key: string): Uint8Array {
    return fromBase64(this.text(key), this.#path(key));
  }

  coins(key: string): readonly Coin[] {
    return this.objects(key).map((item) => item.coin());
  }

  coin(): Coin {
    return { denom: this.text("denom"), amount: this.integer("amount") };
  }

  decCoins(key: string): readonly DecCoin[] {
    return this.objects(key).map((item) => ({
      denom: item.text("denom"),
      amount: item.decimal("amount"),
    }));
  }

  /** `next_key` of a page; null if there is no next one. */
  nextKey(): Uint8Array | null {
    const page = this.at("pagination");
    if (page === null || page === undefined) {
      return null;
    }
    const key = new Fields(page, this.#path("pagination")).at("next_key");
    if (key === null || key === undefined || key === "") {
      return null;
    }
    if (typeof key !== "string") {
      throw unexpected(this.#path("pagination.next_key"), "a text");
    }
    return fromBase64(key, this.#path("pagination.next_key"));
  }

  #list(key: string): readonly Json[] {
    const value = this.at(key);
    if (value === null || value === undefined) {
      return [];
    }
    if (!isList(value)) {
      throw unexpected(this.#path(key), "a list");
    }
    return value;
  }

  #path(key: string): string {
    return `${this.#where}.${key}`;
  }
}

export function toInteger(value: unknown, where: string): bigint {
  if (typeof value === "bigint") {
    return value;
  }
  if (
    (typeof value === "number" && Number.isSafeInteger(value)) ||
    (typeof value === "string" && /^-?\d{1,100}$/.test(value))
  ) {
    return BigInt(value);
  }
  throw unexpected(where, "an integer");
}

function timesOne(text: string, where: string): bigint {
  const match = /^(-?)(\d{1,100})(?:\.(\d{1,18}))?$/.exec(text);
  if (match === null) {
    throw unexpected(where, "a decimal with at most 18 digits after the point");
  }
  const [, sign = "", whole = "", fraction = ""] = match;
  const value = BigInt(whole + fraction.padEnd(18, "0"));
  return sign === "" ? value : -value;
}

/** A precompile's whole base units in the unit of rewards and pools, times 10^18. */
export const wholeUnits = (amount: bigint) => amount * ONE;

/** A time in Unix seconds; 0 and the framework's zero time mean that it is not set. */
export const timeOrNone = (seconds: bigint): bigint | null =>
  seconds <= 0n ? null : seconds;

interface Instant {
  readonly seconds: bigint;
  readonly nanos: number;
}

export const timeOf = (instant: Instant | undefined) =>
  timeOrNone(instant?.seconds ?? 0n);

export const durationOf = (duration: Instant | undefined) =>
  duration === undefined
    ? 0n
    : duration.seconds * NANOS + BigInt(duration.nanos);

/** A name by its number; unknown numbers are errors. */
export function named<T extends string>(
  names: readonly T[],
  number: number,
  where: string,
): T {
  const name = names[number];
  if (name === undefined) {
    throw unexpected(where, `one of ${names.length} known values`);
  }
  return name;
}

export function oneOf<T extends string>(
  names: readonly T[],
  text: string,
  where: string,
): T {
  const name = names.find((candidate) => candidate === text);
  if (name === undefined) {
    throw unexpected(where, `one of ${names.length} known values`);
  }
  return name;
}

/** Both stacks' forms of an address from a server. */
export function forms(text: string, prefix: string): AddressForms {
  const { hex, account, valoper } = parseAddress(text, { prefix });
  return { hex, account, valoper };
}

export const formsOrNone = (text: string, prefix: string) =>
  text === "" || /^0x0{40}$/.test(text) ? null : forms(text, prefix);

export function fromBase64(text: string, where: string): Uint8Array {
  try {
    return base64.decode(text);
  } catch {
    throw unexpected(where, "base64");
  }
}

export const toBase64 = (bytes: Uint8Array) => base64.encode(bytes);
export const fromHex = (hex: string) => hexToBytes(hex.replace(/^0x/, ""));
export const keyOrNone = (key: Uint8Array) => (key.length === 0 ? null : key);

/** The ed25519 key in its protobuf message: field 1, 32 bytes. */
export function ed25519Key(message: Uint8Array, where: string): Uint8Array {
  if (message.length !== 34 || message[0] !== 0x0a || message[1] !== 32) {
    throw unexpected(where, "an ed25519 key of 32 bytes");
  }
  return Uint8Array.from(message.subarray(2));
}

function unexpected(where: string, what: string) {
  return malformed(
    "the node",
    `answered something other than ${what} in "${where}"`,
  );
}
