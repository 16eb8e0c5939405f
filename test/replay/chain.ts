import http from "node:http";
import type { AddressInfo } from "node:net";

import { TxMsgData } from "cosmjs-types/cosmos/base/abci/v1beta1/abci";
import { BinaryWriter } from "cosmjs-types/binary";

import { type Archive, serve } from "../servers/archive/archive.mjs";
import { archive } from "../forks/archive.js";

export interface RecordedChain {
  readonly url: string;
  /**
   * Called with every path before it is answered; a number becomes the HTTP
   * status.
   */
  onRequest: ((path: string, body: string) => number | undefined) | undefined;
  /** What the node RPC returns as the transactions of any block. */
  blockResults: readonly object[] | undefined;
  /** Changes every answer. */
  onAnswer: ((text: string) => string) | undefined;
  close(): Promise<void>;
}

/** Returns what a node's framework side says of a recorded transaction. */
function found({ data }: Archive, hash: string): object | undefined {
  const { transactions, withoutReceipt } = data;
  const outcome = transactions[hash]?.outcome;
  if (outcome !== undefined) {
    const value = new BinaryWriter();
    value.uint32(10).string(hash);
    value.uint32(26).bytes(Buffer.from(outcome.ret.slice(2), "hex"));
    value.uint32(48).uint64(BigInt(outcome.gasMeasured));
    const encoded = TxMsgData.encode({
      data: [],
      msgResponses: [
        {
          typeUrl: "/cosmos.evm.vm.v1.MsgEthereumTxResponse",
          value: value.finish(),
        },
      ],
    }).finish();
    return { code: 0, data: Buffer.from(encoded).toString("base64") };
  }
  const lost = withoutReceipt?.find((one: any) => one.hash === hash);
  return lost === undefined ? undefined : { code: lost.code, log: lost.log };
}

/** Serves the recorded chain, with a node RPC's search for transactions. */
export async function recordedChain(of = archive): Promise<RecordedChain> {
  const behind = await serve(of);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      answer(request, Buffer.concat(chunks).toString(), response).catch(() =>
        response.destroy(),
      );
    });
  });
  const answer = async (
    { url = "/", method = "GET" }: http.IncomingMessage,
    body: string,
    response: http.ServerResponse,
  ) => {
    const status = chain.onRequest?.(url, body);
    response.setHeader("content-type", "application/json");
    if (status !== undefined) {
      response.statusCode = status;
      response.end("{}");
      return;
    }
    const hash = /^\/rpc\/tx_search\?.*(0x[0-9a-f]{64})/.exec(url)?.[1];
    if (hash !== undefined) {
      const result = found(of, hash);
      const txs = result === undefined ? [] : [{ tx_result: result }];
      response.end(JSON.stringify({ jsonrpc: "2.0", id: -1, result: { txs } }));
      return;
    }
    if (url.startsWith("/rpc/block_results?") && chain.blockResults) {
      const result = { txs_results: chain.blockResults };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: -1, result }));
      return;
    }
    const real = await fetch(`${behind.url}${url}`, {
      method,
      ...(method === "GET" ? {} : { body }),
    });
    response.statusCode = real.status;
    const text = await real.text();
    response.end(chain.onAnswer?.(text) ?? text);
  };
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const chain: RecordedChain = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onRequest: undefined,
    blockResults: undefined,
    onAnswer: undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await behind.close();
    },
  };
  return chain;
}
