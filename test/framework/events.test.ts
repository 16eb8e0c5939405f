import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { Interface, zeroPadValue } from "ethers";

import type {
  FrameworkClients,
  FrameworkOptions,
  Head,
  Log,
} from "../../src/framework/index.js";
import { PRECOMPILES } from "../../src/precompiles/index.js";
import { startMiningNode } from "../local-node/mining.js";
import { recordedChain, recordings } from "../servers/recorded-state.js";
import { Chain, type ChainLog, type NewLog } from "../servers/state.js";
import { startNetwork, type TestNetwork } from "./network.js";

const CONTRACT = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const TOPIC = `0x${"ab".repeat(32)}`;

const FAST: FrameworkOptions["events"] = {
  reconnect: { firstMs: 5, longestMs: 50, attempts: 1_000 },
};

/** A log whose data is its serial number. */
const numbered = (n: number): NewLog => ({
  address: CONTRACT.toLowerCase(),
  topics: [TOPIC],
  data: `0x${n.toString(16).padStart(64, "0")}`,
});
const serial = (log: { readonly data: string }) => Number(BigInt(log.data));

/** Takes `count` events, or fewer if none comes for a while. */
async function take<T>(events: AsyncIterable<T>, count: number): Promise<T[]> {
  const found: T[] = [];
  for await (const event of events) {
    found.push(event);
    if (found.length === count) {
      break;
    }
  }
  return found;
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 2_000; i++) {
    if (condition()) {
      return;
    }
    await delay(5);
  }
  assert.fail(`waited in vain for ${what}`);
}

/** A chain on which tests produce events. */
interface Eventful extends AsyncDisposable {
  readonly clients: FrameworkClients;
  /** Mines a block with a log of each number. */
  mine(...numbers: readonly number[]): Promise<Pick<Head, "number" | "hash">>;
}

async function recorded(): Promise<Eventful> {
  const network = await startNetwork();
  return {
    clients: network.clients,
    mine: async (...numbers) =>
      await Promise.resolve(network.chain.mine(numbers.map(numbered))),
    [Symbol.asyncDispose]: async () => await network[Symbol.asyncDispose](),
  };
}

/** Code that logs its calldata under the topic. */
const LOGGER = `0x3660006000377f${TOPIC.slice(2)}366000a100`;

/** Starts a local node. */
async function local(): Promise<Eventful> {
  const node = await startMiningNode({ [CONTRACT]: LOGGER });
  return {
    clients: node.clients,
    mine: async (...numbers) => {
      for (const { data } of numbers.map(numbered)) {
        await node.send({ to: CONTRACT, data });
      }
      return await node.mine();
    },
    [Symbol.asyncDispose]: async () => await node[Symbol.asyncDispose](),
  };
}

for (const [where, start] of [
  ["from what was recorded", recorded],
  ["from a local node", local],
] as const) {
  describe(`events ${where}`, () => {
    let chain: Eventful;
    before(async () => {
      chain = await start();
    });
    after(async () => await chain[Symbol.asyncDispose]());

    it("come as heads and logs, in order", async () => {
      const heads = await chain.clients.events.heads();
      const logs = await chain.clients.events.logs({ address: CONTRACT });
      await delay(20);
      const mined = [await chain.mine(1, 2), await chain.mine(3)];
      assert.deepEqual(
        (await take(heads, 2)).map(({ number, hash }) => ({ number, hash })),
        mined.map(({ number, hash }) => ({ number, hash })),
      );
      assert.deepEqual((await take(logs, 3)).map(serial), [1, 2, 3]);
    });

    it("call back, one after another", async () => {
      const seen: number[] = [];
      let ended = 0;
      const logs = (await chain.clients.events.logs()).listen(
        async (log) => {
          await delay(1);
          seen.push(serial(log));
        },
        () => {
          ended++;
        },
      );
      await chain.mine(1, 2, 3, 4);
      await until(() => seen.length === 4, "four logs");
      assert.deepEqual(seen, [1, 2, 3, 4]);
      await logs.close();
      await until(() => ended === 1, "the end");
    });
  });
}

