import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";

import { hexToBytes } from "@noble/hashes/utils";
import { HDNodeWallet } from "ethers";

import {
  createFrameworkClients,
  FrameworkError,
  type FrameworkFault,
  type Turns,
} from "../../src/framework/index.js";
import { ACCOUNTS, HEIGHT, recordings } from "../servers/recorded-state.js";
import { Queue } from "../../src/support/async.js";
import { HOSTILE, hostileServer } from "./hostile.js";
import { FACTS, startNetwork, type TestNetwork } from "./network.js";

interface Recording {
  readonly name: string;
  readonly request: {
    readonly body?: { readonly method: string; readonly params: any };
    readonly rawBody?: string;
  };
  readonly response: { readonly status: number; readonly body: any };
}
const recorded = (name: string): Recording => {
  const entry = recordings<Recording>("node-rpc").get(name);
  assert.ok(entry !== undefined, name);
  return entry;
};
const recordedTx = () =>
  Buffer.from(
    recorded("broadcast_tx_sync_valid").request.body?.params.tx,
    "base64",
  );
const RECORDED_HASH =
  "A0D1725D4AD55C382A96BF6B8E6BDD3B376EFA82D45ABABE33DCCAC8EFD9C62C";

// The public test mnemonic that the recordings were made with.
const { privateKey } = HDNodeWallet.fromPhrase(
  "test test test test test test test test test test test junk",
  undefined,
  "m/44'/60'/0'/0/7",
);

const sendMessage = (amount: string, toAddress: string = ACCOUNTS.acc6) => ({
  typeUrl: "/cosmos.bank.v1beta1.MsgSend",
  value: {
    fromAddress: ACCOUNTS.acc7,
    toAddress,
    amount: [{ denom: "atest", amount }],
  },
});
const failsAs = (fault: FrameworkFault, text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof FrameworkError, String(error));
  assert.equal(error.fault, fault, error.message);
  assert.match(error.message, text);
  return true;
};
const gasPrice = () => Promise.resolve(1_000_000_000n);

