import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { mapInOrder, Queue, sleep } from "../../src/support/async.js";
import {
  HttpError,
  httpExchange,
  retryAfterMs,
  shownUrl,
} from "../../src/support/http.js";
import { FaultyServer } from "../servers/faulty.js";

const BODY = JSON.stringify({ id: 1, method: "eth_blockNumber", params: [] });

describe("an HTTP exchange", () => {
  const faults = [
    ["hang", "timeout"],
    ["huge", "too-large"],
    ["redirect", "redirect"],
    ["drop", "dropped"],
    ["drop-in-body", "dropped"],
  ] as const;
  for (const [fault, expected] of faults) {
    it(`ends, and names the fault: ${fault}`, async () => {
      const server = await FaultyServer.start();
      try {
        server.fail(fault);
        await assert.rejects(
          httpExchange({
            url: server.url,
            method: "POST",
            body: BODY,
            timeoutMs: 1_000,
            maxBytes: 100_000,
            name: "the node",
            network: "testnet",
          }),
          (error) =>
            error instanceof HttpError &&
            error.fault === expected &&
            error.place.network === "testnet" &&
            error.place.endpoint === server.url,
        );
      } finally {
        await server.close();
      }
    });
  }

  it("ends with the caller's reason when the caller ends it", async () => {
    const server = await FaultyServer.start();
    try {
      server.fail("hang");
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("enough")), 20);
      await assert.rejects(
        httpExchange({
          url: server.url,
          method: "POST",
          body: BODY,
          signal: controller.signal,
        }),
        /^Error: enough$/,
      );
    } finally {
      await server.close();
    }
  });

  it("shows no secrets of a URL", async () => {
    assert.equal(
      shownUrl("https://user:secret@node.example/evm?key=secret#secret"),
      "https://node.example/evm",
    );
    assert.equal(shownUrl("secret"), "(not a URL)");
    await assert.rejects(
      httpExchange({ url: "not a url, secret", name: "the faucet" }),
      (error) =>
        /the address of the faucet is not a URL/.test(String(error)) &&
        !String(error).includes("secret"),
    );
    await assert.rejects(
      httpExchange({
        url: "http://user:secret@127.0.0.1:9/",
        timeoutMs: 2_000,
      }),
      (error) => !String(error).includes("secret"),
    );
  });

  it("knows both forms of Retry-After", () => {
    const wait = (value: string) =>
      retryAfterMs(
        new Headers({ "retry-after": value }),
        Date.UTC(2030, 0, 1, 0, 0, 0),
      );
    assert.equal(wait("120"), 120_000);
    assert.equal(wait("Tue, 01 Jan 2030 00:00:30 GMT"), 30_000);
    assert.equal(wait("Tue, 01 Jan 2019 00:00:30 GMT"), 0);
    assert.equal(wait("soon"), undefined);
    assert.equal(retryAfterMs(new Headers()), undefined);
  });
});

describe("tasks in order", () => {
  it("are under way together, up to the limit, and come as they were given", async () => {
    let running = 0;
    let most = 0;
    const results: number[] = [];
    for await (const result of mapInOrder(
      [30, 1, 20, 2, 10, 3],
      3,
      async (ms) => {
        most = Math.max(most, ++running);
        await sleep(ms);
        running--;
        return ms;
      },
    )) {
      results.push(result);
    }
    assert.deepEqual(results, [30, 1, 20, 2, 10, 3]);
    assert.equal(most, 3);
  });

  it("fail in their order", async () => {
    const results: number[] = [];
    await assert.rejects(async () => {
      for await (const result of mapInOrder([1, 2, 3, 4], 4, async (item) => {
        if (item === 3) {
          throw new Error("three");
        }
        await sleep(5);
        return item;
      })) {
        results.push(result);
      }
    }, /three/);
    assert.deepEqual(results, [1, 2]);
  });

  it("of a queue run one after another, even after one that failed", async () => {
    const queue = new Queue();
    const seen: string[] = [];
    const run = async (name: string, ms: number) =>
      await queue.run(async () => {
        seen.push(`${name} begins`);
        await sleep(ms);
        seen.push(`${name} ends`);
        if (name === "b") {
          throw new Error("b");
        }
      });
    const settled = await Promise.allSettled([
      run("a", 10),
      run("b", 1),
      run("c", 1),
    ]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(
      seen,
      ["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it("that sleep wake up when they are aborted", async () => {
    await assert.rejects(sleep(60_000, AbortSignal.timeout(10)), {
      name: "TimeoutError",
    });
    await assert.rejects(
      sleep(60_000, AbortSignal.abort(new Error("before"))),
      /before/,
    );
  });
});