describe("events", () => {
  it("gives heads, logs and pending transactions, and unsubscribes on return", async () => {
    await using network = await startNetwork();
    const { chain, clients, ws } = network;
    const heads = await clients.events.heads();
    const logs = await clients.events.logs({ address: CONTRACT });
    const pending = await clients.events.pendingTransactions();
    await delay(20);
    chain.announce(TOPIC);
    const first = chain.mine([
      numbered(1),
      { ...numbered(2), address: `0x${"11".repeat(20)}` },
    ]);
    const second = chain.mine([numbered(3)]);

    const [one, two] = await take(heads, 2);
    assert.deepEqual([one?.number, two?.number], [first.number, second.number]);
    assert.equal(one?.hash, first.hash);
    assert.equal(one?.baseFeePerGas, 1_000_000_000n);
    assert.deepEqual((await take(logs, 2)).map(serial), [1, 3]);
    assert.deepEqual(await take(pending, 1), [TOPIC]);

    // Leaving the loops has ended all subscriptions; heads linger for a while.
    await until(
      () => ws.subscriptions.every((kind) => kind === "newHeads"),
      "eth_unsubscribe",
    );
    assert.deepEqual(await heads.next(), { done: true, value: undefined });
    assert.ok(ws.requests.every(({ id }) => typeof id === "number"));
  });

  it("ends with a callback's error", async () => {
    await using network = await startNetwork();
    let calls = 0;
    const failed = new Promise<unknown>((resolve) => {
      void network.clients.events
        .logs()
        .then((logs) =>
          logs.listen(() => {
            calls++;
            throw new Error("mine");
          }, resolve),
        )
        .then(() => network.chain.mine([numbered(1), numbered(2)]));
    });
    assert.match(String(await failed), /mine/);
    assert.equal(calls, 1);
  });

  it("decodes the logs of a precompile, typed by its ABI", async () => {
    await using network = await startNetwork();
    const { chain, clients } = network;
    const staking = new Interface(JSON.stringify(PRECOMPILES.staking.abi));
    const delegator = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955";
    const validator = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";
    const { topics, data } = staking.encodeEventLog("Delegate", [
      delegator,
      validator,
      5n,
      7n,
    ]);
    const log = { address: PRECOMPILES.staking.address, topics, data };
    const other = staking.encodeEventLog("Unbond", [
      delegator,
      validator,
      1n,
      2n,
    ]);

    const all = await clients.events.precompileLogs("staking");
    const some = await clients.events.precompileLogs("staking", {
      eventName: "Delegate",
      args: { delegatorAddress: delegator },
    });
    chain.mine([
      { address: PRECOMPILES.staking.address, ...other },
      log,
      { ...log, topics: [TOPIC] },
      {
        ...log,
        topics: [topics[0] ?? "", zeroPadValue(validator, 32), topics[2] ?? ""],
      },
    ]);
    const four = await take(all, 4);
    assert.deepEqual(
      four.map(({ eventName }) => eventName),
      ["Unbond", "Delegate", undefined, "Delegate"],
    );
    const [only] = await take(some, 1);
    assert.ok(only?.eventName === "Delegate");
    // This line compiles only with the types of the ABI.
    const amount: bigint = only.args.amount;
    assert.equal(amount, 5n);
    assert.deepEqual(only.args, {
      delegatorAddress: delegator,
      validatorAddress: validator,
      amount: 5n,
      newShares: 7n,
    });
    assert.equal(only.transactionIndex, 1);
  });

  it("reads a log as it was recorded", async () => {
    const chain = new Chain(recordedChain().state, { height: 1_464n });
    await using network = await startNetwork({ chain });
    const { clients } = network;
    const recorded = recordings<{ name: string; frames: { msg?: any }[] }>("ws")
      .get("three_subscriptions_with_transactions")
      ?.frames.map(({ msg }) => msg?.params?.result)
      .filter((result): result is ChainLog => result?.logIndex !== undefined);
    assert.ok(recorded !== undefined && recorded.length > 0);
    const logs = await clients.events.logs();
    for (const log of recorded) {
      network.ws.sendEvent("logs", log);
    }
    const found = await take(logs, recorded.length);
    assert.deepEqual(
      found.map((log) => log.transactionHash),
      recorded.map((log) => log.transactionHash),
    );
    assert.equal(found[0]?.blockNumber, BigInt(recorded[0]?.blockNumber ?? 0));
  });

  it(
    "loses no log and gives none twice over 20 lost connections, 10,000 events",
    { timeout: 120_000 },
    async () => {
      await using network = await startNetwork({ events: FAST });
      const { chain, clients, ws, evm } = network;
      const total = 10_000;
      const logs = await clients.events.logs({ address: CONTRACT });
      ws.trouble = { duplicate: 0.05, reorder: 0.05, delayMs: 3, lose: 0 };
      evm.indexMs = 15;
      const produce = (async () => {
        let n = 0;
        let drops = 0;
        while (n < total) {
          const size = Math.min(total - n, Math.floor(Math.random() * 40));
          chain.mine(Array.from({ length: size }, () => numbered(n++)));
          if (drops < 20 && n >= ((drops + 1) * total) / 21) {
            drops++;
            // Breaks in the middle of a block's logs, and sometimes for a
            // while.
            if (drops % 3 === 0) {
              ws.down = true;
              setTimeout(() => {
                ws.down = false;
              }, 60);
            }
            if (drops % 4 === 0) {
              evm.failures = 3;
            }
            ws.dropAll();
          }
          await delay(2);
        }
        return drops;
      })();
      const counts = new Map<number, number>();
      const found = await take(logs, total);
      for (const log of found) {
        counts.set(serial(log), (counts.get(serial(log)) ?? 0) + 1);
      }
      assert.equal(await produce, 20);
      assert.equal(counts.size, total, "none lost");
      assert.ok(
        [...counts.values()].every((count) => count === 1),
        "none twice",
      );
      assert.ok(ws.connections > 10);
      assert.equal(clients.events.connected, true);
    },
  );

  it("fetches the logs of blocks whose heads arrived before the connection was lost", async () => {
    await using network = await startNetwork({ events: FAST });
    const { chain, clients, ws } = network;
    const logs = await clients.events.logs();
    const heads = await clients.events.heads();
    chain.mine([numbered(0)]);
    assert.equal((await take(heads, 1)).length, 1);
    // As if the logs were still on the way.
    ws.withholdLogs = true;
    for (let n = 1; n <= 4; n++) {
      chain.mine([numbered(n)]);
    }
    await until(
      () => clients.events.connected && logs.waiting === 1,
      "the heads",
    );
    await clients.events.nextHead({ after: chain.height - 1n });
    ws.endAll();
    ws.withholdLogs = false;
    assert.deepEqual((await take(logs, 5)).map(serial), [0, 1, 2, 3, 4]);
  });

  /** Mines blocks up to a height, each with a log of its number. */
  const mineTo = (chain: Chain, height: bigint) => {
    while (chain.height < height) {
      chain.mine([numbered(Number(chain.height + 1n))]);
    }
  };
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i);

  for (const [what, { before, onceMore, later, end }] of Object.entries({
    "that has few blocks": { before: 40, onceMore: 2, later: 100n, end: 5 },
    "whose time was ahead": { before: 40, onceMore: 2, later: -100n, end: 35 },
    "that has more blocks by now": {
      before: 40,
      onceMore: 50,
      later: 100n,
      end: 52,
    },
    "that was long": { before: 500, onceMore: 2, later: 100n, end: 5 },
  })) {
    it(`goes on from the first block of a chain that is started again, ${what}`, async () => {
      await using network = await startNetwork({
        events: FAST,
        chain: new Chain(recordedChain().state),
      });
      const { chain, clients, ws } = network;
      mineTo(chain, BigInt(before - 10));
      const logs = await clients.events.logs();
      const heads = await clients.events.heads();
      mineTo(chain, BigInt(before));
      await until(() => heads.waiting === 10 && logs.waiting === 10, "all");
      ws.down = true;
      ws.dropAll();
      await until(() => !clients.events.connected, "the loss");
      chain.setBack(0n, later);
      mineTo(chain, BigInt(onceMore));
      ws.down = false;
      await until(() => clients.events.connected, "the connection");
      await delay(100);
      for (let height = onceMore + 1; height <= end; height++) {
        mineTo(chain, BigInt(height));
        await delay(2);
      }
      const all = [...range(before - 9, before), ...range(1, end)];
      await until(() => heads.waiting === all.length, "all heads");
      await until(() => logs.waiting === all.length, "all logs");
      const numbers = (await take(heads, all.length)).map(({ number }) =>
        Number(number),
      );
      assert.deepEqual(numbers, all);
      assert.deepEqual((await take(logs, all.length)).map(serial), all);
    });
  }

  it("goes on from the first new block of a chain that is set back", async () => {
    await using network = await startNetwork({
      events: FAST,
      chain: new Chain(recordedChain().state),
    });
    const { chain, clients } = network;
    const logs = await clients.events.logs();
    const heads = await clients.events.heads();
    mineTo(chain, 10n);
    await until(() => heads.waiting === 9, "the heads");
    chain.setBack(6n, -3n);
    mineTo(chain, 8n);
    await until(() => heads.waiting === 11, "the new heads");
    chain.setBack(3n);
    mineTo(chain, 4n);
    const all = [...range(2, 10), 7, 8, 4];
    await until(() => logs.waiting === all.length, "the new logs");
    const numbers = (await take(heads, all.length)).map(({ number }) =>
      Number(number),
    );
    assert.deepEqual(numbers, all);
    assert.deepEqual((await take(logs, all.length)).map(serial), all);
  });

  it("loses nothing in a cut where blocks are announced with other hashes", async () => {
    await using network = await startNetwork({
      events: FAST,
      chain: new Chain(recordedChain().state),
    });
    const { chain, clients, ws } = network;
    ws.otherHashes = true;
    mineTo(chain, 90n);
    const logs = await clients.events.logs();
    const heads = await clients.events.heads();
    mineTo(chain, 100n);
    await until(() => heads.waiting === 10, "the heads");
    ws.dropAll();
    await until(() => !clients.events.connected, "the loss");
    mineTo(chain, 110n);
    await until(() => clients.events.connected, "the connection");
    await delay(100);
    mineTo(chain, 120n);
    const numbers = (await take(heads, 30)).map(({ number }) => Number(number));
    assert.deepEqual(numbers, range(91, 120));
    assert.deepEqual((await take(logs, 30)).map(serial), range(91, 120));
  });

  it("fills gaps that the server leaves without notice", async () => {
    await using network = await startNetwork({ events: FAST });
    const { chain, clients, ws } = network;
    const total = 500;
    const logs = await clients.events.logs();
    const heads = await clients.events.heads();
    await delay(20);
    const start = chain.height;
    let n = 0;
    for (let block = 0; block < 50; block++) {
      // A slow reader loses whole stretches, heads as well as logs.
      ws.trouble = { lose: block > 10 && block < 35 ? 1 : 0 };
      chain.mine(Array.from({ length: 10 }, () => numbered(n++)));
      await delay(1);
    }
    const found = (await take(logs, total)).map(serial).sort((a, b) => a - b);
    assert.deepEqual(
      found,
      Array.from({ length: total }, (_, i) => i),
    );
    const numbers = (await take(heads, 50)).map(({ number }) => number);
    assert.deepEqual(
      numbers,
      Array.from({ length: 50 }, (_, i) => start + 1n + BigInt(i)),
    );
  });

  it("gives the logs from a block on first, in ranges that the node takes", async () => {
    const chain = recordedChain();
    for (let n = 0; n < 50; n++) {
      chain.mine([numbered(n)]);
    }
    await using network = await startNetwork({ chain });
    const { clients, evm } = network;
    evm.maxRange = 7n;
    const logs = await clients.events.logs({
      address: CONTRACT,
      fromBlock: 1n,
    });
    chain.mine([numbered(50)]);
    assert.deepEqual(
      (await take(logs, 51)).map(serial),
      Array.from({ length: 51 }, (_, i) => i),
    );
  });

  it("fails a subscription that the node refuses, instead of hanging", async () => {
    await using network = await startNetwork();
    const { clients, ws } = network;
    ws.refuse = "max subscriptions\u001b[31m reached";
    await assert.rejects(
      clients.events.heads(),
      /refused the subscription: max subscriptions reached/,
    );
    await assert.rejects(clients.events.logs(), /refused the subscription/);
    ws.refuse = undefined;
    const heads = await clients.events.heads();
    network.chain.mine();
    assert.equal((await take(heads, 1)).length, 1);
  });

  it("fails when the refusal comes after a lost connection", async () => {
    await using network = await startNetwork({ events: FAST });
    const { clients, ws, chain } = network;
    const logs = await clients.events.logs();
    chain.mine([numbered(1)]);
    assert.equal((await logs.next()).done, false);
    ws.refuse = "not any more";
    ws.dropAll();
    await assert.rejects(logs.next(), /not any more/);
  });

  it("fails in time when the node never answers, or nothing listens", async () => {
    await using network = await startNetwork({ timeoutMs: 1500 });
    const { clients, ws } = network;
    ws.mute.add("eth_subscribe");
    await assert.rejects(
      clients.events.heads(),
      /did not answer eth_subscribe within 1\.5 s/,
    );
    ws.mute.clear();
    ws.down = true;
    await assert.rejects(clients.events.heads(), /cannot be opened.*503/);
  });

  it("gives up after a few attempts, with the reason", async () => {
    await using network = await startNetwork({
      events: { reconnect: { firstMs: 1, longestMs: 2, attempts: 5 } },
    });
    const { clients, ws } = network;
    const heads = await clients.events.heads();
    ws.down = true;
    ws.dropAll();
    await assert.rejects(heads.next(), /5 attempts in a row/);
  });

  it("starts over after malformed, strange and oversized messages, losing nothing", async () => {
    await using network = await startNetwork({ events: FAST });
    const { chain, clients, ws } = network;
    const logs = await clients.events.logs({ address: CONTRACT });
    const hostile = [
      "{",
      "null",
      "42",
      `"${"x".repeat(5 * 1024 * 1024)}"`,
      "[".repeat(100_000),
      JSON.stringify({
        jsonrpc: "2.0",
        method: "eth_subscription",
        params: { subscription: "0xdead", result: {} },
      }),
      JSON.stringify({
        jsonrpc: "2.0",
        error: { code: 1, message: "\u001b[2J" },
        id: null,
      }),
      JSON.stringify({
        __proto__: null,
        method: "eth_subscription",
        params: null,
      }),
    ];
    let n = 0;
    for (const text of hostile) {
      ws.sendRaw(text);
      chain.mine([numbered(n++), numbered(n++)]);
      await delay(30);
    }
    ws.sendEvent("logs", { address: "0x12", topics: "no", data: 5 });
    chain.mine([numbered(n++)]);
    ws.sendEvent("newHeads", { number: "0xzz" });
    chain.mine([numbered(n++)]);
    const found = (await take(logs, n)).map(serial).sort((a, b) => a - b);
    assert.deepEqual(
      found,
      Array.from({ length: n }, (_, i) => i),
    );
    assert.ok(ws.connections >= 5);
  });

  it("refuses malformed filters, which the node would take", async () => {
    await using network = await startNetwork();
    const { events } = network.clients;
    await assert.rejects(
      events.logs({ address: "0x12" }),
      /0x followed by 40 hexadecimal digits/,
    );
    await assert.rejects(
      events.logs({ address: [] }),
      /list of addresses is empty/,
    );
    await assert.rejects(
      events.logs({ topics: ["0x12"] }),
      /64 hexadecimal digits/,
    );
    await assert.rejects(
      events.logs({ eventName: "Delegate" }),
      /needs its ABI/,
    );
    const abi = PRECOMPILES.staking.abi;
    await assert.rejects(
      events.logs({ abi, eventName: "Delegate", args: { amount: 1n } }),
      /not an indexed parameter/,
    );
    assert.equal(network.ws.requests.length, 0);
    // Addresses may have any form.
    const logs = await events.logs({
      address: "cosmos1znw8n9jd5tqgkgmf3v7ne372xgvnmx2469fw9k",
    });
    await logs.close();
    assert.deepEqual(
      network.ws.requests.find(
        ({ params }) => (params as unknown[])[0] === "logs",
      )?.params,
      ["logs", { address: "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955" }],
    );
  });

  it("stays in bounds for a slow consumer and fetches the rest later", async () => {
    await using network = await startNetwork({
      events: { ...FAST, maxWaiting: 100, maxRange: 5n },
    });
    const { chain, clients } = network;
    const logs = await clients.events.logs();
    const total = 5_000;
    let n = 0;
    let most = 0;
    while (n < total) {
      chain.mine(Array.from({ length: 25 }, () => numbered(n++)));
      most = Math.max(most, logs.waiting);
      await delay(0);
    }
    assert.ok(most <= 100, `${most} logs waited`);
    const found = (await take(logs, total)).map(serial);
    assert.deepEqual(
      [...found].sort((a, b) => a - b),
      Array.from({ length: total }, (_, i) => i),
    );
  });

  it("fails for heads and pending transactions that nobody takes", async () => {
    await using network = await startNetwork({ events: { maxWaiting: 10 } });
    const { chain, clients } = network;
    const heads = await clients.events.heads();
    const pending = await clients.events.pendingTransactions();
    for (let i = 0; i < 30; i++) {
      chain.mine();
      chain.announce(TOPIC);
    }
    await until(() => heads.ended && pending.ended, "the failures");
    assert.equal((await take(heads, 10)).length, 10);
    const rest = (async () => {
      for await (const _ of pending) {
        // Drains what is waiting.
      }
    })();
    await assert.rejects(rest, /faster than they are taken/);
  });

  it(
    "keeps memory flat over 100,000 events",
    { timeout: 180_000 },
    async (t) => {
      const gc = globalThis.gc;
      if (gc === undefined) {
        const { setFlagsFromString } = await import("node:v8");
        setFlagsFromString("--expose-gc");
      }
      const { runInNewContext } = await import("node:vm");
      const collect: () => void = gc ?? runInNewContext("gc");
      const chain = new Chain(recordedChain().state, { height: 1n, keep: 50 });
      await using network = await startNetwork({ chain });
      network.evm.requests.push = () => 0;
      const logs = await network.clients.events.logs({ address: CONTRACT });
      let seen = 0;
      logs.listen(() => {
        seen++;
      });
      const run = async (events: number) => {
        const goal = seen + events;
        for (let n = 0; n < events; n += 50) {
          chain.mine(Array.from({ length: 50 }, (_, i) => numbered(n + i)));
          while (n + 50 - (seen - goal + events) > 1_000) {
            await delay(1);
          }
          if (n % 500 === 0) {
            await delay(0);
          }
        }
        await until(() => seen === goal, `${goal} events`);
        collect();
        return process.memoryUsage().heapUsed / 2 ** 20;
      };
      const warm = await run(20_000);
      const end = await run(100_000);
      t.diagnostic(
        `heap ${warm.toFixed(1)} MB after 20,000 events, ${end.toFixed(1)} MB after 120,000`,
      );
      assert.ok(end - warm < 8, `grew by ${(end - warm).toFixed(1)} MB`);
    },
  );

  it("waits for blocks by heads, and by polling without a socket", async () => {
    await using network: TestNetwork = await startNetwork();
    const { chain, clients, ws } = network;
    const wait = clients.events.blockWaiter();
    const first = wait();
    await until(() => ws.subscriptions.includes("newHeads"), "a subscription");
    const { number } = chain.mine();
    await first;
    assert.equal(
      (await clients.events.nextHead({ after: number - 1n })).number,
      number,
    );
    // A head between two waits is not missed.
    chain.mine();
    await delay(30);
    await wait();
    await assert.rejects(
      clients.events.nextHead({ timeoutMs: 20 }),
      /no new head within/,
    );
    const aborted = AbortSignal.abort(new Error("enough"));
    await assert.rejects(
      clients.events.nextHead({ signal: aborted }),
      /enough/,
    );

    ws.down = true;
    ws.dropAll();
    const { createFrameworkClients } = await import(
      "../../src/framework/index.js"
    );
    const { FACTS } = await import("./network.js");
    const without = createFrameworkClients({
      network: "test",
      kind: "local",
      endpoints: { wsUrl: ws.url },
      facts: FACTS,
      provider: network.evm,
    });
    const poll = without.events.blockWaiter();
    await poll();
    await poll();
    await without.close();
  });

  it("ends everything on close, quietly", async () => {
    await using network = await startNetwork();
    const { clients } = network;
    const heads = await clients.events.heads();
    const logs = await clients.events.logs();
    const waiting = Promise.all([heads.next(), logs.next()]);
    await clients.close();
    assert.deepEqual(
      (await waiting).map(({ done }) => done),
      [true, true],
    );
    await clients.close();
  });
});

