import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";

import { explainMissing } from "../../src/sending/explain-missing.js";

const HASH = `0x${"AB".repeat(32)}`;

describe("why a transaction has no receipt", () => {
  const asked: string[] = [];
  let log = "";
  const nodeRpc = createServer((request, response) => {
    asked.push(decodeURIComponent(request.url ?? ""));
    const txs = log === "" ? [] : [{ tx_result: { code: 111_222, log } }];
    response.end(JSON.stringify({ jsonrpc: "2.0", id: -1, result: { txs } }));
  });
  before(
    async () =>
      await new Promise<void>((resolve) =>
        nodeRpc.listen(0, "127.0.0.1", resolve),
      ),
  );
  after(() => {
    nodeRpc.closeAllConnections();
    nodeRpc.close();
  });
  const explain = async () =>
    await explainMissing(
      `http://127.0.0.1:${(nodeRpc.address() as AddressInfo).port}`,
      HASH,
    );

  it("is what the node logged", async () => {
    log =
      "failed to commit stateDB: not allowed to receive funds: unauthorized";
    assert.equal(await explain(), log);
    assert.match(
      asked[0] ?? "",
      new RegExp(`ethereum_tx.ethereumTxHash='${HASH.toLowerCase()}'`),
    );
    log = "";
    assert.equal(await explain(), undefined);
  });

  it("is one line after a panic, without the frames of the node's program", async () => {
    log = [
      "recovered: runtime error: invalid memory address or nil pointer dereference",
      "stack:",
      "goroutine 1234 [running]:",
      "runtime/debug.Stack()",
      "\t/usr/local/go/src/runtime/debug/stack.go:26 +0x5e",
      "main.main()",
      ": panic",
    ].join("\n");
    assert.equal(
      await explain(),
      "the node panicked: runtime error: invalid memory address or nil pointer dereference",
    );
  });
});
