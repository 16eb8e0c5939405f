import { Tx, TxBody, AuthInfo, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import * as tx from "cosmjs-types/cosmos/tx/v1beta1/service";
import { bytesToHex } from "@noble/hashes/utils";

import { isoTime } from "../../support/time.js";
import type { Ledger } from "../ledger.js";
import {
  internalFault,
  invalidArgument,
  ModuleFault,
  notFound,
  plainFault,
} from "../fault.js";
import { indexed, type TransactionRecord } from "../history.js";
import { RpcFault } from "../node-rpc/error.js";
import { fromHex } from "../node-rpc/go-hex.js";
import { searchTransactions } from "../node-rpc/search.js";
import { blockAt, blockMessage } from "./blocks.js";
import { method, type Service } from "./method.js";

/** The usual size of a page, and the largest. */
const MOST = 100n;
const { BroadcastMode } = tx;
const NEWEST_FIRST = 2;
const TX_TYPE = "/cosmos.tx.v1beta1.Tx";

/** Decodes a transaction with its body and auth info. */
export function messageOf(bytes: Uint8Array): Tx {
  const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes);
  return Tx.fromPartial({
    body: TxBody.decode(bodyBytes),
    authInfo: AuthInfo.decode(authInfoBytes),
    signatures,
  });
}

async function responseOf(ledger: Ledger, record: TransactionRecord) {
  const { height, hash, bytes, data, events } = record;
  const block = await ledger.blockAt(height);
  return {
    height,
    txhash: hash,
    codespace: record.codespace,
    code: record.code,
    data: bytesToHex(data).toUpperCase(),
    rawLog: record.log,
    logs: [],
    info: "",
    gasWanted: record.gasWanted,
    gasUsed: record.gasUsed,
    tx: { typeUrl: TX_TYPE, value: Tx.encode(messageOf(bytes)).finish() },
    timestamp: isoTime(block?.time ?? 0n),
    events: indexed(events),
  };
}

async function search(ledger: Ledger, query: string, newestFirst: boolean) {
  if (query === "") throw internalFault("query cannot be empty");
  try {
    return await searchTransactions(ledger, query, newestFirst);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    throw internalFault(`failed to search for txs: ${error.data ?? ""}`);
  }
}

