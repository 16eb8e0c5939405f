import { cleanText } from "../../support/text.js";
import { internalError, invalidParams } from "./error.js";

/** Parameters as received: JSON values, or strings and bytes of a path. */
export type Params = Readonly<Record<string, unknown>>;

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 30;

/** Returns the node's error text for a value that is not an integer. */
export const noInteger = (value: unknown): string =>
  `invalid 64-bit integer encoding "${cleanText(String(value), 40)}", expected string`;

/**
 * Reads an integer; `undefined` when it is absent.
 *
 * @throws RpcFault when it is not an integer in a string
 */
export function whole(params: Params, name: string): bigint | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === "") return undefined;
  // Nodes take 64-bit integers as strings only.
  if (typeof value !== "string") throw invalidParams(noInteger(value));
  if (!/^-?\d{1,19}$/.test(value)) {
    throw invalidParams(
      `invalid character '${cleanText(value.slice(0, 1), 4)}' looking for beginning of value`,
    );
  }
  return BigInt(value);
}

/** Reads a string; empty when it is absent. */
export function text(params: Params, name: string): string {
  const value = params[name];
  return typeof value === "string" ? value : "";
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Reads bytes, which JSON gives in base64.
 *
 * @throws RpcFault when they are not base64
 */
export function bytes(params: Params, name: string): Buffer {
  const value = params[name];
  if (value instanceof Uint8Array) return Buffer.from(value);
  const given = text(params, name);
  const bad = /[^A-Za-z0-9+/=]/.exec(given);
  if (bad !== null || !BASE64.test(given)) {
    throw invalidParams(
      `illegal base64 data at input byte ${bad?.index ?? given.length}`,
    );
  }
  if (given.length % 4 !== 0) {
    const at = given.length - (given.length % 4);
    throw invalidParams(`illegal base64 data at input byte ${at}`);
  }
  return Buffer.from(given, "base64");
}

/**
 * Reads a page parameter, which may also be a JSON number.
 *
 * @throws RpcFault when it is not an integer
 */
const numberIn = (params: Params, name: string) => {
  const { [name]: value } = params;
  return typeof value === "number"
    ? whole({ [name]: String(value) }, name)
    : whole(params, name);
};

/**
 * Returns one page of a list.
 *
 * @throws RpcFault when the page is beyond its end
 */
export function pageOf<T>(list: readonly T[], params: Params): readonly T[] {
  const asked = Number(numberIn(params, "per_page") ?? 0n);
  const size =
    asked < 1 ? DEFAULT_PER_PAGE : asked > MAX_PER_PAGE ? MAX_PER_PAGE : asked;
  const pages = Math.max(1, Math.ceil(list.length / size));
  const page = Number(numberIn(params, "page") ?? 1n);
  if (page < 1 || page > pages) {
    throw internalError(
      `page should be within [1, ${pages}] range, given ${page}`,
    );
  }
  return list.slice((page - 1) * size, page * size);
}
