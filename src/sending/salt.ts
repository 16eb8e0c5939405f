import { randomInt } from "node:crypto";

import type { Exchange } from "../rpc/pipeline.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";

/** Wei per unit of gas; a thousandth of a gwei. */
const MAX_SALT = 1_000_000;

/**
 * What Hardhat asks to fill in fees, with a random part of nothing in the base
 * fee that may come: two processes that send the same with the same nonce sign
 * other bytes then, and each can tell what became of its own when an answer is
 * lost. It only lifts what may be paid at most; nothing more is paid.
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
