// Reads the block that a request names.

import { isRecord } from "../../rpc/quantities.js";

/** The height that a request names; `undefined` for names of blocks that are not in the past, and for hashes. */
export function heightOf(block: unknown): bigint | undefined {
  const named = isRecord(block) ? block.blockNumber : block;
  if (named === "earliest") return 0n;
  return typeof named === "string" && /^0x[0-9a-f]{1,16}$/i.test(named)
    ? BigInt(named)
    : undefined;
}
