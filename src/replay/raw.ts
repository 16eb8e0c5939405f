import type { TransactionLike } from "ethers";

import { isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";

/**
 * Rebuilds a signed raw transaction from its JSON-RPC fields.
 *
 * @throws DualstackError when the result does not have the transaction's hash
 */
export async function signedOf(
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { Transaction } = await import("ethers");
  const hash = String(fields.hash).toLowerCase();
  const type = Number(fields.type ?? 0);
  let signed: string;
  try {
    const v = BigInt(String(fields.v));
    const isUnprotected = v === 27n || v === 28n;
    const transaction = Transaction.from({
      type,
      to: typeof fields.to === "string" ? fields.to : null,
      nonce: Number(fields.nonce),
      gasLimit: BigInt(String(fields.gas)),
      data: String(fields.input),
      value: BigInt(String(fields.value)),
      ...(type === 0 && isUnprotected
        ? {}
        : { chainId: BigInt(String(fields.chainId)) }),
      ...(type < 2
        ? { gasPrice: BigInt(String(fields.gasPrice)) }
        : {
            maxFeePerGas: BigInt(String(fields.maxFeePerGas)),
            maxPriorityFeePerGas: BigInt(String(fields.maxPriorityFeePerGas)),
          }),
      ...(type === 0 ? {} : { accessList: listOf(fields.accessList) as never }),
      ...(type === 4
        ? {
            authorizationList: listOf(fields.authorizationList).map(
              ({ address, chainId, nonce, r, s, yParity, v }) => ({
                address: String(address),
                chainId: BigInt(String(chainId)),
                nonce: BigInt(String(nonce)),
                signature: {
                  r: word(r),
                  s: word(s),
                  yParity: Number(yParity ?? v) as 0 | 1,
                },
              }),
            ),
          }
        : {}),
      signature: {
        r: word(fields.r),
        s: word(fields.s),
        ...(type === 0 ? { v } : { yParity: Number(v) as 0 | 1 }),
      },
    } as TransactionLike);
    signed = transaction.serialized;
    if (transaction.hash?.toLowerCase() !== hash) {
      throw new RangeError("its hash differs");
    }
  } catch (cause) {
    throw new DualstackError(
      "the node's answer is not a valid signed transaction, so it cannot be replayed",
      { transaction: hash, cause },
    );
  }
  return signed;
}

const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const word = (value: unknown) =>
  `0x${BigInt(String(value)).toString(16).padStart(64, "0")}`;
