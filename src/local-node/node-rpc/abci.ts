import { bech32 } from "@scure/base";

import type { DualChain } from "../chain.js";
import { Fault } from "../fault.js";
import { query } from "../query/index.js";
import { type Params, text, whole } from "./params.js";

/** What an answer holds where nothing else is said. */
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

/** A query of the state: of a service by its path, or of a store. */
export async function abciQuery(
  chain: DualChain,
  params: Params,
): Promise<unknown> {
  const path = text(params, "path");
  const given = params["data"];
  const data =
    given instanceof Uint8Array
      ? Buffer.from(given)
      : Buffer.from(text(params, "data").replace(/^0x/, ""), "hex");
  const asked = whole(params, "height") ?? 0n;
  const height = asked === 0n ? chain.height : asked;
  const answer = { ...NO_ANSWER, height: String(height) };
  const store = /^\/store\/([a-z]+)\/key$/.exec(path)?.[1];
  try {
    if (store !== undefined) {
      const found = await stored(chain, store, data, asked);
      return { ...answer, key: data.toString("base64"), value: found };
    }
    if (path === "/app/version") {
      return { ...answer, value: Buffer.from("").toString("base64") };
    }
    const [, service = "", name = ""] = path.split("/");
    const value = await query(chain, service, name, data, asked);
    return { ...answer, value: Buffer.from(value).toString("base64") };
  } catch (error) {
    if (error instanceof Fault) {
      const { abci } = error;
      return {
        ...answer,
        ...abci,
        height: abci.code === 26 ? "0" : String(height),
      };
    }
    throw error;
  }
}

// The bank's balances, as they lie in its store: 02, 14, 20 bytes, denomination.
async function stored(
  chain: DualChain,
  store: string,
  key: Buffer,
  height: bigint,
): Promise<string | null> {
  if (store !== "bank") {
    throw new Fault(5, `no such store: ${store}`, {
      code: 4,
      codespace: "store",
      log: `no such store: ${store}: unknown request`,
    });
  }
  if (key.length < 22 || key[0] !== 2) return null;
  const address = bech32.encode(
    chain.prefix,
    bech32.toWords(key.subarray(2, 22)),
  );
  const balances = await chain.booksAt(height).balances(address);
  const amount = balances.find(
    ({ denom }) => denom === key.subarray(22).toString(),
  )?.amount;
  return amount === undefined ? null : Buffer.from(amount).toString("base64");
}