/** Queries, simulation and broadcast of transactions. */
export const TX: Service = {
  Simulate: method(
    tx.SimulateRequest,
    tx.SimulateResponse,
    async ({ ledger }, { tx: given, txBytes }) => {
      const bytes = given === undefined ? txBytes : bytesOf(given);
      if (bytes.length === 0) {
        throw invalidArgument("empty txBytes is not allowed");
      }
      return {
        gasInfo: { gasWanted: 0n, gasUsed: await ledger.simulate(bytes) },
        result: {
          data: new Uint8Array(),
          log: "",
          events: [],
          msgResponses: [],
        },
      };
    },
  ),
  GetTx: method(
    tx.GetTxRequest,
    tx.GetTxResponse,
    async ({ ledger }, { hash }) => {
      if (hash === "") throw invalidArgument("tx hash cannot be empty");
      fromHex(hash, (why) => plainFault(why));
      const found = await ledger.transaction(hash.toUpperCase());
      if (found === undefined) throw notFound(`tx not found: ${hash}`);
      return {
        tx: messageOf(found.bytes),
        txResponse: await responseOf(ledger, found),
      };
    },
  ),
  GetTxsEvent: method(
    tx.GetTxsEventRequest,
    tx.GetTxsEventResponse,
    async ({ ledger }, request) => {
      // A node lists 100 at most. What is 0 or negative counts as absent.
      const asked = BigInt.asIntN(64, request.limit);
      const limit = asked > 0n && asked < MOST ? asked : MOST;
      const wanted = BigInt.asIntN(64, request.page);
      const page = wanted > 0n ? wanted : 1n;
      const isReversed = Number(request.orderBy) === NEWEST_FIRST;
      const all = await search(ledger, request.query, isReversed);
      const total = BigInt(all.length);
      const pages = total === 0n ? 1n : (total + limit - 1n) / limit;
      if (page > pages) {
        throw internalFault(
          `failed to search for txs: page should be within [1, ${pages}] range, given ${page}`,
        );
      }
      const from = Number((page - 1n) * limit);
      const found = all.slice(from, from + Number(limit));
      return {
        txs: found.map(({ bytes }) => messageOf(bytes)),
        txResponses: await Promise.all(
          found.map(async (record) => await responseOf(ledger, record)),
        ),
        total,
      };
    },
  ),
  BroadcastTx: method(
    tx.BroadcastTxRequest,
    tx.BroadcastTxResponse,
    async ({ ledger }, { txBytes, mode }) => {
      if (txBytes.length === 0) {
        throw invalidArgument("invalid empty tx");
      }
      const isAsync = mode === BroadcastMode.BROADCAST_MODE_ASYNC;
      if (!isAsync && mode !== BroadcastMode.BROADCAST_MODE_SYNC) {
        throw plainFault(
          "unsupported return type unspecified; supported types: sync, async",
        );
      }
      const answer = await ledger.broadcast(txBytes);
      const { hash } = answer;
      const refusal = isAsync ? undefined : answer.refusal;
      return {
        txResponse: {
          txhash: hash,
          code: refusal?.code ?? 0,
          codespace: refusal?.codespace ?? "",
          rawLog: refusal?.log ?? "",
        },
      };
    },
  ),
  GetBlockWithTxs: method(
    tx.GetBlockWithTxsRequest,
    tx.GetBlockWithTxsResponse,
    async ({ ledger, height: at }, { height, pagination }) => {
      if (height < 1n || height > at) {
        const why = `requested height ${height} but height must not be less than 1 or greater than the current height ${at}`;
        throw new ModuleFault("sdk", 26, "invalid height", why);
      }
      const block = await blockAt(ledger, height);
      const { blockId, block: whole } = await blockMessage(ledger, block);
      const all = whole.data.txs;
      const offset = pagination?.offset ?? 0n;
      const limit = pagination?.limit ?? MOST;
      if (all.length > 0 && offset >= all.length) {
        const why = `out of range: cannot paginate ${all.length} txs with offset ${offset} and limit ${limit < all.length ? limit : all.length}`;
        throw new ModuleFault("sdk", 18, "invalid request", why);
      }
      const [from, size] = [Number(offset), Number(limit)];
      return {
        txs: all.slice(from, from + size).map(messageOf),
        blockId,
        block: whole,
        pagination: { nextKey: new Uint8Array(), total: BigInt(all.length) },
      };
    },
  ),
  TxDecode: method(
    tx.TxDecodeRequest,
    tx.TxDecodeResponse,
    async (_question, { txBytes }) => {
      if (txBytes.length === 0) {
        throw invalidArgument("invalid empty tx bytes");
      }
      try {
        return await Promise.resolve({ tx: messageOf(txBytes) });
      } catch {
        throw new ModuleFault("sdk", 2, "tx parse error");
      }
    },
  ),
  TxEncode: method(
    tx.TxEncodeRequest,
    tx.TxEncodeResponse,
    async (_question, { tx: given }) => {
      if (given === undefined) throw invalidArgument("invalid empty tx");
      return await Promise.resolve({ txBytes: bytesOf(given) });
    },
  ),
};

/** Encodes a transaction that was given decoded. */
const bytesOf = ({ body, authInfo, signatures }: Tx): Uint8Array =>
  TxRaw.encode({
    bodyBytes: TxBody.encode(body ?? TxBody.fromPartial({})).finish(),
    authInfoBytes: AuthInfo.encode(
      authInfo ?? AuthInfo.fromPartial({}),
    ).finish(),
    signatures,
  }).finish();
