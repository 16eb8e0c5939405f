import { abciQuery } from "../abci.js";
import type { Ledger } from "../ledger.js";
import { query } from "../query/index.js";
import { invalidParams } from "./error.js";
import { type Params, text, whole } from "./params.js";

/** The default fields of an `abci_query` response. */
export const NO_ANSWER = {
  code: 0,
  log: "",
  info: "",
  index: "0",
  key: null as string | null,
  value: null as string | null,
  proofOps: null,
  codespace: "",
};

/**
 * Reads the query's bytes, which this method takes in hex instead of base64.
 *
 * @throws RpcFault when they are not hex
 */
function dataOf(params: Params): Uint8Array {
  const { data } = params;
  if (data instanceof Uint8Array) return data;
  const given = text(params, "data");
  const bad = /[^0-9a-fA-F]/.exec(given)?.[0];
  if (bad !== undefined) {
    const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase();
    throw invalidParams(
      `encoding/hex: invalid byte: U+${code.padStart(4, "0")} '${bad}'`,
    );
  }
  return Buffer.from(given, "hex");
}

const base64 = (bytes: Uint8Array | null) =>
  bytes === null ? null : Buffer.from(bytes).toString("base64");

/**
 * Answers `abci_query`.
 *
 * @throws RpcFault when a parameter is invalid
 */
export async function abciAnswer(
  ledger: Ledger,
  params: Params,
): Promise<object> {
  const { height, key, value, ...answer } = await abciQuery(ledger, query, {
    path: text(params, "path"),
    data: dataOf(params),
    height: whole(params, "height") ?? 0n,
  });
  return {
    ...NO_ANSWER,
    ...answer,
    key: base64(key),
    value: base64(value),
    height: String(height),
  };
}
