import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, toQuantity } from "../rpc/quantities.js";
import type { Sent } from "./sent.js";
import { toPendingTransaction } from "./transactions.js";

/** Clients require a block hash; no block has this one. */
const NO_BLOCK = `0x${"00".repeat(32)}`;
const NO_LOGS = `0x${"00".repeat(256)}`;

/** The number of the newest block, where no better one is known for such a receipt. */
export const newestBlock = async (ask: Ask): Promise<bigint> =>
  fromQuantity(await ask("eth_blockNumber"), "the newest block's number");

/**
 * A receipt for a transaction that used its nonce but has none: it failed, and
 * paid for its whole gas limit. Clients that ignore errors while they wait
 * would otherwise wait forever.
 *
 * @param blockNumber the block in which the nonce was used; its hash is left
 * out, since that block does not show the transaction
 * @param reason why there is no other receipt; part of this one
 */
export async function lostReceipt(
  sent: Pick<Sent, "hash" | "from" | "raw">,
  blockNumber: bigint,
  reason: string,
): Promise<Record<string, unknown>> {
  const transaction =
    sent.raw === undefined ? null : await toPendingTransaction(sent.raw);
  const gasUsed = transaction?.["gas"] ?? "0x0";
  return {
    transactionHash: sent.hash,
    transactionIndex: "0x0",
    blockHash: NO_BLOCK,
    blockNumber: toQuantity(blockNumber),
    from: sent.from,
    to: transaction?.["to"] ?? null,
    type: transaction?.["type"] ?? "0x2",
    status: "0x0",
    gasUsed,
    cumulativeGasUsed: gasUsed,
    effectiveGasPrice: transaction?.["gasPrice"] ?? "0x0",
    contractAddress: null,
    logs: [],
    logsBloom: NO_LOGS,
    reason,
  };
}
