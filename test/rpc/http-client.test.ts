import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import {
  batchBySingleRequests,
  HttpClient,
  type HttpClientOptions,
} from "../../src/rpc/http-client.js";
import { isRead } from "../../src/rpc/methods.js";
import { RpcError } from "../../src/rpc/provider.js";
import { DualstackError } from "../../src/support/errors.js";
import { HttpError } from "../../src/support/http.js";
import {
  type Batches,
  type Fault,
  type FaultyOptions,
  FaultyServer,
} from "../servers/faulty.js";

const BLOCK = { method: "eth_blockNumber" } as const;
const SEND = { method: "eth_sendRawTransaction", params: ["0x02"] } as const;

async function withServer(
  options: FaultyOptions,
  test: (
    server: FaultyServer,
    client: (options?: Partial<HttpClientOptions>) => HttpClient,
  ) => Promise<void>,
): Promise<void> {
  const server = await FaultyServer.start(options);
  try {
    await test(
      server,
      (given) =>
        new HttpClient({
          url: server.url,
          network: "testnet",
          backoffMs: 2,
          timeoutMs: 2_000,
          ...given,
        }),
    );
  } finally {
    await server.close();
  }
}

const balanceOf = (index: number) => ({
  method: "eth_getBalance",
  params: [`0x${index.toString(16).padStart(40, "0")}`, "latest"],
});

