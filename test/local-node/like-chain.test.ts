import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import { Interface, Wallet } from "ethers";
import { WebSocket } from "ws";

import { PRECOMPILES } from "../../src/precompiles/index.js";
import { recordings } from "../servers/recorded-state.js";
import { differences } from "./shape.js";
import { startNode, type StartedNode } from "./start.js";

const ONE = 10n ** 18n;
const FEES = {
  chainId: 26218,
  type: 2,
  maxFeePerGas: 10n ** 10n,
  maxPriorityFeePerGas: 10n ** 9n,
};

interface Frame {
  readonly dir: string;
  readonly msg?: any;
}

interface Recording {
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly frames: readonly Frame[];
}

describe("a local node like a chain", () => {
  let started: StartedNode;
  let validator: string;
  before(async () => {
    started = await startNode({ likeChain: true, blockTime: 0.3 });
    const { items } = await started.clients.query.staking.validators({});
    validator = items[0]?.operator.valoper ?? "";
  });
  after(async () => {
    await started[Symbol.asyncDispose]();
  });

  const walletOf = (i: number) =>
    new Wallet(started.node.accounts[i]?.privateKey ?? "0x");
  const ask = async (method: string, ...params: unknown[]): Promise<any> => {
    const response = await fetch(started.node.endpoints.evmUrl, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return await response.json();
  };
  const send = async (wallet: Wallet, fields: object): Promise<string> => {
    const raw = await wallet.signTransaction({
      ...FEES,
      gasLimit: 21_000n,
      to: wallet.address,
      ...fields,
    });
    const { result, error } = await ask("eth_sendRawTransaction", raw);
    assert.equal(error, undefined, JSON.stringify(error));
    return result;
  };

  it("answers on the EVM's socket as recorded", async () => {
    const found: Record<string, string[]> = {};
    for (const [name, { headers, frames }] of recordings<Recording>("ws")) {
      if (/^(?:node_shutdown|message_over_1_MiB)$/.test(name)) continue;
      const differs = await replay(headers ?? {}, frames);
      if (differs.length > 0) found[name] = differs;
    }
    assert.deepEqual(Object.keys(found), [], JSON.stringify(found, null, 1));
  });

  /** Repeats a recorded conversation. @returns the answers that differ */
  async function replay(
    headers: Readonly<Record<string, string>>,
    frames: readonly Frame[],
  ): Promise<string[]> {
    const socket = new WebSocket(started.node.endpoints.wsUrl, { headers });
    const refused = frames.find(({ dir }) => dir === "refused");
    if (refused !== undefined) {
      const [error] = (await once(socket, "error")) as [Error];
      return /403/.test(error.message) ? [] : [error.message];
    }
    const answers: any[] = [];
    socket.on("message", (data) => {
      const answer = JSON.parse(String(data));
      if (answer.method !== "eth_subscription") answers.push(answer);
    });
    await once(socket, "open");
    const ids = new Map<string, string>();
    const found: string[] = [];
    for (const [i, { dir, msg }] of frames.entries()) {
      if (dir !== "out" || msg === undefined) continue;
      const next = frames.findIndex((one, at) => at > i && one.dir === "out");
      const expected = frames
        .slice(i + 1, next < 0 ? undefined : next)
        .filter((one) => one.dir === "in")
        .map((one) => one.msg)
        .filter((one) => one?.method !== "eth_subscription");
      answers.length = 0;
      let text = typeof msg.raw === "string" ? msg.raw : JSON.stringify(msg);
      for (const [there, here] of ids) text = text.replaceAll(there, here);
      socket.send(text);
      for (let waited = 0; waited < 100; waited++) {
        if (answers.length >= expected.length) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      for (const [at, told] of expected.entries()) {
        const got = answers[at];
        if (got === undefined) {
          found.push(`${text.slice(0, 120)}: no answer`);
          continue;
        }
        if (/^0x[0-9a-f]{32}$/.test(told.result)) {
          ids.set(told.result, String(got.result));
        }
        const [a, b] = [got.error, told.error].map((one) =>
          JSON.stringify(one),
        );
        if (a !== b) found.push(`${text.slice(0, 120)}: ${a} instead of ${b}`);
        else
          found.push(
            ...differences(got, told).map(
              (one) => `${text.slice(0, 80)}: ${one}`,
            ),
          );
      }
      if (answers.length > expected.length) {
        found.push(`${text.slice(0, 120)}: ${JSON.stringify(answers.at(-1))}`);
      }
    }
    socket.terminate();
    return found;
  }

  it("has no pending state, and holds receipts back", async () => {
    const wallet = walletOf(1);
    const begin = Date.now();
    const unknown = await ask(
      "eth_getTransactionReceipt",
      `0x${"12".repeat(32)}`,
    );
    assert.equal(unknown.result, null);
    assert.ok(Date.now() - begin >= 1_500);
    // Its nonce is too high: it waits for the transaction before it.
    const second = await send(wallet, { nonce: 1 });
    assert.equal((await ask("eth_getTransactionByHash", second)).result, null);
    const count = await ask(
      "eth_getTransactionCount",
      wallet.address,
      "pending",
    );
    assert.equal(count.result, "0x0");
    const held = ask("eth_getTransactionReceipt", second);
    await send(wallet, { nonce: 0 });
    assert.equal((await held).result.status, "0x1");
    const low = await wallet.signTransaction({
      ...FEES,
      nonce: 0,
      gasLimit: 21_000n,
    });
    const { error } = await ask("eth_sendRawTransaction", low);
    assert.match(error.message, /nonce too low: next nonce 2, tx nonce 0/);
  });

  it("has an index that lags behind", async () => {
    const wallet = walletOf(2);
    const errors: string[] = [];
    let nonce = 0;
    const end = Date.now() + 10_000;
    while (errors.length === 0 && Date.now() < end) {
      const hash = await send(wallet, { nonce: nonce++ });
      for (;;) {
        const { result, error } = await ask(
          "eth_getBlockByNumber",
          "latest",
          false,
        );
        if (error !== undefined) {
          errors.push(error.message);
          break;
        }
        if (result.transactions.includes(hash)) break;
      }
    }
    assert.match(
      errors[0] ?? "",
      /GetTxByEthHash 0x[0-9a-f]{64}: ethereum tx not found/,
    );
  });

  it("drops what is queued beyond 64 transactions", async () => {
    const wallet = walletOf(3);
    for (let nonce = 1; nonce <= 67; nonce++) {
      await send(wallet, { nonce });
    }
    const waiting = await started.evm("eth_pendingTransactions");
    const own = waiting.filter(
      ({ from }: any) => from === wallet.address.toLowerCase(),
    );
    assert.equal(own.length, 64);
    assert.match(
      (
        await ask(
          "eth_sendRawTransaction",
          await wallet.signTransaction({
            ...FEES,
            nonce: 5,
            gasLimit: 50_000n,
          }),
        )
      ).error.message,
      /replacement transaction underpriced/,
    );
    for (const { hash } of own)
      await started.evm("hardhat_dropTransaction", hash);
  });

  it("refuses fees below the base fee, which no control lowers", async () => {
    const wallet = walletOf(6);
    const { result: snapshot } = await ask("evm_snapshot");
    for (let i = 0; i < 5; i++) await ask("dualstack_advance", "0x3c");
    const { result: block } = await ask(
      "eth_getBlockByNumber",
      "latest",
      false,
    );
    assert.equal(BigInt(block.baseFeePerGas), 10n ** 9n);
    await ask("evm_revert", snapshot);
    const raw = await wallet.signTransaction({
      ...FEES,
      nonce: 0,
      gasLimit: 21_000n,
      to: wallet.address,
      maxFeePerGas: 999_999_999n,
      maxPriorityFeePerGas: 0n,
    });
    assert.equal(
      (await ask("eth_sendRawTransaction", raw)).error.message,
      "inserting tx: max fee per gas (999999999) is lower than the base fee (1000000000): insufficient fee",
    );
    await send(wallet, { nonce: 0, maxFeePerGas: 2n * 10n ** 9n });
  });

  it("estimates without the rewards of the next block", async () => {
    const wallet = walletOf(4);
    const { address: to, abi } = PRECOMPILES.staking;
    const data = new Interface(abi).encodeFunctionData("delegate", [
      wallet.address,
      validator,
      ONE,
    ]);
    const call = { from: wallet.address, to, data };
    const first = await send(wallet, {
      nonce: 0,
      to,
      data,
      gasLimit: 1_000_000n,
    });
    const { result: block } = await ask("eth_getTransactionReceipt", first);
    // In that block's state, its rewards are already settled.
    const { result: estimate } = await ask(
      "eth_estimateGas",
      call,
      block.blockNumber,
    );
    const second = await send(wallet, {
      nonce: 1,
      to,
      data,
      gasLimit: 1_000_000n,
    });
    const { result: receipt } = await ask("eth_getTransactionReceipt", second);
    assert.ok(
      BigInt(receipt.gasUsed) > BigInt(estimate),
      `${BigInt(receipt.gasUsed)} over ${BigInt(estimate)}`,
    );
  });

  it("has no accounts, and knows no safe block", async () => {
    assert.deepEqual((await ask("eth_accounts")).result, []);
    const from = walletOf(5).address;
    assert.match(
      (await ask("eth_sendTransaction", { from, to: from })).error.message,
      /node's keyring/,
    );
    assert.match(
      (await ask("eth_getBalance", from, "safe")).error.message,
      /invalid argument 1/,
    );
  });

  it("has no method that a real node lacks", async () => {
    const recorded: any[] = JSON.parse(
      gunzipSync(
        readFileSync(
          new URL("../vectors/jsonrpc-exchanges.json.gz", import.meta.url),
        ),
      ).toString(),
    );
    const lacking = recorded.filter(
      (one) =>
        one.error?.code === -32601 &&
        // Tests need these to control it like other local networks.
        !/^(?:hardhat|evm)_/.test(one.method),
    );
    assert.ok(lacking.length > 10);
    for (const { method, params, error } of lacking) {
      assert.deepEqual((await ask(method, ...params)).error, error, method);
    }
  });

  it("fails in a node's words", async () => {
    const wallet = walletOf(10);
    const { address: from } = wallet;
    const [inCall, inEstimate] = ["Internal", "Unknown"].map(
      (code) => `rpc error: code = ${code} desc = `,
    );
    const reverted = "execution reverted";
    for (const [data, code, called, estimated = called] of [
      ["0x60006000fd", -32000, reverted],
      // A custom error, the reason "lab", and an assertion.
      ["0x630d6a419a60e01b60005260046000fd", 3, reverted],
      [
        "0x6308c379a060e01b60005260206004526003602452626c616260e81b60445260646000fd",
        3,
        `${reverted}: lab`,
      ],
      [
        "0x634e487b7160e01b600052600160045260246000fd",
        3,
        `${reverted}: assert(false)`,
      ],
      [
        "0xfe",
        -32000,
        `${inCall}invalid opcode: INVALID`,
        `${inEstimate}invalid opcode: INVALID`,
      ],
      [
        "0x5b600056",
        -32000,
        `${inCall}out of gas`,
        `${inEstimate}gas required exceeds allowance (100000)`,
      ],
    ] as const) {
      const call = { from, data, gas: "0x186a0" };
      const { error } = await ask("eth_call", call, "latest");
      assert.deepEqual([error.code, error.message], [code, called]);
      assert.equal("data" in error, code === 3, data);
      const { error: refusal } = await ask("eth_estimateGas", call);
      assert.deepEqual([refusal.code, refusal.message], [code, estimated]);
    }
    const rich = { from, to: from, value: `0x${(10n ** 24n).toString(16)}` };
    for (const [method, params, code, message] of [
      [
        "eth_call",
        [{ from, to: from }, "latest", {}, {}],
        -32602,
        "too many arguments, want at most 3",
      ],
      [
        "eth_call",
        [rich, "latest"],
        -32000,
        "rpc error: code = Internal desc = insufficient balance for transfer",
      ],
      [
        "eth_estimateGas",
        [rich],
        -32000,
        "rpc error: code = Unknown desc = insufficient balance for transfer",
      ],
      [
        "eth_call",
        [{ from, to: from, gas: "0x5207" }, "latest"],
        -32000,
        "rpc error: code = Internal desc = apply message: intrinsic gas too low",
      ],
      [
        "eth_call",
        [{ from, to: from }, "0xffffff"],
        -32000,
        "header not found",
      ],
      [
        "eth_getBalance",
        [from, "newest"],
        -32602,
        "invalid argument 1: hex string without 0x prefix",
      ],
      [
        "eth_feeHistory",
        ["0x65", "latest", []],
        -32000,
        "FeeHistory user block count 101 higher than 100",
      ],
      ["eth_getFilterChanges", ["0xabc"], -32000, "filter 0xabc not found"],
      [
        "eth_getLogs",
        [{ fromBlock: "0xffffff" }],
        -32000,
        "invalid block range params",
      ],
      [
        "eth_getLogs",
        [{ fromBlock: "0x0", toBlock: "0xffffff" }],
        -32000,
        "invalid block range params",
      ],
      [
        "eth_getLogs",
        [{ fromBlock: "0x2", toBlock: "0x1" }],
        -32000,
        "invalid block range params",
      ],
      [
        "eth_getLogs",
        [{ fromBlock: "pending" }],
        -32000,
        "pending logs are not supported",
      ],
    ] as const) {
      const { error } = await ask(method, ...params);
      assert.deepEqual(error, { code, message }, method);
    }
    // An override's balance counts.
    const lent = { [from]: { balance: `0x${(10n ** 25n).toString(16)}` } };
    assert.equal((await ask("eth_call", rich, "latest", lent)).result, "0x");
    assert.deepEqual(
      (await ask("eth_getLogs", { fromBlock: "0x1", toBlock: "0x1" })).result,
      [],
    );

    const transfer = { ...FEES, nonce: 0, to: from, gasLimit: 21_000n };
    const sent = async (fields: object) =>
      await ask(
        "eth_sendRawTransaction",
        await wallet.signTransaction({ ...transfer, ...fields }),
      );
    for (const [fields, message] of [
      [
        { value: 10n ** 24n },
        /^insufficient funds for gas \* price \+ value: balance \d+, tx cost 1000000000210000000000000, overshot \d+$/,
      ],
      [
        { gasLimit: 20_000n },
        /^failed to validate transaction: intrinsic gas too low: gas 20000, minimum needed 21000$/,
      ],
      [{ gasLimit: 30_000_001n }, /^exceeds block gas limit$/],
      [
        { data: `0x${"ff".repeat(1000)}`, gasLimit: 40_000n },
        /^insufficient gas for floor data gas cost: gas 40000, minimum needed 61000$/,
      ],
      [
        { data: `0x${"00".repeat(131_072)}`, gasLimit: 5_000_000n },
        /^oversized data: transaction size 131\d+, limit 131072$/,
      ],
      [
        { to: null, data: `0x${"00".repeat(49_153)}`, gasLimit: 5_000_000n },
        /^max initcode size exceeded: code size 49153, limit 49152$/,
      ],
      [{ chainId: 1 }, /^incorrect chain-id; expected 26218, got 1$/],
      [
        {
          type: 0,
          chainId: 0,
          gasPrice: FEES.maxFeePerGas,
          maxFeePerGas: undefined,
          maxPriorityFeePerGas: undefined,
        },
        /^only replay-protected \(EIP-155\) transactions allowed over RPC$/,
      ],
    ] as const) {
      const { error } = await sent(fields);
      assert.equal(error?.code, -32000, String(message));
      assert.match(error.message, message);
    }
  });

  it("replaces a waiting transaction if both prices are a tenth higher", async () => {
    const wallet = walletOf(11);
    const sent = async (fee: bigint, tip: bigint) =>
      await ask(
        "eth_sendRawTransaction",
        await wallet.signTransaction({
          ...FEES,
          nonce: 1,
          to: wallet.address,
          gasLimit: 21_000n,
          maxFeePerGas: fee,
          maxPriorityFeePerGas: tip,
        }),
      );
    const { maxFeePerGas: fee, maxPriorityFeePerGas: tip } = FEES;
    assert.ok((await sent(fee, tip)).result);
    for (const [more, moreTip] of [
      [fee * 2n, tip],
      [fee, tip * 2n],
      [(fee * 109n) / 100n, (tip * 109n) / 100n],
    ] as const) {
      const { error } = await sent(more, moreTip);
      assert.equal(error?.message, "replacement transaction underpriced");
    }
    const { result: hash } = await sent((fee * 11n) / 10n, (tip * 11n) / 10n);
    await send(wallet, { nonce: 0 });
    const { result } = await ask("eth_getTransactionReceipt", hash);
    assert.equal(result.status, "0x1");
  });

  it("has the methods that a simulated network lacks", async () => {
    const recorded: any[] = JSON.parse(
      gunzipSync(
        readFileSync(
          new URL("../vectors/jsonrpc-exchanges.json.gz", import.meta.url),
        ),
      ).toString(),
    );
    const wallet = walletOf(8);
    const to = walletOf(9).address;
    const first = await send(wallet, { nonce: 0, to, gasLimit: 50_000n });
    const { result: receipt } = await ask("eth_getTransactionReceipt", first);
    const queued = await wallet.signTransaction({
      ...FEES,
      nonce: 2,
      to,
      value: 2n,
      gasLimit: 21_000n,
    });
    const { result: hash } = await ask("eth_sendRawTransaction", queued);
    // The index lags behind.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const mine = async (method: string, ...params: unknown[]) => {
      const { result, error } = await ask(method, ...params);
      assert.equal(error, undefined, method);
      const said = recorded.filter(
        (one) => one.method === method && one.result != null,
      );
      assert.ok(said.length > 0, method);
      return { result, said: said.map((one) => one.result) };
    };
    for (const [method, own] of [
      ["net_listening", true],
      ["net_peerCount", 0],
      ["eth_protocolVersion", "0x41"],
      ["txpool_status", { pending: "0x0", queued: "0x1" }],
    ] as const) {
      const { result, said } = await mine(method);
      assert.deepEqual(result, own, method);
      assert.ok(
        said.some((one) => JSON.stringify(one) === JSON.stringify(own)),
        method,
      );
    }
    for (const block of [
      receipt.blockNumber,
      receipt.blockHash,
      { blockHash: receipt.blockHash },
    ]) {
      const { result, said } = await mine("eth_getBlockReceipts", block);
      assert.deepEqual(result, [receipt]);
      assert.deepEqual(
        Object.keys(result[0]).sort(),
        Object.keys(said[0][0]).sort(),
      );
    }
    const logs = await mine("eth_getTransactionLogs", first);
    assert.deepEqual(logs.result, []);
    assert.equal((await ask("eth_getTransactionLogs", hash)).result, null);
    const traced = await mine("debug_traceBlockByNumber", receipt.blockNumber, {
      tracer: "callTracer",
    });
    assert.equal(traced.result.length, 1);
    assert.equal(traced.result[0].result.to, to.toLowerCase());

    const whole = await mine("txpool_content");
    const waits = whole.result.queued[wallet.address]["2"];
    assert.equal(waits.hash, hash);
    assert.equal(waits.blockHash, null);
    const { result: own } = await ask("txpool_contentFrom", wallet.address);
    assert.deepEqual(own, { pending: {}, queued: { "2": waits } });
    const { result: told, said } = await mine("txpool_inspect");
    const line = told.queued[wallet.address]["2"];
    assert.equal(line, `${to}: 2 wei + 21000 gas × 10000000000 wei`);
    const lines = said.flatMap(({ queued: all }) =>
      Object.values(all).flatMap((one: any) => Object.values(one)),
    );
    const form = (text: unknown) => String(text).replace(/\w{3,}/g, "#");
    assert.ok(lines.some((one) => form(one) === form(line)));

    const none = "0xffffff";
    assert.match(
      (await ask("eth_getBlockReceipts", none)).error.message,
      /^failed to get block by number: height 16777215 must be/,
    );
    assert.equal((await ask("eth_getBlockReceipts")).error.code, -32602);
    assert.equal((await ask("txpool_contentFrom", "0x12")).error.code, -32602);
    await started.evm("hardhat_dropTransaction", hash);
  });

  it("accepts only numbers as IDs on its socket, and no web page", async () => {
    const { wsUrl } = started.node.endpoints;
    const page = new WebSocket(wsUrl, { origin: "http://localhost:3000" });
    const [refusal] = await once(page, "error");
    assert.match(String(refusal), /403/);
    const socket = new WebSocket(wsUrl);
    await once(socket, "open");
    const asked = async (id: unknown): Promise<any> => {
      const answer = once(socket, "message");
      socket.send(
        JSON.stringify({ jsonrpc: "2.0", id, method: "eth_chainId" }),
      );
      return JSON.parse(String((await answer)[0]));
    };
    assert.equal((await asked(7)).result, "0x666a");
    assert.deepEqual(await asked("a-uuid"), {
      jsonrpc: "2.0",
      error: {
        code: -32600,
        message: "invalid type for connection ID: string",
      },
      id: null,
    });
    // A receipt that is held back delays everything after it.
    const begin = Date.now();
    const params = [`0x${"34".repeat(32)}`];
    socket.send(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 8,
        method: "eth_getTransactionReceipt",
        params,
      }),
    );
    const [first] = await Promise.all([once(socket, "message"), asked(9)]);
    assert.equal(JSON.parse(String(first[0])).id, 8);
    assert.ok(Date.now() - begin >= 1_500);
    socket.close();
  });
});
