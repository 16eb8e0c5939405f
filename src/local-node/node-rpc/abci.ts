import { abciQuery } from "../abci.js";
import type { Ledger } from "../ledger.js";
import { query } from "../query/index.js";
import { bytes, type Params, text, whole } from "./params.js";

/** The default fields of an `abci_query` response. */
export const NO_ANSWER = {
  code: 0,
  log: "",
  info: "",
  index: "0",
  key: null as string | null,
  value: null as string | null,
  proofOps: null,
  height: "0",
  codespace: "",
};

const base64 = (bytes: Uint8Array | null) =>
  bytes === null ? null : Buffer.from(bytes).toString("base64");

/** Answers `abci_query`. */
export async function abciAnswer(
  ledger: Ledger,
  params: Params,
): Promise<object> {
  const { height, key, value, ...answer } = await abciQuery(ledger, query, {
    path: text(params, "path"),
    data: bytes(params, "data"),
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