describe("HttpClient against a server that misbehaves", () => {
  const passing: Fault[] = [
    "rate-limit",
    "server-error",
    "truncated",
    "index-race",
    "busy-code",
    "drop",
    "drop-in-body",
  ];
  for (const fault of passing) {
    it(`asks a read again after ${fault}`, async () => {
      await withServer({}, async (server, client) => {
        server.fail(fault, fault);
        assert.equal(await client().request(BLOCK), "0x10");
        assert.equal(server.count, 3);
      });
    });

    it(`gives a read up if ${fault} persists`, async () => {
      await withServer({}, async (server, client) => {
        server.failAlways(fault);
        await assert.rejects(client({ retries: 2 }).request(BLOCK), (error) => {
          assert.ok(error instanceof DualstackError, String(error));
          assert.equal(error.place.network, "testnet");
          assert.match(error.message, /http:\/\/127\.0\.0\.1:\d+\/evm/);
          return true;
        });
        assert.equal(server.count, 3);
      });
    });

    it(`sends a transaction once when ${fault} happens`, async () => {
      await withServer({}, async (server, client) => {
        server.failAlways(fault);
        await assert.rejects(client().request(SEND), DualstackError);
        await assert.rejects(client().batch([SEND, BLOCK]), DualstackError);
        assert.equal(server.count, 2);
      });
    });
  }

  it("waits as long as Retry-After says", async () => {
    await withServer({}, async (server, client) => {
      server.fail("rate-limit-wait");
      const start = performance.now();
      assert.equal(await client().request(BLOCK), "0x10");
      assert.ok(performance.now() - start >= 990);
    });
  });

  it("does not wait longer than it should, and says how long it would be", async () => {
    await withServer({}, async (server, client) => {
      server.fail("rate-limit-long");
      await assert.rejects(
        client().request(BLOCK),
        /HTTP 429.*asks you to wait 3600 s/,
      );
      assert.equal(server.count, 1);
    });
  });

  const lasting: [Fault, RegExp][] = [
    ["html", /a web page, not JSON/],
    ["huge", /more than 1024 KiB/],
    [
      "redirect",
      /redirects to http:\/\/elsewhere\.dualstack\.example\/evm, which is not followed/,
    ],
    ["other-id", /answered a request that it was not sent/],
  ];
  for (const [fault, message] of lasting) {
    it(`says at once what ${fault} is`, async () => {
      await withServer({}, async (server, client) => {
        server.fail(fault);
        await assert.rejects(
          client({ maxBytes: 1024 * 1024 }).request(BLOCK),
          (error) => {
            assert.ok(error instanceof DualstackError);
            assert.match(error.message, message);
            assert.doesNotMatch(error.message, /secret/);
            return true;
          },
        );
        assert.equal(server.count, 1);
      });
    });
  }

  it("ends a wait for a server that hangs", async () => {
    await withServer({}, async (server, client) => {
      server.failAlways("hang");
      await assert.rejects(
        client({ timeoutMs: 60, retries: 1 }).request(BLOCK),
        (error) => error instanceof HttpError && error.fault === "timeout",
      );
      assert.equal(server.count, 2);
    });
  });

  it("does not try again when it has waited long enough", async () => {
    await withServer({}, async (server, client) => {
      server.failAlways("hang");
      await assert.rejects(
        client({ timeoutMs: 100, retries: 9, retryForMs: 150 }).request(BLOCK),
        (error) => error instanceof HttpError && error.fault === "timeout",
      );
      assert.equal(server.count, 2);
    });
  });

  it("waits only once for a server that went away, but every time for a busy one", async () => {
    await withServer({}, async (server, client) => {
      const patient = client({ retryForMs: 60_000, awaitMs: 50, backoffMs: 2 });
      await patient.request(BLOCK);
      const asked = async () => {
        const before = server.count;
        await assert.rejects(patient.request(BLOCK), HttpError);
        return server.count - before;
      };
      server.failAlways("drop");
      assert.ok((await asked()) > 1);
      assert.equal(await asked(), 1);
      // The server is back.
      server.fail();
      await patient.request(BLOCK);
      server.failAlways("drop");
      assert.ok((await asked()) > 1);
      server.fail();
      server.fail(...Array.from({ length: 8 }, () => "rate-limit" as const));
      await patient.request(BLOCK);
    });
  });

  it("says that nothing listens", async () => {
    const server = await FaultyServer.start();
    const { url } = server;
    await server.close();
    await assert.rejects(
      new HttpClient({ url, retries: 1, backoffMs: 2 }).request(BLOCK),
      (error) => error instanceof HttpError && error.fault === "unreachable",
    );
  });

  it("makes a node's text safe to print", async () => {
    await withServer({}, async (server, client) => {
      server.fail("control-characters");
      await assert.rejects(client().request(BLOCK), (error) => {
        assert.ok(error instanceof RpcError);
        assert.equal(error.serverMessage, "red line gnp.exe");

        assert.doesNotMatch(error.message, /[\u0000-\u001f\u202e]/);
        return true;
      });
    });
  });

  it("stops when it is told to", async () => {
    await withServer({}, async (server, client) => {
      server.failAlways("rate-limit");
      const signal = AbortSignal.timeout(30);
      await assert.rejects(
        client({
          backoffMs: 60_000,
          maxWaitMs: 120_000,
          retryForMs: 120_000,
          signal,
        }).request(BLOCK),
        { name: "TimeoutError" },
      );
    });
  });

  it("takes a node's error as it is", async () => {
    await withServer({}, async (server, client) => {
      await assert.rejects(
        client().request({ method: "eth_coinbase" }),
        (error) => error instanceof RpcError && error.code === -32601,
      );
      assert.equal(server.count, 1);
    });
  });

  it("puts credentials of the URL into a header and never into a text", async () => {
    await withServer({}, async (server, client) => {
      const url = server.url.replace("//", "//user:s3cret@");
      assert.equal(await client({ url }).request(BLOCK), "0x10");
      assert.equal(
        server.headers[0]?.authorization,
        `Basic ${Buffer.from("user:s3cret").toString("base64")}`,
      );
      server.fail("html");
      await assert.rejects(
        client({ url }).request(BLOCK),
        (error) => !String(error).includes("s3cret"),
      );
    });
  });
});