describe("node RPC", () => {
  let network: TestNetwork;
  beforeEach(async () => {
    network = await startNetwork();
  });
  afterEach(async () => {
    await network[Symbol.asyncDispose]();
  });

  it("reads status, states and stores", async () => {
    const { nodeRpc } = network.clients;
    const { nodeInfo, syncInfo } = await nodeRpc.status();
    assert.equal(nodeInfo.network, "dualstack_26218-1");
    assert.equal(BigInt(syncInfo.latestBlockHeight), HEIGHT);
    const key = hexToBytes(
      "021415d34aaf54267db7d7c367839aaf71a00a2c6a656174657374",
    );
    const { value, height } = await nodeRpc.stored("bank", key);
    assert.equal(
      new TextDecoder().decode(value ?? undefined),
      "7955015834844000696000",
    );
    assert.equal(height, HEIGHT);
    assert.equal(
      (
        await nodeRpc.stored(
          "bank",
          Uint8Array.from([2, 20, ...new Uint8Array(20), 65]),
        )
      ).value,
      null,
    );
    await assert.rejects(
      nodeRpc.stored("nope", key),
      failsAs("refused", /code store 4/),
    );
    // The node itself calls this a success.
    await assert.rejects(
      nodeRpc.stored("bank", key, { height: 2n }),
      failsAs("height-pruned", /version does not exist/),
    );
    await assert.rejects(
      nodeRpc.abciQuery("/no.such.Service/Method", key),
      failsAs("unknown-path", /unknown query path/),
    );
    await assert.rejects(
      nodeRpc.abciQuery(
        "/cosmos.staking.v1beta1.Query/Params",
        new Uint8Array(),
        { height: 99_999_999n },
      ),
      failsAs("height-in-future", /has not reached height 99999999 yet/),
    );
    assert.equal(await nodeRpc.transaction("00".repeat(32)), null);
    await assert.rejects(
      nodeRpc.transaction("xyz"),
      failsAs("invalid-request", /64 hexadecimal/),
    );
    await assert.rejects(
      nodeRpc.transactions("tx.height=1"),
      failsAs("unknown-path", /code -32601.*Method not found/),
    );
  });

  it("the test server answers like the recording", async () => {
    for (const name of [
      "abci_query_delegation_none",
      "abci_query_unknown_service",
      "abci_query_future_height",
      "tx_unknown",
      "error_unknown_method",
      "error_bad_json",
      "broadcast_tx_sync_valid",
      "broadcast_tx_sync_duplicate_while_pending",
    ]) {
      const { request, response } = recorded(name);
      const answer = await fetch(network.nodeRpc.url, {
        method: "POST",
        body: request.rawBody ?? JSON.stringify(request.body),
      });
      assert.equal(answer.status, response.status, name);
      const got = (await answer.json()) as any;
      const expected = structuredClone(response.body);
      for (const body of [got, expected]) {
        // The recordings were made at other heights.
        delete body.result?.response?.height;
      }
      assert.deepEqual(got, expected, name);
    }
  });

  it("takes a signed transaction, and looks up one that it already has", async () => {
    const { nodeRpc } = network.clients;
    network.nodeRpc.holdTransactions = true;
    const first = await nodeRpc.broadcast(recordedTx());
    assert.deepEqual(first, {
      hash: RECORDED_HASH,
      code: 0,
      codespace: "",
      log: "",
      repeated: false,
    });
    assert.deepEqual(await nodeRpc.broadcast(recordedTx()), {
      ...first,
      repeated: true,
      height: undefined,
    });
    await assert.rejects(
      nodeRpc.waitFor(RECORDED_HASH, { timeoutMs: 50, pollMs: 10 }),
      failsAs("timeout", /may still be included/),
    );
    network.nodeRpc.include();
    const again = await nodeRpc.broadcast(recordedTx());
    assert.equal(again.repeated, true);
    assert.equal(again.height, HEIGHT + 1n);
    const found = await nodeRpc.waitFor(`0x${RECORDED_HASH.toLowerCase()}`);
    assert.equal(found.code, 0);
    assert.equal(found.gasWanted, 200_000n);
  });

  it("sends no bytes that the node would never answer", async () => {
    const { nodeRpc } = network.clients;
    const garbage = Buffer.from(
      recorded("broadcast_tx_sync_garbage").request.body?.params.tx,
      "base64",
    );
    const ethereum = Buffer.from(
      recorded("broadcast_tx_sync_raw_eth_tx").request.body?.params.tx,
      "base64",
    );
    await assert.rejects(
      nodeRpc.broadcast(garbage),
      failsAs("invalid-request", /was not sent/),
    );
    await assert.rejects(
      nodeRpc.broadcast(ethereum),
      failsAs("invalid-request", /eth_sendRawTransaction/),
    );
    await assert.rejects(
      nodeRpc.broadcast(new Uint8Array()),
      failsAs("invalid-request", /was not sent/),
    );
    const tx = recordedTx();
    await assert.rejects(
      nodeRpc.broadcast(tx.subarray(0, 100)),
      failsAs("invalid-request", /was not sent/),
    );
    await assert.rejects(
      nodeRpc.broadcast(Buffer.concat([tx, Buffer.from([0x22, 0])])),
      failsAs("invalid-request", /was not sent/),
    );
    assert.deepEqual(network.nodeRpc.methods, []);
    // A call by method name reaches the node, and still ends.
    const impatient = createFrameworkClients({
      network: "test",
      kind: "local",
      endpoints: { nodeRpcUrl: network.nodeRpc.url },
      facts: FACTS,
      provider: network.evm,
      timeoutMs: 100,
    });
    await assert.rejects(
      impatient.nodeRpc.request("broadcast_tx_sync", {
        tx: Buffer.from(garbage).toString("base64"),
      }),
      /did not answer within/,
    );
  });

  it("signs byte for byte what a real node took", async () => {
    network.nodeRpc.holdTransactions = true;
    const { nodeRpc } = network.clients;
    const sender = await nodeRpc.sender({
      privateKey,
      gasPrice,
      pollMs: 5,
      salt: () => 0n,
    });
    assert.equal(sender.address.account, ACCOUNTS.acc7);
    assert.equal(
      sender.address.hex,
      "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955",
    );
    const sending = sender.send([sendMessage("1000")], {
      gas: 200_000n,
      memo: "valid",
    });
    const timer = setInterval(() => network.nodeRpc.include(), 20);
    const included = await sending;
    clearInterval(timer);
    assert.equal(included.hash, RECORDED_HASH);
    assert.deepEqual(
      Buffer.from(network.nodeRpc.transactions.get(RECORDED_HASH)?.bytes ?? []),
      recordedTx(),
    );
  });

  it("finds the gas by simulating the signed transaction", async () => {
    const { nodeRpc } = network.clients;
    const sender = await nodeRpc.sender({
      privateKey: hexToBytes(privateKey.slice(2)),
      gasPrice,
      pollMs: 5,
    });
    for (let i = 0; i < 3; i++) {
      // The first one also pays for its public key, which is new to the chain.
      const { gasUsed, gasWanted, code } = await sender.send([
        sendMessage(String(i + 1)),
      ]);
      assert.equal(code, 0);
      assert.ok(
        gasWanted >= gasUsed && gasWanted <= (gasUsed * 112n) / 100n,
        `${gasUsed} of ${gasWanted}`,
      );
    }
    assert.equal(network.chain.state.accounts.get(ACCOUNTS.acc7)?.sequence, 7n);
  });

  it("takes turns with the other stack", async () => {
    const account = network.chain.state.accounts.get(ACCOUNTS.acc7);
    assert.ok(account !== undefined);
    const queue = new Queue();
    let inUse = 0;
    const turns: Turns = {
      alone: async (address, send) =>
        await queue.run(async () => {
          assert.equal(address, "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955");
          assert.equal(inUse++, 0);
          try {
            return await send(account.sequence);
          } finally {
            inUse--;
          }
        }),
    };
    const sender = await network.clients.nodeRpc.sender({
      privateKey,
      gasPrice,
      turns,
      pollMs: 5,
    });
    await Promise.all([
      sender.send([sendMessage("1")]),
      sender.send([sendMessage("1")]),
    ]);
    assert.equal(account.sequence, 6n);
    // Refused before it reached the mempool, it does not block the next one.
    await assert.rejects(
      sender.send([sendMessage("1")], { gas: 200_000n, gasPrice: 1n }),
      failsAs("refused", /sdk 13.*minimum global fee.*higher gas price/),
    );
    assert.equal((await sender.send([sendMessage("4")])).code, 0);
    assert.equal(account.sequence, 7n);
  });

  it("does not send twice when an answer is lost", async () => {
    network.nodeRpc.loseAnswers = 1;
    const sender = await network.clients.nodeRpc.sender({
      privateKey,
      gasPrice,
      pollMs: 5,
    });
    const before = BigInt(
      network.chain.state.balances.get(ACCOUNTS.acc7)?.[0]?.amount ?? 0,
    );
    const { code } = await sender.send([sendMessage("1000")]);
    assert.equal(code, 0);
    assert.equal(network.nodeRpc.transactions.size, 1);
    assert.equal(
      BigInt(network.chain.state.balances.get(ACCOUNTS.acc7)?.[0]?.amount ?? 0),
      before - 1000n,
    );
  });

  it("reports failures in the block, and missing accounts", async () => {
    const { nodeRpc } = network.clients;
    const sender = await nodeRpc.sender({ privateKey, gasPrice, pollMs: 5 });
    await assert.rejects(
      sender.send([sendMessage("1000000000000000000000000000")]),
      failsAs("refused", /failed in block.*sdk 5.*insufficient funds/),
    );
    await assert.rejects(
      sender.send([sendMessage("1")], { gas: 1_000n }),
      failsAs("refused", /sdk 11.*out of gas/),
    );
    const stranger = await nodeRpc.sender({
      privateKey: `0x${"11".repeat(32)}`,
      gasPrice,
    });
    await assert.rejects(
      stranger.send([sendMessage("1")]),
      failsAs("not-found", /does not exist on the chain yet.*native tokens/),
    );
  });

  it("knows the messages that the library leaves out", async () => {
    const { frameworkRegistry } = await import(
      "../../src/framework/node-rpc/registry.js"
    );
    const registry = await frameworkRegistry();
    for (const typeUrl of [
      "/cosmos.gov.v1.MsgCancelProposal",
      "/cosmos.distribution.v1beta1.MsgDepositValidatorRewardsPool",
      "/cosmos.gov.v1.MsgVote",
      "/cosmos.staking.v1beta1.MsgCancelUnbondingDelegation",
    ]) {
      assert.ok(registry.lookupType(typeUrl) !== undefined, typeUrl);
    }
  });

  for (const [name, listener, says] of HOSTILE) {
    it(`survives a server that ${name}`, async () => {
      await using server = await hostileServer(listener);
      const clients = createFrameworkClients({
        network: "test",
        kind: "local",
        endpoints: { nodeRpcUrl: server.url },
        facts: FACTS,
        provider: network.evm,
        timeoutMs: 300,
        retry: { retries: 0 },
        maxBytes: 1_000_000,
      });
      await assert.rejects(clients.nodeRpc.status(), (error: unknown) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, says);

        assert.doesNotMatch(error.message, /[\u0000-\u001f]/);
        return true;
      });
    });
  }
});