describe("the test server for events", () => {
  it("answers and refuses like the recording", async () => {
    await using network = await startNetwork();
    const { WebSocket } = await import("ws");
    for (const name of ["errors_and_unsubscribe", "id_forms"]) {
      const frames =
        recordings<{ name: string; frames: { dir: string; msg?: any }[] }>(
          "ws",
        ).get(name)?.frames ?? [];
      const client = new WebSocket(network.ws.url);
      await new Promise((resolve) => client.once("open", resolve));
      let subscription: string | undefined;
      for (const [i, { dir, msg }] of frames.entries()) {
        const answer = frames[i + 1];
        // A real node proxies calls; only its refusals are of interest here.
        const call =
          msg?.method === "eth_chainId" && answer?.msg?.error === undefined;
        if (
          dir !== "out" ||
          call ||
          answer?.dir !== "in" ||
          msg.raw !== undefined
        ) {
          continue;
        }
        const recorded = JSON.stringify(msg);
        const known =
          subscription !== undefined &&
          frames
            .slice(0, i)
            .some(({ msg: m }) => m?.result === (msg.params?.[0] ?? ""));
        const received = new Promise<any>((resolve) =>
          client.once("message", (data) => resolve(JSON.parse(String(data)))),
        );
        client.send(
          known ? JSON.stringify({ ...msg, params: [subscription] }) : recorded,
        );
        const got = await received;
        if (typeof answer.msg.result === "string") {
          assert.match(got.result, /^0x[0-9a-f]{32}$/, recorded);
          subscription = got.result;
          assert.equal(got.id, answer.msg.id);
        } else {
          assert.deepEqual(got, answer.msg, recorded);
        }
      }
      client.terminate();
    }
    const refused = new WebSocket(network.ws.url, {
      origin: "https://app.example",
    });
    const error = await new Promise<Error>((resolve) =>
      refused.once("error", resolve),
    );
    assert.match(error.message, /403/);
  });
});

const _typed: (log: Log) => bigint = (log) => log.blockNumber;
void _typed;
