import { internalError, invalidParams } from "./error.js";

/** Parameters as they came: JSON, or texts of a path. */
export type Params = Readonly<Record<string, unknown>>;

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 30;

/** A whole number; nothing where it is not given. @throws RpcFault */
export function whole(params: Params, name: string): bigint | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === "") return undefined;
  const text = String(value);
  if (!/^-?\d{1,19}$/.test(text)) {
    throw invalidParams(
      `invalid character '${text.slice(0, 1)}' looking for beginning of value`,
    );
  }
  return BigInt(text);
}

export function text(params: Params, name: string): string {
  const value = params[name];
  return typeof value === "string" ? value : "";
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes, which JSON has in base64. @throws RpcFault */
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
  return Buffer.from(given, "base64");
}

/** One page of a list. @throws RpcFault beyond its end */
export function pageOf<T>(list: readonly T[], params: Params): readonly T[] {
  const asked = Number(whole(params, "per_page") ?? 0n);
  const size =
    asked < 1 ? DEFAULT_PER_PAGE : asked > MAX_PER_PAGE ? MAX_PER_PAGE : asked;
  const pages = Math.max(1, Math.ceil(list.length / size));
  const page = Number(whole(params, "page") ?? 1n);
  if (page < 1 || page > pages) {
    throw internalError(
      `page should be within [1, ${pages}] range, given ${page}`,
    );
  }
  return list.slice((page - 1) * size, page * size);
}