describe("HttpClient with batches", () => {
  const requests = Array.from({ length: 250 }, (_, index) =>
    balanceOf(index + 1),
  );
  const check = (outcomes: readonly unknown[]) =>
    assert.deepEqual(
      outcomes,
      requests.map((_, index) => ({
        ok: true,
        result: `0x${(index + 1).toString(16)}`,
      })),
    );

  it("puts 100 calls into one request", async () => {
    await withServer({}, async (server, client) => {
      check(await client().batch(requests));
      assert.deepEqual(
        server.bodies.map((body) => (Array.isArray(body) ? body.length : 1)),
        [100, 100, 50],
      );
    });
  });

  const treatments: [Batches, number][] = [
    ["single-error", 1],
    ["refused", 1],
    ["gaps", 0],
    ["capped", 0],
    ["node-rpc", 0],
  ];
  for (const [batches, most] of treatments) {
    it(`gets every answer from a server whose batches are ${batches}`, async () => {
      await withServer({ batches, batchLimit: 30 }, async (server, client) => {
        const one = client();
        check(await one.batch(requests));
        if (most > 0) {
          // It learns this once, and never tries a batch again.
          await one.batch(requests.slice(0, 5));
          assert.equal(server.bodies.filter(Array.isArray).length, most);
        }
      });
    });
  }

  it("sends as many calls at once as a node RPC says that it takes", async () => {
    const options = { batches: "node-rpc", batchLimit: 10 } as const;
    await withServer(options, async (server, client) => {
      const one = client();
      check(await one.batch(requests));
      assert.deepEqual(
        server.bodies.map((body) => (Array.isArray(body) ? body.length : 1)),
        [100, ...Array.from({ length: 25 }, () => 10)],
      );
    });
  });

  it("keeps the error of one call to that call", async () => {
    await withServer({}, async (_server, client) => {
      const [first, second, third] = await client().batch([
        balanceOf(1),
        { method: "eth_coinbase" },
        balanceOf(3),
      ]);
      assert.deepEqual(first, { ok: true, result: "0x1" });
      assert.deepEqual(third, { ok: true, result: "0x3" });
      assert.ok(second?.ok === false && second.error.code === -32601);
    });
  });

  it("asks a whole batch again when it was refused for now", async () => {
    await withServer({}, async (server, client) => {
      server.fail("rate-limit", "drop", "index-race");
      check(await client({ batchSize: 250 }).batch(requests));
      assert.equal(server.count, 4);
    });
  });
});

describe("HttpClient against Hardhat's own server", () => {
  let close: () => Promise<void>;
  let url: string;

  before(async () => {
    const hre = await createHardhatRuntimeEnvironment({});
    const server = await hre.network.createServer("default", "127.0.0.1", 0);
    const { port } = await server.listen();
    url = `http://127.0.0.1:${port}/evm`;
    close = async () => await server.close();
  });
  after(async () => await close());

  let client: HttpClient;
  beforeEach(() => {
    client = new HttpClient({ url });
  });

  it("reads, and reads many at once", async () => {
    assert.equal(await client.request({ method: "eth_chainId" }), "0x7a69");
    const accounts = await client.request({ method: "eth_accounts" });
    assert.ok(Array.isArray(accounts));
    const outcomes = await client.batch(
      accounts.map((account: string) => ({
        method: "eth_getBalance",
        params: [account, "latest"],
      })),
    );
    assert.equal(outcomes.length, 20);
    for (const outcome of outcomes) {
      assert.deepEqual(outcome, {
        ok: true,
        result: `0x${(10_000n * 10n ** 18n).toString(16)}`,
      });
    }
  });

  it("gives the same through a provider of single requests", async () => {
    const hre = await createHardhatRuntimeEnvironment({});
    const { provider } = await hre.network.create();
    const [good, bad] = await batchBySingleRequests(provider).batch([
      { method: "eth_chainId" },
      { method: "eth_nonsense" },
    ]);
    assert.deepEqual(good, { ok: true, result: "0x7a69" });
    assert.equal(bad?.ok, false);
  });
});

describe("isRead", () => {
  it("knows what may be asked twice", () => {
    for (const method of [
      "eth_call",
      "eth_chainId",
      "eth_getBalance",
      "eth_getTransactionReceipt",
      "eth_estimateGas",
      "eth_fillTransaction",
      "net_version",
      "web3_clientVersion",
    ]) {
      assert.ok(isRead(method), method);
    }
    for (const method of [
      "eth_sendRawTransaction",
      "eth_sendTransaction",
      "eth_sign",
      "eth_signTypedData_v4",
      "eth_newFilter",
      "eth_getFilterChanges",
      "hardhat_setBalance",
      "evm_mine",
      "personal_unlockAccount",
    ]) {
      assert.ok(!isRead(method), method);
    }
  });
});
