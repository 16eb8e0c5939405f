// Reads which block a request names.

import { isRecord } from "../../rpc/quantities.js";

/**
 * Returns the height that a request names; `undefined` for block hashes, and
 * for tags other than `earliest`.
 */
export function heightOf(block: unknown): bigint | undefined {
  const named = isRecord(block) ? block.blockNumber : block;
  if (named === "earliest") return 0n;
  return typeof named === "string" && /^0x[0-9a-f]{1,16}$/i.test(named)
    ? BigInt(named)
    : undefined;
}
