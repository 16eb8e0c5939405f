import { isRecord } from "../../rpc/quantities.js";
import { cleanText } from "../../support/text.js";
import { fromBase64 } from "../base64.js";
import { internalError, invalidParams } from "./error.js";
import { fromHex } from "./go-hex.js";
import { isJsonNumber, jsonFault, jsonType } from "./go-json.js";

/** Types of parameters: numbers by their types in Go, bytes by their encoding. */
export type Kind =
  | "int64"
  | "int"
  | "uint"
  | "string"
  | "bool"
  | "base64"
  | "hex";

/** A method's parameters by name, in order. */
export type Signature = Readonly<Record<string, Kind>>;

type Value = bigint | string | boolean | Uint8Array | undefined;

/** Parameters as a method takes them; `undefined` for those that are absent. */
export type Params = Readonly<Record<string, Value>>;

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 30;
const RANGES = {
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  uint: [0n, 2n ** 64n - 1n],
} as const;

type Integer = keyof typeof RANGES;

const isInteger = (kind: Kind): kind is Integer => Object.hasOwn(RANGES, kind);

const mistyped = (value: unknown, type: string) =>
  `json: cannot unmarshal ${jsonType(value)} into Go value of type ${type}`;

/** Returns the node's error for an integer that is not in a string. */
const noString = (json: string) =>
  `invalid 64-bit integer encoding "${cleanText(json, 40)}", expected string`;

/**
 * Reads an integer.
 *
 * @param refused returns the error to throw, given Go's message
 */
function integer(
  given: string,
  kind: Integer,
  refused: (why: string) => Error,
): bigint {
  const text = given.trim();
  if (!isJsonNumber(text)) {
    throw refused(jsonFault(cleanText(given, 40)));
  }
  const [least, most] = RANGES[kind];
  const value = /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value < least || value > most) {
    const number = cleanText(text, 40);
    throw refused(
      `json: cannot unmarshal number ${number} into Go value of type ${kind}`,
    );
  }
  return value;
}

function fromJson(value: unknown, kind: Kind): Value {
  const refused = (why: string) => invalidParams(why);
  if (value === undefined || value === null) return undefined;
  if (isInteger(kind)) {
    // Nodes take 64-bit integers as strings only.
    if (typeof value !== "string")
      throw refused(noString(JSON.stringify(value)));
    return integer(value, kind, refused);
  }
  if (kind === "bool") {
    if (typeof value !== "boolean") throw refused(mistyped(value, "bool"));
    return value;
  }
  if (typeof value === "string") {
    return kind === "string"
      ? value
      : kind === "hex"
        ? fromHex(value, refused)
        : fromBase64(value, refused);
  }
  throw refused(
    kind === "hex"
      ? `invalid hex string: ${cleanText(JSON.stringify(value), 40)}`
      : mistyped(value, kind === "string" ? "string" : "[]uint8"),
  );
}

/**
 * Reads the parameters of a JSON-RPC call, given by name or position.
 *
 * @throws RpcFault when one is invalid
 */
export function jsonParams(signature: Signature, given: unknown): Params {
  const names = Object.keys(signature);
  if (given === undefined || given === null) return {};
  if (Array.isArray(given)) {
    if (given.length !== names.length) {
      // Nodes print the bytes of each parameter.
      const bytes = given.map(
        (value) => `[${[...Buffer.from(JSON.stringify(value))].join(" ")}]`,
      );
      throw invalidParams(
        `expected ${names.length} parameters ([${names.join(" ")}]), got ${given.length} ([${cleanText(bytes.join(" "), 200)}])`,
      );
    }
  } else if (!isRecord(given)) {
    throw invalidParams(
      `unknown type for JSON params: ${mistyped(given, "[]json.RawMessage")}. Expected map or array`,
    );
  }
  return Object.fromEntries(
    Object.entries(signature).map(([name, kind], i) => [
      name,
      fromJson(Array.isArray(given) ? given[i] : given[name], kind),
    ]),
  );
}

function fromUri(text: string, kind: Kind): Value {
  const refused = (why: string) => invalidParams(why, "http");
  if (/^0x/i.test(text)) {
    if (isInteger(kind) || kind === "bool") {
      throw refused(`got a hex string arg, but expected '${kind}'`);
    }
    const bytes = fromHex(text.slice(2), refused);
    return kind === "string" ? Buffer.from(bytes).toString() : bytes;
  }
  const inner = /^"(.*)"$/s.exec(text)?.[1];
  if (isInteger(kind)) {
    const whole = inner ?? (/^-?\d+$/.test(text) ? text : undefined);
    if (whole !== undefined) return integer(whole, kind, refused);
    if (text === "null") return undefined;
    throw refused(noString(text));
  }
  if (kind === "bool") {
    if (text === "true" || text === "false") return text === "true";
    throw refused(
      /^-?\d/.test(text) ? mistyped(0, "bool") : jsonFault(cleanText(text, 40)),
    );
  }
  if (inner === undefined) {
    throw refused(
      kind === "hex"
        ? `invalid hex string: ${cleanText(text, 40)}`
        : jsonFault(cleanText(text, 40)),
    );
  }
  return kind === "string" ? inner : new Uint8Array(Buffer.from(inner));
}

/**
 * Reads the parameters of a path: strings are quoted there, bytes are in hex or
 * quoted as they are.
 *
 * @throws RpcFault when one is invalid
 */
export const uriParams = (
  signature: Signature,
  given: URLSearchParams,
): Params =>
  Object.fromEntries(
    Object.entries(signature).map(([name, kind]) => {
      const text = given.get(name) ?? "";
      return [name, text === "" ? undefined : fromUri(text, kind)];
    }),
  );

/** Returns an integer parameter; `undefined` when it is absent. */
export function whole(params: Params, name: string): bigint | undefined {
  const value = params[name];
  return typeof value === "bigint" ? value : undefined;
}

/** Returns a string parameter; empty when it is absent. */
export function text(params: Params, name: string): string {
  const value = params[name];
  return typeof value === "string" ? value : "";
}

/** Returns the bytes of a parameter; none when it is absent. */
export function bytes(params: Params, name: string): Buffer {
  const value = params[name];
  return Buffer.from(value instanceof Uint8Array ? value : []);
}

/**
 * Tells whether a search is to be answered in descending order.
 *
 * @param usual the order when none is asked for
 * @throws RpcFault when the order is unknown
 */
export function isDescending(params: Params, usual: "asc" | "desc"): boolean {
  const order = text(params, "order_by") || usual;
  if (order !== "asc" && order !== "desc") {
    throw internalError(
      "expected order_by to be either `asc` or `desc` or empty",
    );
  }
  return order === "desc";
}

/**
 * Returns one page of a list.
 *
 * @throws RpcFault when the page is beyond its end
 */
export function pageOf<T>(list: readonly T[], params: Params): readonly T[] {
  const asked = Number(whole(params, "per_page") ?? 0n);
  const size =
    asked < 1 ? DEFAULT_PER_PAGE : asked > MAX_PER_PAGE ? MAX_PER_PAGE : asked;
  const pages = Math.max(1, Math.ceil(list.length / size));
  const page = whole(params, "page") ?? 1n;
  if (page < 1n || page > BigInt(pages)) {
    throw internalError(
      `page should be within [1, ${pages}] range, given ${page}`,
    );
  }
  const from = (Number(page) - 1) * size;
  return list.slice(from, from + size);
}
