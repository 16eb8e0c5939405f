import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";

import { HDNodeWallet } from "ethers";

import {
  FrameworkError,
  NodeRpcClient,
  type SenderOptions,
} from "../../src/framework/index.js";
import { ACCOUNTS, recordings } from "../servers/recorded-state.js";
import { FACTS, startNetwork, type TestNetwork } from "./network.js";

const { privateKey } = HDNodeWallet.fromPhrase(
  "test test test test test test test test test test test junk",
  undefined,
  "m/44'/60'/0'/0/7",
);
const ONE = {
  typeUrl: "/cosmos.bank.v1beta1.MsgSend",
  value: {
    fromAddress: ACCOUNTS.acc7,
    toAddress: ACCOUNTS.acc6,
    amount: [{ denom: "atest", amount: "1" }],
  },
};
const BAD_GATEWAY = { status: 502, body: "<html>502 Bad Gateway</html>" };
const HASH = /transaction [0-9A-F]{64}/;

describe("bringing a framework transaction into a block", () => {
  let network: TestNetwork;
  let before: bigint;
  beforeEach(async () => {
    network = await startNetwork({ retry: { retries: 1, backoffMs: 5 } });
    before = received();
  });
  afterEach(async () => {
    await network[Symbol.asyncDispose]();
  });

  const received = () =>
    BigInt(network.chain.state.balances.get(ACCOUNTS.acc6)?.[0]?.amount ?? 0);
  const broadcasts = () =>
    network.nodeRpc.methods.filter((name) => name === "broadcast_tx_sync")
      .length;
  const sender = async (options: Partial<SenderOptions> = {}) =>
    await network.clients.nodeRpc.sender({
      privateKey,
      gasPrice: () => Promise.resolve(1_000_000_000n),
      pollMs: 5,
      ...options,
    });
  const rejected = async (sending: Promise<unknown>) => {
    const error: unknown = await sending.then(
      () => undefined,
      (e: unknown) => e,
    );
    assert.ok(error instanceof FrameworkError, String(error));
    return error;
  };

  it("a transaction whose bytes the node refused before is signed as other bytes", async () => {
    const one = await sender({ salt: () => 0n });
    network.nodeRpc.refuse = { code: 5, codespace: "sdk", log: "no funds" };
    await assert.rejects(one.send([ONE], { gas: 200_000n }), /sdk 5.*no funds/);
    network.nodeRpc.refuse = undefined;
    assert.equal((await one.send([ONE], { gas: 200_000n })).code, 0);
    assert.equal(received() - before, 1n);
  });

  it("two processes that send the same send two transactions", async () => {
    network.nodeRpc.holdTransactions = true;
    const timer = setInterval(() => network.nodeRpc.include(), 30);
    const alone = { alone: async (_: string, send: any) => await send(0n) };
    const senders = await Promise.all([
      sender({ turns: alone }),
      sender({ turns: alone }),
    ]);
    try {
      const sent = await Promise.all(
        senders.map((one) => one.send([ONE], { gas: 200_000n })),
      );
      assert.equal(new Set(sent.map(({ hash }) => hash)).size, 2);
      assert.equal(received() - before, 2n);
    } finally {
      clearInterval(timer);
    }
  });

  it("bytes that came too early are replaced, since the node does not check them again", async () => {
    const account = network.chain.state.accounts.get(ACCOUNTS.acc7);
    assert.ok(account !== undefined);
    const next = account.sequence + 1n;
    const early = await sender({
      turns: { alone: async (_, send) => await send(next) },
    });
    setTimeout(() => account.sequence++, 60);
    assert.equal((await early.send([ONE], { gas: 200_000n })).code, 0);
    assert.equal(received() - before, 1n);
  });

  for (const passedOn of [true, false]) {
    it(`a gateway's page instead of the answer is not a refusal (${passedOn ? "the node took it" : "the node did not get it"})`, async () => {
      network.nodeRpc.answerWith("broadcast_tx_sync", {
        ...BAD_GATEWAY,
        status: 504,
        passedOn,
      });
      assert.equal((await (await sender()).send([ONE])).code, 0);
      assert.equal(received() - before, 1n);
      assert.equal(network.nodeRpc.transactions.size, 1);
    });
  }

  it("a gateway's pages do not end the wait for a transaction", async () => {
    network.nodeRpc.holdTransactions = true;
    network.nodeRpc.answerWith("tx", BAD_GATEWAY, 2);
    network.nodeRpc.answerWith("tx", { status: 429, body: "slow down" });
    const sending = (await sender()).send([ONE]);
    const timer = setInterval(() => network.nodeRpc.include(), 100);
    assert.equal((await sending).code, 0);
    clearInterval(timer);
    assert.equal(broadcasts(), 1);
  });

  it("a timeout says what is known of the transaction, with its hash", async () => {
    const one = await sender();
    network.nodeRpc.holdTransactions = true;
    const late = await rejected(one.send([ONE], { timeoutMs: 100 }));
    assert.equal(late.fault, "timeout");
    assert.match(late.message, HASH);
    network.nodeRpc.answerWith("broadcast_tx_sync", BAD_GATEWAY, 1_000);
    const unknown = await rejected(one.send([ONE], { timeoutMs: 100 }));
    assert.equal(unknown.fault, "unknown");
    assert.match(unknown.message, HASH);
    assert.match(unknown.message, /HTTP 502/);
  });

  it("a node that restarted gets the transaction again", async () => {
    const one = await sender({ giveAgainMs: 50 });
    network.nodeRpc.holdTransactions = true;
    const sending = one.send([ONE]);
    while (broadcasts() === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    network.nodeRpc.forget();
    network.nodeRpc.holdTransactions = false;
    assert.equal((await sending).code, 0);
    assert.equal(received() - before, 1n);
  });

  it("a failed request at the start does not spoil the sender", async () => {
    network.nodeRpc.answerWith("status", BAD_GATEWAY, 20);
    const one = await sender();
    await assert.rejects(one.send([ONE], { gas: 200_000n }));
    network.nodeRpc.clearPages();
    assert.equal((await one.send([ONE], { gas: 200_000n })).code, 0);
  });

  it("broadcast reports what it knows of bytes that it sent before", async () => {
    const { nodeRpc } = network.clients;
    const bytes = Buffer.from(
      recordings<any>("node-rpc").get("broadcast_tx_sync_valid").request.body
        .params.tx,
      "base64",
    );
    network.nodeRpc.refuse = { code: 5, codespace: "sdk", log: "no funds" };
    assert.equal((await nodeRpc.broadcast(bytes)).code, 5);
    network.nodeRpc.refuse = undefined;
    const again = await nodeRpc.broadcast(bytes);
    assert.deepEqual(
      { code: again.code, repeated: again.repeated },
      { code: 5, repeated: true },
    );
    // Another client does not know how the node answered them.
    const other = new NodeRpcClient({
      url: network.nodeRpc.url,
      network: "test",
      facts: FACTS,
    });
    const unknown = await rejected(other.broadcast(bytes));
    assert.equal(unknown.fault, "unknown");
    assert.match(unknown.message, HASH);
  });
});
