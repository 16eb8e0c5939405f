import type { Transaction } from "ethers";

export interface DecodedTransaction {
  readonly hash: string;
  readonly from: string;
  readonly nonce: bigint;
  /** Whether it creates a contract. */
  readonly creates: boolean;
}

async function parse(raw: string): Promise<Transaction | undefined> {
  const { Transaction } = await import("ethers");
  try {
    return Transaction.from(raw);
  } catch {
    return undefined;
  }
}

/** The address of the contract that a transaction creates, in lower case. */
export async function addressOfCreated(
  from: string,
  nonce: bigint,
): Promise<string> {
  const { getCreateAddress } = await import("ethers");
  return getCreateAddress({ from, nonce }).toLowerCase();
}

/** Hash, sender and nonce of a signed transaction; `undefined` for other bytes. */
export async function decodeTransaction(
  raw: string,
): Promise<DecodedTransaction | undefined> {
  const transaction = await parse(raw);
  if (
    transaction === undefined ||
    transaction.hash === null ||
    transaction.from === null
  ) {
    return undefined;
  }
  return {
    hash: transaction.hash,
    from: transaction.from.toLowerCase(),
    nonce: BigInt(transaction.nonce),
    creates: transaction.to === null,
  };
}

/**
 * A signed transaction as `eth_getTransactionByHash` returns it once it is in a
 * block, from its receipt.
 */
export async function toIncludedTransaction(
  raw: string,
  receipt: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown> | null> {
  const pending = await toPendingTransaction(raw);
  return pending === null
    ? null
    : {
        ...pending,
        blockHash: receipt["blockHash"],
        blockNumber: receipt["blockNumber"],
        transactionIndex: receipt["transactionIndex"],
        gasPrice: receipt["effectiveGasPrice"] ?? pending["gasPrice"],
      };
}

/** A signed transaction as `eth_getTransactionByHash` returns it while it is pending. */
export async function toPendingTransaction(
  raw: string,
): Promise<Record<string, unknown> | null> {
  const transaction = await parse(raw);
  if (transaction === undefined || transaction.signature === null) {
    return null;
  }
  const quantity = (value: bigint | number | null) =>
    value === null ? undefined : `0x${value.toString(16)}`;
  const { signature, type } = transaction;
  const fees =
    transaction.maxFeePerGas === null
      ? { gasPrice: quantity(transaction.gasPrice) }
      : {
          gasPrice: quantity(transaction.maxFeePerGas),
          maxFeePerGas: quantity(transaction.maxFeePerGas),
          maxPriorityFeePerGas: quantity(transaction.maxPriorityFeePerGas),
        };
  return {
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    hash: transaction.hash,
    type: quantity(type ?? 0),
    chainId: quantity(transaction.chainId),
    nonce: quantity(transaction.nonce),
    from: transaction.from?.toLowerCase(),
    to: transaction.to?.toLowerCase() ?? null,
    value: quantity(transaction.value),
    gas: quantity(transaction.gasLimit),
    input: transaction.data,
    ...fees,
    ...(type !== null && type >= 1
      ? {
          accessList: transaction.accessList ?? [],
          yParity: quantity(signature.yParity),
        }
      : {}),
    ...(transaction.authorizationList === null
      ? {}
      : {
          authorizationList: transaction.authorizationList.map(
            ({ address, chainId, nonce, signature: by }) => ({
              address,
              chainId: quantity(chainId),
              nonce: quantity(nonce),
              yParity: quantity(by.yParity),
              r: by.r,
              s: by.s,
            }),
          ),
        }),
    v: quantity(
      type === 0
        ? (signature.networkV ?? BigInt(signature.v))
        : BigInt(signature.yParity),
    ),
    r: quantity(BigInt(signature.r)),
    s: quantity(BigInt(signature.s)),
  };
}
