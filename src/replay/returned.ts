import { isRecord } from "../rpc/quantities.js";
import { nodeRpcResult } from "./node-rpc.js";

/** What the node RPC recorded of an EVM transaction. */
export interface Executed {
  /** Return data, or revert data. */
  readonly returned: string;
  /**
   * Gas before refunds, without the minimum that the chain charges; absent if
   * the node leaves it out.
   */
  readonly gasMeasured?: bigint;
}

/**
 * Reads from the node RPC what a transaction returned. Receipts lack that, and
 * traces of nodes of this kind may be wrong.
 *
 * @returns `undefined` if the node has no record of it
 */
export async function executedBy(
  nodeRpcUrl: string,
  hash: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Executed | undefined> {
  const query = `"ethereum_tx.ethereumTxHash='${hash.toLowerCase()}'"`;
  const result = await nodeRpcResult(
    nodeRpcUrl,
    `tx_search?query=${encodeURIComponent(query)}`,
    { headers, maxBytes: 4 * 1024 * 1024 },
  );
  const [found] = Array.isArray(result.txs) ? result.txs : [];
  const outcome = isRecord(found) ? found.tx_result : undefined;
  const data = isRecord(outcome) ? outcome.data : undefined;
  return typeof data === "string"
    ? await executedIn(Buffer.from(data, "base64"), hash)
    : undefined;
}

// Field numbers of MsgEthereumTxResponse.
const HASH = 1;
const RET = 3;
const MEASURED = 6;

/** Decodes a transaction's response from the data of an ABCI result. */
export async function executedIn(
  bytes: Uint8Array,
  hash: string,
): Promise<Executed | undefined> {
  const [{ TxMsgData }, { BinaryReader }] = await Promise.all([
    import("cosmjs-types/cosmos/base/abci/v1beta1/abci"),
    import("cosmjs-types/binary"),
  ]);
  for (const { value } of TxMsgData.decode(bytes).msgResponses) {
    const reader = new BinaryReader(value);
    let of = "";
    let returned = "0x";
    let gasMeasured: bigint | undefined;
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      if (field === HASH) of = reader.string();
      else if (field === RET)
        returned = `0x${Buffer.from(reader.bytes()).toString("hex")}`;
      else if (field === MEASURED) gasMeasured = reader.uint64();
      else reader.skipType(wire);
    }
    if (of.toLowerCase() === hash.toLowerCase()) {
      return {
        returned,
        ...(gasMeasured === undefined ? {} : { gasMeasured }),
      };
    }
  }
  return undefined;
}
