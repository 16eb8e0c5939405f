import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";

import { WebSocket } from "ws";

import { startNode, type StartedNode } from "./start.js";

/** What a node of CometBFT 0.39 and the framework 0.54 answers, word for word. */
describe("unusual arguments to a local node", () => {
  let started: StartedNode;
  before(async () => {
    started = await startNode({ blockTime: 0.1 });
    const { restUrl } = started.node.endpoints;
    for (;;) {
      const url = `${restUrl}/cosmos/base/tendermint/v1beta1/syncing`;
      const syncing: any = await (await fetch(url)).json();
      if (Number(syncing.latest_block_height) > 3) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
  });

  /** Asks the node RPC with a body, and returns status and answer. */
  const post = async (body: string) => {
    const { nodeRpcUrl } = started.node.endpoints;
    const response = await fetch(nodeRpcUrl, { method: "POST", body });
    const text = await response.text();
    return { status: response.status, text };
  };
  const call = async (method: string, params: unknown): Promise<any> =>
    JSON.parse(
      (await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })))
        .text,
    );
  const uri = async (path: string) => {
    const { nodeRpcUrl } = started.node.endpoints;
    const response = await fetch(`${nodeRpcUrl}${path}`);
    const body: any = await response.json();
    return { status: response.status, body };
  };

  it("are refused as parameters of the node RPC", async () => {
    for (const [method, params, why] of [
      ["block", { height: "" }, "unexpected end of JSON input"],
      [
        "block",
        { height: "01" },
        "invalid character '1' after top-level value",
      ],
      [
        "block",
        { height: "1.0" },
        "json: cannot unmarshal number 1.0 into Go value of type int64",
      ],
      [
        "block",
        { height: "99999999999999999999" },
        "json: cannot unmarshal number 99999999999999999999 into Go value of type int64",
      ],
      [
        "block",
        { height: [] },
        'invalid 64-bit integer encoding "[]", expected string',
      ],
      [
        "block",
        ["1", "2"],
        "expected 1 parameters ([height]), got 2 ([[34 49 34] [34 50 34]])",
      ],
      [
        "validators",
        { page: 1 },
        'invalid 64-bit integer encoding "1", expected string',
      ],
      [
        "health",
        5,
        "unknown type for JSON params: json: cannot unmarshal number into Go value of type []json.RawMessage. Expected map or array",
      ],
      [
        "abci_query",
        { path: 5 },
        "json: cannot unmarshal number into Go value of type string",
      ],
      ["abci_query", { data: "abc" }, "encoding/hex: odd length hex string"],
      [
        "abci_query",
        { prove: "true" },
        "json: cannot unmarshal string into Go value of type bool",
      ],
      ["tx", { hash: "AA=A" }, "illegal base64 data at input byte 2"],
      ["tx", { hash: "AAA" }, "illegal base64 data at input byte 0"],
    ] as const) {
      const { error } = await call(method, params);
      const name = `${method} ${JSON.stringify(params)}`;
      assert.equal(error?.code, -32602, name);
      const before = "error converting json params to arguments: ";
      assert.equal(error.data, before + why, name);
    }
  });

  it("are refused in paths of the node RPC", async () => {
    for (const [path, why] of [
      ["/block?height=0x1", "got a hex string arg, but expected 'int64'"],
      ["/block?height=01", "invalid character '1' after top-level value"],
      ["/tx?hash=AB", "invalid character 'A' looking for beginning of value"],
      ["/tx?hash=0xA", "encoding/hex: odd length hex string"],
      [
        "/tx_search?query=tx.height=1",
        "invalid character 'x' in literal true (expecting 'r')",
      ],
      ["/abci_query?data=abc", "invalid hex string: abc"],
      [
        "/tx?hash=0xAB&prove=1",
        "json: cannot unmarshal number into Go value of type bool",
      ],
    ] as const) {
      const { status, body } = await uri(path);
      assert.equal(status, 500, path);
      const before = "error converting http params to arguments: ";
      assert.equal(body.error.data, before + why, path);
    }
    // Bytes may be quoted as they are; what is empty is absent.
    const { body } = await uri('/tx?hash="AB"');
    assert.equal(body.error.data, "tx (4142) not found");
    assert.equal((await uri("/block?height=")).status, 200);
    assert.equal((await uri("/subscribe")).body.error.code, -32601);
  });

  it("get the node's answers from its methods", async () => {
    const head = Number(
      (await call("status", {})).result.sync_info.latest_block_height,
    );
    const { result: future } = await call("validators", {});
    assert.ok(Number(future.block_height) > head);
    for (const [method, params, why] of [
      ["tx", {}, "transaction hash cannot be empty"],
      ["blockchain", { minHeight: "-1" }, "heights must be non-negative"],
      [
        "tx_search",
        { query: "tx.height=1", order_by: "up" },
        "expected order_by to be either `asc` or `desc` or empty",
      ],
      [
        "block_search",
        { query: "block.height=1", order_by: "up" },
        "expected order_by to be either `asc` or `desc` or empty",
      ],
    ] as const) {
      const { error } = await call(method, params);
      assert.equal(error?.data, why, method);
    }
    for (const hash of ["", "AA=="]) {
      const { result } = await call("block_by_hash", { hash });
      assert.equal(result.block, null);
    }
    const { result: one } = await call("header", { height: "2" });
    const { result: block } = await call("block", { height: "2" });
    const hash = block.block_id.hash;
    assert.deepEqual((await call("header_by_hash", { hash })).result, one);
    assert.deepEqual((await call("header_by_hash", {})).result, {
      header: null,
    });
    assert.equal(
      (await call("commit", { height: "1" })).result.canonical,
      true,
    );
    // A block may come between, so the newest one may need several attempts.
    for (let isNewest = false; !isNewest; ) {
      isNewest = !(await call("commit", {})).result.canonical;
    }
  });

  it("are answered like a node's batches and notifications", async () => {
    const health = '{"jsonrpc":"2.0","id":1,"method":"health"}';
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    for (const [body, status, text] of [
      [`[${health}]`, 200, answer],
      [`[${health},{"method":"health"}]`, 200, answer],
      [`[${health},${health}]`, 200, `[${answer},${answer}]`],
      ["[]", 200, ""],
      ["null", 200, ""],
      ["{}", 200, ""],
      ['[{"method":"health"}]', 200, ""],
      [
        '{"id":1}',
        200,
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}',
      ],
      [
        '{"id":1,"method":5}',
        500,
        '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error. Invalid JSON","data":"error unmarshaling request: json: cannot unmarshal number into Go struct field .method of type string"}}',
      ],
      [
        "nonsense",
        500,
        '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error. Invalid JSON","data":"error unmarshaling request: invalid character \'o\' in literal null (expecting \'u\')"}}',
      ],
    ] as const) {
      assert.deepEqual(await post(body), { status, text }, body);
    }
  });

  it("are refused in searches at the place where a query ends to be one", async () => {
    for (const [query, why] of [
      ["AND", "offset 0: got AND operator, wanted tag"],
      ["tx.height=1 AND", "offset 15: EOF"],
      ["tx.height=1 OR tx.height=2", "offset 12: got tag, want 6"],
      ["tx.height=1 and tx.height=2", "offset 12: got tag, want 6"],
      [
        "tx.height=abc",
        "offset 10: got tag, wanted number, timestamp, datestamp or string",
      ],
      [
        "tx.height>'5'",
        "offset 10: got string, wanted number, timestamp or datestamp",
      ],
      [
        "tx.height contains '5'",
        "offset 10: got tag, wanted <= operator, >= operator, < operator, > operator, = operator, CONTAINS operator or EXISTS operator",
      ],
      ["tx.height CONTAINS 5", "offset 19: got number, wanted string"],
      ["tx.height!=5", "offset 9: invalid input ! at offset 10"],
      ["tx.height>-5", "offset 10: invalid input - at offset 11"],
      ["tx.height='", "offset 10: EOF"],
      ["5=5", "offset 0: got number, wanted tag"],
      [
        "tx.time > DATE 1800-01-01",
        "offset 10: datestamp year 1800 out of range",
      ],
      [
        "tx.hash='zz'",
        "error during searching for a hash in the query: encoding/hex: invalid byte: U+007A 'z'",
      ],
      [`a.b='${"x".repeat(600)}'`, "maximum query length exceeded"],
    ] as const) {
      const { error } = await call("tx_search", { query });
      assert.equal(error?.data, why, query);
    }
    for (const query of [
      "message.sender='a AND b'",
      "tx.time > TIME 2020-01-01T00:00:00Z",
      "tx.height>=1 AND tx.height<2",
    ]) {
      const { result } = await call("tx_search", { query });
      assert.equal(result.total_count, "0", query);
    }
  });

  it("find blocks, the newest first", async () => {
    const heights = async (params: object) => {
      const { result } = await call("block_search", params);
      return result.blocks.map(({ block }: any) => block.header.height);
    };
    const query = "block.height<3";
    assert.deepEqual(await heights({ query }), ["2", "1"]);
    assert.deepEqual(await heights({ query, order_by: "asc" }), ["1", "2"]);
    const named = "block.height EXISTS";
    assert.deepEqual(await heights({ query: named }), []);
  });

  it("subscribe once, however the query is spelled", async () => {
    const { nodeRpcUrl } = started.node.endpoints;
    const socket = new WebSocket(
      `${nodeRpcUrl.replace("http", "ws")}/websocket`,
    );
    await once(socket, "open");
    const ask = async (method: string, query: string) => {
      socket.send(
        JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { query } }),
      );
      const [data] = await once(socket, "message");
      return JSON.parse(String(data));
    };
    const query = "tm.event='Tx' AND tx.height>5";
    const spelled = "tm.event = 'Tx'  AND tx.height > 5";
    assert.deepEqual((await ask("subscribe", query)).result, {});
    const { error } = await ask("subscribe", spelled);
    assert.equal(error.data, "already subscribed");
    assert.deepEqual((await ask("unsubscribe", spelled)).result, {});
    socket.terminate();
  });
});
