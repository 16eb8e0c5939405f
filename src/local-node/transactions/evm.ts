import { BinaryWriter } from "cosmjs-types/binary";
import { TxMsgData } from "cosmjs-types/cosmos/base/abci/v1beta1/abci";
import { AuthInfo, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { hexToBytes } from "@noble/hashes/utils";
import { Transaction as EvmTransaction } from "ethers";

import { parseAddress } from "../../address/index.js";
import { transactionHash } from "../../framework/node-rpc/transaction.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { fromQuantity } from "../../rpc/quantities.js";
import type { TransactionRecord } from "../history.js";
import { event, type EventTexts, inMessage, transferEvents } from "./events.js";

const TYPE = "/cosmos.evm.vm.v1.MsgEthereumTx";
const EXTENSION = "/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx";

/** A transaction of the EVM and its receipt, as JSON-RPC has them. */
export interface EvmPair {
  readonly transaction: Readonly<Record<string, unknown>>;
  readonly receipt: Readonly<Record<string, unknown>>;
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
const quantity = (value: unknown) =>
  typeof value === "string" ? fromQuantity(value, "a field") : 0n;
const bytesOf = (value: string) => hexToBytes(value.replace(/^0x/, ""));
const field = (number: number, wire: 0 | 2) => (number << 3) | wire;

/** The signed bytes; an account without a key here has the signature that the node shows. */
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
  const chainId = quantity(t["chainId"]);
  const transaction = EvmTransaction.from({
    type: type > 2 ? 2 : type,
    ...(to === "" ? {} : { to }),
    nonce: Number(quantity(t["nonce"])),
    gasLimit: quantity(t["gas"]),
    data: text(t["input"]),
    value: quantity(t["value"]),
    ...(chainId === 0n ? {} : { chainId }),
    ...fees,
  });
  try {
    transaction.signature = {
      r: word(t["r"]),
      s: word(t["s"]),
      v: Number(quantity(t["yParity"] ?? t["v"]) % 2n),
    };
    return bytesOf(transaction.serialized);
  } catch {
    // An impersonated account's signature is none.
    return bytesOf(transaction.unsignedSerialized);
  }
}

const word = (value: unknown) =>
  `0x${quantity(value).toString(16).padStart(64, "0")}`;

function messageOf(from: string, raw: Uint8Array): Uint8Array {
  return BinaryWriter.create()
    .uint32(field(5, 2))
    .bytes(bytesOf(from))
    .uint32(field(6, 2))
    .bytes(raw)
    .finish();
}

function responseOf(
  hash: string,
  blockHash: string,
  gasUsed: bigint,
): Uint8Array {
  const value = BinaryWriter.create()
    .uint32(field(1, 2))
    .string(hash)
    .uint32(field(5, 0))
    .uint64(gasUsed)
    .uint32(field(6, 0))
    .uint64(gasUsed)
    .uint32(field(7, 2))
    .bytes(bytesOf(blockHash))
    .finish();
  return TxMsgData.encode(
    TxMsgData.fromPartial({
      msgResponses: [{ typeUrl: `${TYPE}Response`, value }],
    }),
  ).finish();
}

/** A transaction of the EVM as the framework's side shows it. */
export function evmRecord(
  { transaction: t, receipt }: EvmPair,
  index: number,
  texts: EventTexts,
): TransactionRecord {
  const { prefix, denom } = texts;
  const from = text(t["from"]).toLowerCase();
  const hash = text(t["hash"]);
  const gasWanted = quantity(t["gas"]);
  const gasUsed = quantity(receipt["gasUsed"]);
  const price = quantity(receipt["effectiveGasPrice"]);
  const failed = receipt["status"] === "0x0";
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
    data: responseOf(hash, text(t["blockHash"]), gasUsed),
    gasWanted,
    gasUsed,
    events: [
      ...transferEvents(from, feeCollector, gasWanted * price, texts),
      event("tx", { fee: `${gasWanted * price}${denom}` }),
      event("ethereum_tx", { ethereumTxHash: hash, txIndex: String(index) }),
      ...inMessage(0, [
        event("message", { action: TYPE, sender: account }),
        ...(refund === 0n
          ? []
          : transferEvents(feeCollector, from, refund, texts)),
        event("ethereum_tx", {
          amount: String(quantity(t["value"])),
          ethereumTxHash: hash,
          txGasUsed: String(gasUsed),
          txHash: sha.toLowerCase(),
          ...(to === "" ? {} : { recipient: to }),
          ...(failed ? { ethereumTxFailed: "execution reverted" } : {}),
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
