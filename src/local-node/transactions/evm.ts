import { TxMsgData } from "cosmjs-types/cosmos/base/abci/v1beta1/abci";
import { AuthInfo, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { hexToBytes } from "@noble/hashes/utils";
import { Signature, Transaction as EvmTransaction } from "ethers";

import { parseAddress } from "../../address/index.js";
import { transactionHash } from "../../framework/node-rpc/transaction.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import type { Act } from "../../localnet/acts.js";
import { fromQuantity, isRecord } from "../../rpc/quantities.js";
import {
  ExtensionOptionsEthereumTx,
  MsgEthereumTx,
  MsgEthereumTxResponse,
} from "../evm-messages.js";
import type { TransactionRecord } from "../history.js";
import {
  event,
  type EventTexts,
  inMessage,
  moduleEvents,
  transferEventsBut,
} from "./events.js";
import type { Standing } from "./standing.js";

const TYPE = MsgEthereumTx.typeUrl;
const EXTENSION = ExtensionOptionsEthereumTx.typeUrl;
const REVERTED = "execution reverted";
const OUT_OF_GAS = "out of gas";

/**
 * An EVM transaction and its receipt, as JSON-RPC returns them, with the module
 * actions it caused.
 */
export interface EvmRun {
  readonly transaction: Readonly<Record<string, unknown>>;
  readonly receipt: Readonly<Record<string, unknown>>;
  readonly acts: readonly Act[];
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const quantity = (value: unknown) =>
  typeof value === "string" ? fromQuantity(value, "a field") : 0n;
const bytesOf = (value: string) => hexToBytes(value.replace(/^0x/, ""));

/** Serializes a transaction with the signature that the node reports. */
function rawOf(t: Readonly<Record<string, unknown>>): Uint8Array {
  const type = Number(quantity(t["type"]));
  const to = text(t["to"]);
  const fees =
    type >= 2
      ? {
          maxFeePerGas: quantity(t["maxFeePerGas"]),
          maxPriorityFeePerGas: quantity(t["maxPriorityFeePerGas"]),
        }
      : { gasPrice: quantity(t["gasPrice"]) };
  const { chainId, v } = signedFor(t);
  const transaction = EvmTransaction.from({
    type: type === 3 ? 2 : type,
    ...(to === "" ? {} : { to }),
    nonce: Number(quantity(t["nonce"])),
    gasLimit: quantity(t["gas"]),
    data: text(t["input"]),
    value: quantity(t["value"]),
    ...(chainId === 0n ? {} : { chainId }),
    ...fees,
    ...(type === 0 ? {} : { accessList: accessListOf(t) }),
  });
  try {
    if (type === 4) transaction.authorizationList = authorizationsOf(t);
    transaction.signature = { r: word(t["r"]), s: word(t["s"]), v };
    return bytesOf(transaction.serialized);
  } catch {
    // The signature of an impersonated account is not valid, and an
    // authorization's need not be.
    return bytesOf(transaction.unsignedSerialized);
  }
}

/**
 * Returns the chain ID that a transaction is signed for, 0 if for any, and the
 * parity of its signature. A legacy transaction has both in one number
 * (EIP-155).
 */
function signedFor(t: Readonly<Record<string, unknown>>) {
  const v = quantity(t["v"]);
  return v >= 35n
    ? { chainId: (v - 35n) / 2n, v: Number((v - 35n) % 2n) }
    : {
        chainId: quantity(t["chainId"]),
        v: Number(v >= 27n ? v - 27n : quantity(t["yParity"] ?? t["v"])),
      };
}

const listOf = (value: unknown) =>
  (Array.isArray(value) ? value : []).filter(isRecord);

const accessListOf = (t: Readonly<Record<string, unknown>>) =>
  listOf(t["accessList"]).map(({ address, storageKeys }) => ({
    address: text(address),
    storageKeys: Array.isArray(storageKeys) ? storageKeys.map(text) : [],
  }));

const authorizationsOf = (t: Readonly<Record<string, unknown>>) =>
  listOf(t["authorizationList"]).map((one) => ({
    address: text(one["address"]),
    chainId: quantity(one["chainId"]),
    nonce: quantity(one["nonce"]),
    signature: Signature.from({
      r: word(one["r"]),
      s: word(one["s"]),
      v: Number(quantity(one["yParity"])),
    }),
  }));

const word = (value: unknown) =>
  `0x${quantity(value).toString(16).padStart(64, "0")}`;

const messageOf = (from: string, raw: Uint8Array): Uint8Array =>
  MsgEthereumTx.encode({ from: bytesOf(from), raw }).finish();

/** A log, as JSON-RPC returns it. */
interface EvmLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Returns a receipt's logs. */
export const logsOf = (receipt: Readonly<Record<string, unknown>>) => {
  const { logs } = receipt;
  return (Array.isArray(logs) ? logs : []) as readonly EvmLog[];
};

const NO_HASH = `0x${"0".repeat(64)}`;

function responseOf(
  hash: string,
  blockHash: string,
  gasUsed: bigint,
  logs: readonly EvmLog[],
  vmError: string,
): Uint8Array {
  const value = MsgEthereumTxResponse.encode(
    MsgEthereumTxResponse.fromPartial({
      hash,
      // The chain encodes logs before it knows these hashes.
      logs: logs.map(({ address, topics, data }) => ({
        address: parseAddress(address).hex,
        topics,
        data: bytesOf(data),
        txHash: NO_HASH,
        blockHash: NO_HASH,
      })),
      vmError,
      gasUsed,
      maxUsedGas: gasUsed,
      blockHash: bytesOf(blockHash),
    }),
  ).finish();
  return TxMsgData.encode(
    TxMsgData.fromPartial({
      msgResponses: [{ typeUrl: `${TYPE}Response`, value }],
    }),
  ).finish();
}

/**
 * Tells why a transaction failed; empty if it did not. A receipt does not say:
 * whatever takes all of the gas counts as running out of it.
 */
const failureOf = (
  receipt: Readonly<Record<string, unknown>>,
  gasLimit: bigint,
): string =>
  receipt["status"] !== "0x0"
    ? ""
    : quantity(receipt["gasUsed"]) === gasLimit
      ? OUT_OF_GAS
      : REVERTED;

/**
 * Converts an EVM transaction to the framework's record of it.
 *
 * @param index of the transaction in its block
 * @param standing before it; is kept up to date
 */
export async function evmRecord(
  { transaction: t, receipt, acts }: EvmRun,
  index: number,
  texts: EventTexts,
  standing: Standing,
): Promise<TransactionRecord> {
  const { prefix, denom } = texts;
  const from = text(t["from"]).toLowerCase();
  const hash = text(t["hash"]);
  const gasWanted = quantity(t["gas"]);
  const gasUsed = quantity(receipt["gasUsed"]);
  const price = quantity(receipt["effectiveGasPrice"]);
  const vmError = failureOf(receipt, gasWanted);
  const logs = logsOf(receipt);
  const bytes = TxRaw.encode({
    bodyBytes: TxBody.encode(
      TxBody.fromPartial({
        messages: [{ typeUrl: TYPE, value: messageOf(from, rawOf(t)) }],
        extensionOptions: [{ typeUrl: EXTENSION, value: new Uint8Array() }],
      }),
    ).finish(),
    authInfoBytes: AuthInfo.encode(
      AuthInfo.fromPartial({
        fee: {
          amount: [{ denom, amount: String(gasWanted * price) }],
          gasLimit: gasWanted,
        },
      }),
    ).finish(),
    signatures: [],
  }).finish();
  const sha = transactionHash(bytes);
  const { account } = parseAddress(from, { prefix });
  const refund = (gasWanted - gasUsed) * price;
  const { feeCollector } = MODULE_ACCOUNTS;
  const to = text(t["to"]);
  return {
    hash: sha,
    bytes,
    height: quantity(t["blockNumber"]),
    index,
    code: 0,
    codespace: "",
    log: "",
    data: responseOf(hash, text(t["blockHash"]), gasUsed, logs, vmError),
    gasWanted,
    gasUsed,
    events: [
      ...transferEventsBut(
        "coin_received",
        from,
        feeCollector,
        gasWanted * price,
        texts,
      ),
      event("tx", { fee: `${gasWanted * price}${denom}` }),
      event("ethereum_tx", { ethereumTxHash: hash, txIndex: String(index) }),
      ...inMessage(0, [
        event("message", { action: TYPE, sender: account }),
        ...(await moduleEvents(acts, texts, standing)),
        ...(refund === 0n
          ? []
          : transferEventsBut("coin_spent", feeCollector, from, refund, texts)),
        event("ethereum_tx", {
          amount: String(quantity(t["value"])),
          ethereumTxHash: hash,
          txGasUsed: String(gasUsed),
          txHash: sha.toLowerCase(),
          ...(to === "" ? {} : { recipient: parseAddress(to).hex }),
          ...(vmError === "" ? {} : { ethereumTxFailed: vmError }),
        }),
        event("message", {
          module: "evm",
          sender: from,
          txType: String(quantity(t["type"])),
        }),
      ]),
    ],
  };
}
