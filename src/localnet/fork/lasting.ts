// Decides whether the gateway may cache an answer.

import { isRecord } from "../../rpc/quantities.js";

/**
 * Index of the parameter that names the block, or the hash of what is asked
 * for.
 */
const PLACE_OF_BLOCK: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getBlockByNumber: 0,
  eth_getBlockByHash: 0,
  eth_feeHistory: 1,
  eth_getTransactionByHash: 0,
  eth_getTransactionReceipt: 0,
};

const OF_THE_CHAIN = new Set(["eth_chainId", "net_version"]);

/** The answers for an account that a chain does not have. */
export const NOTHING: Readonly<Record<string, string>> = {
  eth_getBalance: "0x0",
  eth_getTransactionCount: "0x0",
  eth_getCode: "0x",
  eth_getStorageAt: `0x${"0".repeat(64)}`,
};

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const FORMS: Readonly<Record<string, RegExp>> = {
  eth_getBalance: QUANTITY,
  eth_getTransactionCount: /^0x[0-9a-f]{1,16}$/i,
  eth_getCode: /^0x(?:[0-9a-f]{2})*$/i,
  eth_getStorageAt: QUANTITY,
  eth_blockNumber: /^0x[0-9a-f]{1,16}$/i,
};

/**
 * Returns whether an answer has the method's form; only methods in `FORMS` are
 * checked.
 */
export function isWellFormed(method: string, result: unknown): boolean {
  const form = FORMS[method];
  return (
    form === undefined || (typeof result === "string" && form.test(result))
  );
}

/**
 * Returns whether an answer never changes: it is about the chain, or about an
 * existing block or something in one.
 */
export function isLasting(
  method: string,
  params: readonly unknown[],
  result: unknown,
): boolean {
  if (OF_THE_CHAIN.has(method)) return true;
  const place = PLACE_OF_BLOCK[method];
  if (place === undefined) return false;
  const named = params[place];
  if (typeof named !== "string" || !/^0x[0-9a-f]+$/i.test(named)) return false;
  // What a node lacks may come later; a pending transaction has no block yet.
  return !isRecord(result)
    ? result !== null && result !== undefined
    : !("blockHash" in result) || typeof result.blockHash === "string";
}
