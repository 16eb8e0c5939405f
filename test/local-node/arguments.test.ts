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

  /** Asks REST, and returns status and answer. */
  const rest = async (path: string, height?: string) => {
    const { restUrl } = started.node.endpoints;
    const response = await fetch(`${restUrl}/cosmos/${path}`, {
      headers: height === undefined ? {} : { "x-cosmos-block-height": height },
    });
    const body: any = await response.json();
    return { status: response.status, body };
  };
  const UNKNOWN = "cosmosvaloper1zhf54t65ye7m047rv7pe4tm35q9zc6n94j8jnh";
  const NOBODY = "cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a";
  const wrong = (wanted: string, got: string) =>
    `hrp does not match bech32 prefix: expected '${wanted}' got '${got}'`;

  it("are refused by REST with the gateway's reasons and the modules'", async () => {
    const list = "staking/v1beta1/validators?pagination";
    const slashes = `distribution/v1beta1/validators/${UNKNOWN}/slashes`;
    for (const [path, status, code, message] of [
      [
        `${list}.count_total=yes`,
        400,
        3,
        'strconv.ParseBool: parsing "yes": invalid syntax',
      ],
      [
        `${list}.reverse=`,
        400,
        3,
        'strconv.ParseBool: parsing "": invalid syntax',
      ],
      [
        `${list}.limit=`,
        400,
        3,
        'strconv.ParseUint: parsing "": invalid syntax',
      ],
      [`${list}.key=AAA`, 400, 3, "illegal base64 data at input byte 0"],
      [`${list}.key=AAA==`, 400, 3, "illegal base64 data at input byte 4"],
      [
        "staking/v1beta1/validators/",
        400,
        3,
        "validator address cannot be empty",
      ],
      ["auth/v1beta1/accounts/", 400, 3, "Address cannot be empty"],
      ["tx/v1beta1/txs/", 400, 3, "tx hash cannot be empty"],
      [
        "bank/v1beta1/balances/",
        400,
        3,
        "invalid address: empty address string is not allowed: invalid address",
      ],
      [
        `staking/v1beta1/delegators/${NOBODY}/validators/${UNKNOWN}`,
        500,
        13,
        "no delegation for (address, validator) tuple",
      ],
      [
        "staking/v1beta1/delegators/bad/redelegations",
        500,
        13,
        "unknown address format: bad: unknown address",
      ],
      [
        `staking/v1beta1/delegators/${NOBODY}/redelegations?src_validator_addr=${UNKNOWN}&dst_validator_addr=${NOBODY}`,
        500,
        13,
        `${wrong("cosmosvaloper", "cosmos")}: internal logic error`,
      ],
      [
        `distribution/v1beta1/validators/${UNKNOWN}/outstanding_rewards`,
        500,
        2,
        "codespace staking code 3: validator does not exist",
      ],
      [
        `${slashes}?starting_height=abc`,
        400,
        3,
        'strconv.ParseUint: parsing "abc": invalid syntax',
      ],
      [
        `${slashes}?startingHeight=5`,
        400,
        3,
        "starting height greater than ending height (5 > 0)",
      ],
      [
        "distribution/v1beta1/validators/bad/slashes",
        400,
        3,
        "invalid validator address",
      ],
      [
        `distribution/v1beta1/delegators/bad/rewards/${UNKNOWN}`,
        500,
        2,
        "codespace staking code 3: validator does not exist",
      ],
      [
        "gov/v1/proposals?proposal_status=9",
        400,
        3,
        "9 is not a valid v1.ProposalStatus",
      ],
      ["gov/v1/proposals/0/votes/bad", 400, 3, "proposal id can not be 0"],
      ["gov/v1beta1/params/", 400, 3, " is not a valid parameter type"],
      [
        `bank/v1beta1/balances/${UNKNOWN}`,
        400,
        3,
        `invalid address: ${wrong("cosmos", "cosmosvaloper")}: internal logic error`,
      ],
      [
        "bank/v1beta1/balances/bad/by_denom?denom=x",
        400,
        3,
        "invalid denom: x",
      ],
      [
        "bank/v1beta1/supply/by_denom?denom=1abc",
        400,
        3,
        "invalid denom: 1abc",
      ],
      [
        "bank/v1beta1/denoms_metadata/ibc/ABC",
        404,
        5,
        "client metadata for denom ibc/ABC",
      ],
      [
        "slashing/v1beta1/signing_infos/bad",
        500,
        2,
        "codespace sdk code 9: unknown address: unknown address format: bad",
      ],
      [
        `slashing/v1beta1/signing_infos/${NOBODY}`,
        500,
        2,
        `codespace sdk code 35: internal logic error: ${wrong("cosmosvalcons", "cosmos")}`,
      ],
      [
        `staking/v1beta1/validators/${UNKNOWN}%20`,
        500,
        2,
        `codespace sdk code 9: unknown address: unknown address format: ${UNKNOWN} `,
      ],
      [
        "staking/v1beta1/validators/0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
        404,
        5,
        "validator 0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65 not found",
      ],
      [
        "base/tendermint/v1beta1/validatorsets/99999999",
        400,
        3,
        "requested block height is bigger then the chain length",
      ],
      [
        "base/tendermint/v1beta1/validatorsets/latest?pagination.offset=100",
        500,
        2,
        "page should be within [1, 1] range, given 2",
      ],
      ["base/tendermint/v1beta1/abci_query", 400, 3, "empty query path"],
      [
        "base/tendermint/v1beta1/abci_query?path=/cosmos.bank.v1beta1.Query/Params",
        400,
        3,
        "unsupported ABCI query path: /cosmos.bank.v1beta1.Query/Params",
      ],
      [
        "tx/v1beta1/txs?query=tx.height=1&order_by=asc",
        400,
        3,
        "asc is not a valid tx.OrderBy",
      ],
      [
        "tx/v1beta1/txs?query=tx.height=1&limit=abc",
        400,
        3,
        'strconv.ParseUint: parsing "abc": invalid syntax',
      ],
    ] as const) {
      const answer = await rest(path);
      assert.deepEqual(
        answer,
        { status, body: { code, message, details: [] } },
        path,
      );
    }
    const both = "pagination.key=AQ%3D%3D&pagination.offset=1";
    const why = "invalid request, either offset or key is expected, got both";
    for (const [path, code, message] of [
      ["staking/v1beta1/validators", 13, why],
      ["slashing/v1beta1/signing_infos", 2, why],
      ["auth/v1beta1/accounts", 2, why],
      ["bank/v1beta1/denom_owners/abc", 2, why],
      [slashes, 2, why],
      [`bank/v1beta1/balances/${NOBODY}`, 3, `paginate: ${why}`],
    ] as const) {
      const { body } = await rest(`${path}?${both}`);
      assert.deepEqual(body, { code, message, details: [] }, path);
    }
    const blocks = await rest("tx/v1beta1/txs/block/0");
    assert.match(
      blocks.body.message,
      /^codespace sdk code 26: invalid height: requested height 0 but height must not be less than 1 or greater than the current height \d+$/,
    );
  });

  it("are read by REST as the gateway reads them", async () => {
    const list = "staking/v1beta1/validators?pagination";
    const { body: all } = await rest("staking/v1beta1/validators");
    const operators = (body: any) =>
      body.validators.map((one: any) => one.operator_address);
    for (const query of ["limit=0x1", "limit=01", "limit=0b1"]) {
      const { body } = await rest(`${list}.${query}`);
      assert.equal(body.validators.length, 1, query);
    }
    const { body: counted } = await rest(
      `${list}.countTotal=1&pagination.limit=1`,
    );
    assert.equal(counted.pagination.total, String(all.validators.length));
    const { body: reversed } = await rest(`${list}.reverse=T`);
    assert.deepEqual(operators(reversed), operators(all).reverse());
    // A key that is gone continues after its place, and not from the start.
    const key = Buffer.from(counted.pagination.next_key, "base64");
    key[key.length - 1] = (key.at(-1) ?? 0) - 1;
    const place = encodeURIComponent(key.toString("base64"));
    const { body: continued } = await rest(`${list}.key=${place}`);
    assert.deepEqual(operators(continued), operators(all).slice(1));
    const { body: past } = await rest(`${list}.key=%2F%2F%2F%2F`);
    assert.deepEqual(past.validators, []);
    const { body: params } = await rest("gov/v1/params/");
    assert.ok(params.params.voting_period);
  });

  it("are refused by the EVM's queries, and reverts reported", async () => {
    const call = (args: object) =>
      encodeURIComponent(Buffer.from(JSON.stringify(args)).toString("base64"));
    for (const [path, message] of [
      ["balances/0x12", "invalid zero address"],
      ["codes/", "invalid zero address"],
      ["storage/0x12/0", "invalid zero address"],
      [
        "account/",
        "address '' is not a valid ethereum hex address: invalid address",
      ],
      ["validator_account/", "empty address string is not allowed"],
      ["eth_call", "unexpected end of JSON input"],
      [`estimate_gas?args=${call({})}`, "gas cap cannot be lower than 21000"],
      ["eth_call?gas_cap=x", 'strconv.ParseUint: parsing "x": invalid syntax'],
    ] as const) {
      const { status, body } = await rest(`evm/vm/v1/${path}`);
      assert.equal(status, 400, path);
      assert.deepEqual(body, { code: 3, message, details: [] }, path);
    }
    // A precompile's method that does not exist.
    const args = call({
      to: "0x0000000000000000000000000000000000000800",
      data: "0x12345678",
    });
    const { status, body } = await rest(
      `evm/vm/v1/estimate_gas?gas_cap=25000000&args=${args}`,
    );
    assert.equal(status, 200);
    assert.equal(body.vm_error, "execution reverted");
    assert.match(
      Buffer.from(body.ret, "base64").toString(),
      /no method with id: 0x12345678/,
    );
    // A call that cannot be read never ran; others say how they failed.
    for (const query of ["eth_call", "estimate_gas"]) {
      const unread = await rest(
        `evm/vm/v1/${query}?gas_cap=25000000&args=${call({ to: "0x12" })}`,
      );
      assert.equal(unread.status, 400, query);
      assert.equal(unread.body.code, 3);
    }
    for (const [data, reason, refused] of [
      ["0xfe", "invalid opcode: INVALID", "invalid opcode: INVALID"],
      ["0x5b600056", "out of gas", "gas required exceeds allowance (100000)"],
      ["0x60006000fd", "execution reverted", undefined],
    ] as const) {
      const asked = `gas_cap=100000&args=${call({ data })}`;
      const called = await rest(`evm/vm/v1/eth_call?${asked}`);
      assert.equal(called.status, 200);
      assert.equal(called.body.vm_error, reason);
      const { body: estimate } = await rest(`evm/vm/v1/estimate_gas?${asked}`);
      assert.deepEqual(
        estimate,
        refused === undefined
          ? { gas: "0", ret: null, vm_error: reason }
          : { code: 2, message: refused, details: [] },
      );
    }
    const slot = `0x${"ff".repeat(40)}`;
    const stored = await rest(
      `evm/vm/v1/storage/0x0000000000000000000000000000000000000001/${slot}`,
    );
    assert.equal(stored.status, 200);
  });

  it("reach the queries of owners, numbers and settings", async () => {
    const { body: params } = await rest("staking/v1beta1/params");
    const denom = params.params.bond_denom;
    const owners = `bank/v1beta1/denom_owners/${denom}`;
    const { body: all } = await rest(owners);
    const { body: by } = await rest(
      `bank/v1beta1/denom_owners_by_query?denom=${denom}`,
    );
    assert.deepEqual(by, all);
    assert.equal(all.pagination.total, String(all.denom_owners.length));
    const [{ address, balance }] = all.denom_owners;
    const { body: own } = await rest(
      `bank/v1beta1/balances/${address}/by_denom?denom=${denom}`,
    );
    assert.deepEqual(balance, own.balance);
    const { body: first } = await rest(`${owners}?pagination.limit=1`);
    const key = encodeURIComponent(first.pagination.next_key);
    const { body: rest2 } = await rest(`${owners}?pagination.key=${key}`);
    assert.deepEqual(
      [...first.denom_owners, ...rest2.denom_owners],
      all.denom_owners,
    );
    const { body: none } = await rest("bank/v1beta1/denom_owners/ibc/ABC");
    assert.deepEqual(none.denom_owners, []);

    const numbered = "auth/v1beta1/address_by_id/0?account_id";
    const { body: found } = await rest(`${numbered}=3`);
    const { body: account } = await rest(
      `auth/v1beta1/account_info/${found.account_address}`,
    );
    assert.equal(account.info.account_number, "3");
    const nobody = await rest(`${numbered}=99999`);
    assert.equal(nobody.status, 404);
    assert.match(nobody.body.message, /not found with account number 99999$/);
    const old = await rest("auth/v1beta1/address_by_id/1");
    assert.match(old.body.message, /^requesting with id isn't supported/);

    assert.deepEqual((await rest("bank/v1beta1/send_enabled")).body, {
      send_enabled: [],
      pagination: { next_key: null, total: "0" },
    });
    assert.deepEqual(
      (await rest(`bank/v1beta1/send_enabled?denoms=${denom}`)).body,
      { send_enabled: [], pagination: null },
    );
  });

  it("are refused as heights, after what the gateway refuses", async () => {
    const height = (text: string, why: string) =>
      `codespace sdk code 18: invalid request: Baseapp.RegisterGRPCServer: invalid height header "x-cosmos-block-height": strconv.ParseInt: parsing "${text}": ${why}`;
    const path = "staking/v1beta1/params";
    for (const text of ["9223372036854775808", "-9223372036854775809"]) {
      const { body } = await rest(path, text);
      assert.equal(body.message, height(text, "value out of range"));
    }
    assert.equal((await rest(path, "+1")).status, 200);
    assert.equal((await rest("nope", "99999999")).status, 501);
    const list = "staking/v1beta1/validators?pagination.limit=abc";
    assert.equal((await rest(list, "abc")).status, 400);
  });

  it("are refused by abci_query with the framework's codes", async () => {
    const field = (number: number, text: string) =>
      Buffer.from([number * 8 + 2, text.length, ...Buffer.from(text)]);
    const ask = async (path: string, data: Buffer, height = "0") => {
      const { result } = await call("abci_query", {
        path,
        data: data.toString("hex"),
        height,
      });
      const { code, codespace, log } = result.response;
      return { code, codespace, log };
    };
    const sdk = { codespace: "sdk" };
    const store = { codespace: "store" };
    const none = Buffer.alloc(0);
    const some = Buffer.from([0]);
    const unknown = "unknown request";
    for (const [path, data, answer] of [
      [
        "/cosmos.staking.v1beta1.Query/Validator",
        field(1, "bad"),
        {
          ...sdk,
          code: 6,
          log: `unknown address format: bad: unknown address: ${unknown}`,
        },
      ],
      [
        "/cosmos.distribution.v1beta1.Query/ValidatorCommission",
        field(1, UNKNOWN),
        { ...sdk, code: 6, log: `validator does not exist: ${unknown}` },
      ],
      [
        "/cosmos.tx.v1beta1.Service/GetTxsEvent",
        none,
        {
          ...sdk,
          code: 6,
          log: `rpc error: code = Internal desc = query cannot be empty: ${unknown}`,
        },
      ],
      [
        "/cosmos.tx.v1beta1.Service/BroadcastTx",
        some,
        {
          ...sdk,
          code: 18,
          log: "can't route a broadcast tx message: invalid request",
        },
      ],
      [
        "/cosmos.bank.v1beta1.Query/Params/",
        none,
        { ...sdk, code: 6, log: `unknown query path: ${unknown}` },
      ],
      [
        "/store/bank/key",
        none,
        {
          ...store,
          code: 3,
          log: "query cannot be zero length: tx parse error",
        },
      ],
      [
        "/store/bank/nope",
        some,
        { ...store, code: 4, log: `unexpected query path: /nope: ${unknown}` },
      ],
      [
        "/app",
        none,
        {
          ...sdk,
          code: 6,
          log: `expected second parameter to be either 'simulate' or 'version', neither was present: ${unknown}`,
        },
      ],
      [
        "/p2p/filter",
        none,
        {
          ...sdk,
          code: 6,
          log: `path should be p2p filter <addr|id> <parameter>: ${unknown}`,
        },
      ],
    ] as const) {
      assert.deepEqual(await ask(path, data), answer, path);
    }
    assert.deepEqual(await ask("/store/bank/key", some, "99999999"), {
      code: 0,
      codespace: "",
      log: "version does not exist",
    });
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
