import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { promisify } from "node:util";

import { TYPESCRIPT } from "../helpers/typescript.js";
import {
  createFrameworkClients,
  FrameworkError,
  type FrameworkClients,
  WAYS,
} from "../../src/framework/index.js";
import { ACCOUNTS } from "../servers/recorded-state.js";
import { FACTS, startNetwork } from "./network.js";

const everything = (clients: FrameworkClients) => ({
  "REST, any path": () => clients.rest.get("/cosmos/x"),
  "REST, typed": () => clients.rest.staking.params(),
  status: () => clients.nodeRpc.status(),
  "the node RPC, by a call's name": () => clients.nodeRpc.request("health"),
  gRPC: async () => await (await clients.grpc.staking()).Params(),
  heads: () => clients.events.heads(),
  logs: () => clients.events.logs(),
  "the next head": () => clients.events.nextHead(),
  ...Object.fromEntries(
    WAYS.map((via) => [
      `a question by ${via}`,
      () => clients.query.staking.params({}, { via }),
    ]),
  ),
});

describe("clients that are closed", () => {
  for (const used of [true, false]) {
    it(`refuse, and open nothing${used ? ", even after use" : ""}`, async () => {
      await using network = await startNetwork();
      const { clients } = network;
      // Clients that are still held refuse, too.
      const held = used ? everything(clients) : undefined;
      const { rest, nodeRpc } = clients;
      const grpc = clients.grpc.rpc();
      if (used) {
        await rest.syncing();
        await nodeRpc.status();
        await (await clients.grpc.staking()).Params();
        await (await clients.events.heads()).close();
      }
      const { connections } = network.ws;
      await clients.close();
      await clients.close();
      const requests = network.rest.requests.length;
      network.nodeRpc.methods.length = 0;
      for (const [name, ask] of Object.entries({
        ...everything(clients),
        ...held,
        "a REST client that is held": () => rest.syncing(),
        "a node RPC client that is held": () => nodeRpc.status(),
        "a gRPC client that is held": () =>
          grpc.request(
            "cosmos.staking.v1beta1.Query",
            "Params",
            new Uint8Array(),
          ),
      })) {
        await assert.rejects(async () => await ask(), /closed/, name);
      }
      assert.equal(network.ws.connections, connections);
      assert.equal(network.rest.requests.length, requests);
      assert.deepEqual(network.nodeRpc.methods, []);
    });
  }

  it("end what is under way", async () => {
    await using network = await startNetwork({ retry: { backoffMs: 500 } });
    const { clients } = network;
    const sender = await clients.nodeRpc.sender({
      privateKey: `0x${"11".repeat(32)}`,
      gasPrice: () => Promise.resolve(1n),
    });
    const waiting = {
      "a wait for a block": clients.events.nextHead(),
      "a wait for a transaction": clients.nodeRpc.waitFor("ab".repeat(32)),
      "a read that is tried again": (async () => {
        network.nodeRpc.answerWith("health", { status: 503 }, 1_000);
        return await clients.nodeRpc.request("health");
      })(),
    };
    const ends = Promise.all(
      Object.entries(waiting).map(async ([name, promise]) => {
        await assert.rejects(promise, /closed/, name);
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await clients.close();
    await ends;
    await assert.rejects(sender.send([]), /closed/);
  });

  it("keep no process alive", async () => {
    await using network = await startNetwork();
    const endpoints = {
      restUrl: network.rest.url,
      nodeRpcUrl: network.nodeRpc.url,
      wsUrl: network.ws.url,
      grpcHost: network.grpc.host,
    };
    const program = `
      import { createFrameworkClients } from ${JSON.stringify(new URL("../../src/framework/index.ts", import.meta.url).href)};
      const clients = createFrameworkClients({
        network: "test", kind: "local",
        endpoints: ${JSON.stringify(endpoints)},
        facts: ${JSON.stringify(FACTS)},
        provider: { request: async () => "0x1" },
      });
      await Promise.all([clients.rest.syncing(), clients.nodeRpc.status()]);
      await (await clients.grpc.staking()).Params();
      const head = clients.events.nextHead().catch((error) => error.message);
      const heads = await clients.events.heads();
      await clients.close();
      console.log(await head);
      const closed = performance.now();
      process.on("exit", () => console.log("ALIVE", Math.round(performance.now() - closed)));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...TYPESCRIPT,
      "--input-type=module",
      "-e",
      program,
    ]);
    assert.match(stdout, /closed/);
    // Lingering for the next use, or for a peer's answer, would take a second
    // or two.
    assert.ok(Number(/ALIVE (\d+)/.exec(stdout)?.[1]) < 700, stdout);
  });
});

describe("questions that cannot be asked", () => {
  const refused = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => assert.fail("it passes"),
      (e: unknown) => e,
    );
    assert.ok(error instanceof FrameworkError, String(error));
    return error;
  };

  it("height 0, in every way", async () => {
    await using network = await startNetwork();
    const { clients } = network;
    for (const height of [0n, -1n, 5 as unknown as bigint]) {
      const grpc = await clients.grpc.staking({ height });
      const attempts = [
        clients.rest.get("/cosmos/staking/v1beta1/params", { height }),
        clients.nodeRpc.block(height),
        clients.nodeRpc.blockResults(height),
        clients.nodeRpc.stored("bank", new Uint8Array([2]), { height }),
        grpc.Params(),
        ...WAYS.map((via) => clients.query.staking.params({}, { via, height })),
      ];
      for (const error of await Promise.all(attempts.map(refused))) {
        assert.equal(error.fault, "invalid-request");
        assert.match(error.message, /is not a block height.*1n/);
      }
    }
    assert.equal(network.rest.requests.length, 0);
  });

  it("a height in the future is the same error in every way", async () => {
    await using network = await startNetwork();
    const height = 99_999_999n;
    const { query, nodeRpc } = network.clients;
    const balance = { address: ACCOUNTS.acc4 };
    const attempts = [
      ...WAYS.map((via) =>
        query.distribution.communityPool({}, { via, height }),
      ),
      ...WAYS.map((via) => query.bank.balance(balance, { via, height })),
      nodeRpc.block(height),
      nodeRpc.blockResults(height),
    ];
    for (const error of await Promise.all(attempts.map(refused))) {
      assert.equal(error.fault, "height-in-future");
      assert.equal(
        error.reason,
        "the chain has not reached height 99999999 yet",
      );
    }
  });

  it("in a way that does not exist, or has no address: the error names the setting", async () => {
    await using network = await startNetwork();
    assert.match(
      (
        await refused(
          network.clients.query.staking.params({}, { via: "smoke" as "rest" }),
        )
      ).message,
      /"smoke" is not a way.*rest, grpc, abci, precompile/,
    );
    const without = createFrameworkClients({
      network: "testnet",
      kind: "testnet",
      endpoints: {},
      facts: FACTS,
      provider: network.evm,
    });
    assert.match(
      (await refused(without.query.staking.params({}, { via: "grpc" })))
        .message,
      /by grpc.*dualstack\.testnet\.baseUrl, or grpcHost alone \(or DUALSTACK_TESTNET_GRPC_HOST\)/,
    );
  });

  it("names that the chain does not know: the error names the setting", async () => {
    await using network = await startNetwork({
      facts: { ...FACTS, frameworkPrefix: "frame" },
    });
    const { clients } = network;
    const attempts = [
      clients.rest.get("/frame/staking/v1beta1/params"),
      (async () => await (await clients.grpc.staking()).Params())(),
      clients.nodeRpc
        .rpc()
        .request("cosmos.bank.v1beta1.Query", "Params", new Uint8Array()),
    ];
    for (const error of await Promise.all(attempts.map(refused))) {
      assert.equal(error.fault, "unknown-path");
      assert.match(error.message, /dualstack\.frameworkPrefix \("frame"\)/);
    }
    await using right = await startNetwork();
    const sender = await right.clients.nodeRpc.sender({
      privateKey: `0x${"11".repeat(32)}`,
      gasPrice: () => Promise.resolve(1n),
    });
    const error = await refused(
      sender.send([{ typeUrl: "/cosmos.nope.v1.MsgNope", value: {} }]),
    );
    assert.match(error.message, /dualstack\.frameworkPrefix/);
  });
});
