import { randomInt } from "node:crypto";

import type { Exchange } from "../rpc/pipeline.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";

/** Wei per gas: a thousandth of a gwei. */
const MAX_SALT = 1_000_000;

/**
 * Adds a tiny random amount to the next base fee that Hardhat fills in fees
 * from: two processes that send the same with the same nonce then sign
 * different bytes, so each can tell what happened to its own if an answer is
 * lost. It only raises the highest fee that may be paid, not the fee itself.
 */
export function withSalt({ params }: Exchange, answer: unknown): unknown {
  const [blocks, newest, percentiles] = params;
  const isHardhats =
    blocks === "0x1" &&
    newest === "latest" &&
    Array.isArray(percentiles) &&
    percentiles.length === 1 &&
    percentiles[0] === 50;
  const fees = isRecord(answer) ? answer["baseFeePerGas"] : undefined;
  if (!isHardhats || !isRecord(answer) || !Array.isArray(fees)) {
    return answer;
  }
  const next = fromQuantity(fees.at(-1), "the next base fee");
  return {
    ...answer,
    baseFeePerGas: [
      ...(fees.slice(0, -1) as unknown[]),
      toQuantity(next + BigInt(randomInt(MAX_SALT))),
    ],
  };
}
