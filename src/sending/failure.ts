import type { EstimateSource } from "../gas/quote.js";
import { FREE_MULTIPLIER } from "../gas/settings.js";
import { cleanText } from "../support/text.js";
import { type RpcProvider, rpcErrorOf } from "../rpc/provider.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";

/** Why a transaction that is in a block failed. */
export interface Failure {
  /** `missing`: no block shows the transaction, so that it cannot be traced. */
  readonly kind: "out-of-gas" | "reverted" | "unknown" | "missing";
  /** A sentence without what to do. */
  readonly reason: string;
  /** What to do about it, if anything. */
  readonly fix?: string;
  /** Revert data, to decode with a contract's ABI. */
  readonly data?: string;
}

const HIGHER_LIMIT = "Give a higher gas limit, or none to have it estimated.";
const HIGHER_MULTIPLIER = `Set dualstack.gas.multiplier to ${FREE_MULTIPLIER} (up to that it costs nothing), or give an explicit gas limit.`;

/**
 * Finds out why a transaction failed: the same call at its block, without the
 * gas limit, tells the reason; if that succeeds and the limit is nearly used
 * up, it ran out of gas. (Traces of a node of this kind are no help: they show
 * such transactions as successful.)
 *
 * @param receipt as the node returned it, with status 0
 * @param estimates tell limits that were estimated from those that the sender chose
 */
export async function explainFailure(
  provider: RpcProvider,
  receipt: Record<string, unknown>,
  estimates: EstimateSource | undefined,
): Promise<Failure> {
  const transaction = await provider.request({
    method: "eth_getTransactionByHash",
    params: [receipt["transactionHash"]],
  });
  if (!isRecord(transaction)) {
    return {
      kind: "unknown",
      reason: "the node does not show the transaction",
    };
  }
  const limit = fromQuantity(transaction["gas"], "the gas limit");
  const used = fromQuantity(receipt["gasUsed"], "the gas used");
  const call = {
    from: transaction["from"],
    ...(transaction["to"] === null ? {} : { to: transaction["to"] }),
    value: transaction["value"],
    data: transaction["input"],
  };
  try {
    await provider.request({
      method: "eth_call",
      params: [call, receipt["blockNumber"]],
    });
  } catch (error) {
    const rpc = rpcErrorOf(error);
    if (rpc === undefined) {
      throw error;
    }
    if (!(isUsedUp(used, limit) && /out of gas/i.test(rpc.message))) {
      const data = revertData(rpc.data);
      return {
        kind: "reverted",
        reason: cleanText(rpc.message),
        ...(data === undefined ? {} : { data }),
      };
    }
  }
  if (!isUsedUp(used, limit)) {
    return {
      kind: "unknown",
      reason:
        "it failed in its block, but the same call succeeds on the block's final state",
    };
  }
  const what =
    used === limit
      ? `the whole limit of ${limit} was used`
      : `${used} of the limit of ${limit} was used, which left too little for a call inside`;
  const estimate = estimates?.estimateBehind(
    {
      ...(typeof call.to === "string" ? { to: call.to } : {}),
      ...(typeof call.data === "string" ? { data: call.data } : {}),
    },
    limit,
  );
  return estimate === undefined
    ? {
        kind: "out-of-gas",
        reason: `out of gas: ${what}`,
        fix: HIGHER_LIMIT,
      }
    : {
        kind: "out-of-gas",
        reason: `out of gas: ${what}; the block needed more than the estimate of ${estimate}`,
        fix: HIGHER_MULTIPLIER,
      };
}

// A contract keeps a 64th of its gas when a call inside runs out; after six
// nested calls that adds up to a tenth. A failure for another reason seldom
// comes near the limit, which is an estimate with a buffer.
const isUsedUp = (used: bigint, limit: bigint): boolean =>
  used * 10n >= limit * 9n;

/** The bytes of a node's error data: given directly, or inside an object as by `hardhat node`. */
export function revertData(data: unknown): string | undefined {
  if (typeof data === "string" && /^0x[0-9a-fA-F]*$/.test(data)) {
    return data;
  }
  return isRecord(data) ? revertData(data["data"]) : undefined;
}
