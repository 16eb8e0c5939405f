import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { callKey, foreseenIn } from "../../src/localnet/fork/foreseen.js";
import { KeptInMemory } from "../../src/live-state/kept.js";
import { LiveReader } from "../../src/live-state/reader.js";
import { ForkGateway } from "../../src/localnet/fork/gateway.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";

const ACCOUNT = `0x${"ab".repeat(20)}`;

describe("the gateway between a simulator and a chain", () => {
  let cache: string;
  let gateway: ForkGateway;
  /** The chain's answer to all methods that are not in ANSWERS. */
  let answer: object = { result: "0x1" };
  const ANSWERS: Record<string, object> = {
    eth_chainId: { result: "0x666a" },
    eth_getCode: { result: "0x" },
  };
  const asked: string[] = [];

  const chain = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const reply = ({ id, method, params = [] }: any) => {
        asked.push(`${method} ${params[0]}`);
        return { jsonrpc: "2.0", id, ...(ANSWERS[method] ?? answer) };
      };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify(Array.isArray(body) ? body.map(reply) : reply(body)),
      );
    });
  });

  const open = async (chainIds = [0x666a]) => {
    const { port } = chain.address() as AddressInfo;
    return await ForkGateway.open({
      url: `http://127.0.0.1:${port}`,
      height: 100n,
      cache,
      simulatorCache: cache,
      chainIds,
      precompiles: Object.values(PRECOMPILE_ADDRESSES),
    });
  };

  before(async () => {
    cache = await mkdtemp(path.join(tmpdir(), "gateway-"));
    await new Promise<void>((done) => chain.listen(0, "127.0.0.1", done));
    const opened = await open();
    assert.ok(opened);
    gateway = opened;
  });
  after(async () => {
    await gateway.close();
    chain.closeAllConnections();
    chain.close();
    await rm(cache, { recursive: true });
  });

  const ask = async (
    method: string,
    params: unknown[],
    url = gateway.url,
  ): Promise<any> => {
    const response = await fetch(url, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return response.status === 200
      ? await response.json()
      : { status: response.status };
  };

  it("says what a pruned or hostile node answers, and keeps nothing of it", async () => {
    const nonce = ["eth_getTransactionCount", [ACCOUNT, "0x64"]] as const;
    answer = { error: { code: -32000, message: "version 100 does not exist" } };
    const pruned = await ask(nonce[0], [...nonce[1]]);
    assert.match(pruned.error.message, /no longer has that block's state/);
    answer = { result: `0x${"f".repeat(500)}` };
    const absurd = await ask(nonce[0], [...nonce[1]]);
    assert.match(absurd.error.message, /it answered something else/);
    answer = { result: "0x7" };
    assert.equal((await ask(nonce[0], [...nonce[1]])).result, "0x7");
  });

  it("asks nothing twice, and never for the precompiles' storage", async () => {
    asked.length = 0;
    await ask("eth_getTransactionCount", [ACCOUNT, "0x64"]);
    const { result } = await ask("eth_getStorageAt", [
      PRECOMPILE_ADDRESSES.staking,
      "0x5",
      "0x64",
    ]);
    assert.equal(BigInt(result), 0n);
    assert.deepEqual(asked, []);
    answer = { result: "0x9" };
    assert.equal(
      (await ask("eth_getBalance", [ACCOUNT, "latest"])).result,
      "0x9",
    );
    assert.ok(asked.length > 0);
  });

  it("answers only at its own path", async () => {
    const { status } = await ask(
      "eth_chainId",
      [],
      new URL("/", gateway.url).href,
    );
    assert.equal(status, 404);
  });

  it("leaves other chains to the simulator", async () => {
    assert.equal(await open([1]), undefined);
  });

  it("reads in one request what will be asked for one by one", async () => {
    const other = `0x${"cd".repeat(20)}`;
    answer = { result: "0x3" };
    asked.length = 0;
    await gateway.prefetch(new Map([[other, ["0x05"]]]), 100n);
    // Requests of the test before may still arrive.
    const ofOther = () => asked.filter((call) => call.endsWith(other)).length;
    assert.equal(ofOther(), 4);
    await ask("eth_getBalance", [other, "0x64"]);
    await ask("eth_getStorageAt", [other, "0x5", "0x64"]);
    // At another block, the first question asks for all of the account at once.
    await ask("eth_getBalance", [other, "0x65"]);
    assert.equal(ofOther(), 4 + 3);
  });

  it("does not mix a chain that began anew with what was kept", async () => {
    const block = ["eth_getBlockByNumber", ["0x64", false]] as const;
    const again = async (...questions: [string, unknown[]][]) => {
      const opened = await open();
      assert.ok(opened);
      const answers = [];
      for (const [method, params] of questions) {
        answers.push(await ask(method, params, opened.url));
      }
      await opened.close();
      // The answers are written to the file meanwhile.
      await delay(50);
      return answers;
    };
    ANSWERS["eth_getBlockByNumber"] = { result: { hash: "0x01" } };
    await again([block[0], [...block[1]]]);
    asked.length = 0;
    const [known] = await again([block[0], [...block[1]]]);
    assert.deepEqual([known.result.hash, asked], ["0x01", []]);

    const question = (account: string): [string, unknown[]] => [
      "eth_getBalance",
      [`0x${account.repeat(20)}`, "0x64"],
    ];
    const [same] = await again(question("e1"));
    assert.ok("result" in same);
    ANSWERS["eth_getBlockByNumber"] = { result: { hash: "0x02" } };
    const [other, kept] = await again(question("e2"), question("e1"));
    for (const { error } of [other, kept]) {
      assert.match(error.message, /block 100 of .* is another .* start again/);
    }
    const [fresh] = await again([block[0], [...block[1]]]);
    assert.equal(fresh.result.hash, "0x02");
  });

  it("lets the simulator cache answers, and removes them at the end", async () => {
    answer = { result: "0x64" };
    const { result } = await ask("eth_blockNumber", []);
    assert.ok(Number(result) > 100 + 500, "the block is old");
    const opened = await open();
    assert.ok(opened);
    const { host, hostname, port } = new URL(opened.url);
    const versions = path.join(cache, "edr-fork-cache/rpc_cache/v2");
    const [kept, others] = [`${hostname}_${port}`, "node.example_443"];
    for (const name of [kept, others])
      await mkdir(path.join(versions, name, "26218"), { recursive: true });
    await opened.close();
    assert.deepEqual(await readdir(versions), [others], host);
  });
});

describe("what was kept of a chain's state", () => {
  it("is not mixed with that of a chain that began anew", async () => {
    const request = (method: string, params: unknown[]) => ({ method, params });
    const header = request("eth_getBlockByNumber", ["0x64", false]);
    const block = (hash: string) => ({ ok: true, result: { hash } }) as const;
    let now = block("0x01");
    let forgotten = 0;
    const open = async () => {
      const kept = new KeptInMemory();
      kept.set(JSON.stringify(header), block("0x01"));
      await kept.save();
      return new LiveReader({
        evm: {
          request: async () => await Promise.reject(new Error("not used")),
          batch: async (requests) =>
            await Promise.resolve(
              requests.map(({ method }) =>
                method === header.method ? now : { ok: true, result: "0x05" },
              ),
            ),
        },
        height: 100n,
        hash: "0x01",
        addresses: PRECOMPILE_ADDRESSES,
        prefix: "cosmos",
        kept,
        onOtherBlock: async () => {
          forgotten++;
          await Promise.resolve();
        },
      });
    };
    const call = { to: ACCOUNT, data: "0x" };
    assert.equal(await (await open()).call(call), "0x05");
    now = block("0x02");
    const reader = await open();
    for (const data of ["0x", "0x01"]) {
      await assert.rejects(
        reader.call({ ...call, data }),
        /block 100 of the node is another than the fork's/,
      );
    }
    assert.ok(forgotten > 0);
  });
});

describe("what a node's traces foretell", () => {
  const transaction = { hash: "0x1", from: ACCOUNT, to: ACCOUNT, input: "0x" };
  const frame = { type: "CALL", from: ACCOUNT, to: ACCOUNT, input: "0x01" };

  it("is used as far as it has the form of a trace", () => {
    const { roots, words, answers } = foreseenIn(
      [transaction, transaction],
      [
        {
          calls: { ...frame, output: "0x02", calls: [frame, { type: 1 }, 7] },
          state: {
            [ACCOUNT]: { storage: { "0x5": "0x1", nonsense: "0x1" } },
            "../x": { storage: { "0x1": "0x1" } },
          },
        },
        { calls: "no", state: [] },
      ],
    );
    assert.equal(roots.length, 2);
    assert.equal(roots[0]?.calls?.length, 1);
    // Of the second one, only the outermost call is known.
    assert.equal(roots[1]?.input, "0x");
    assert.deepEqual([...words.keys()], [ACCOUNT]);
    assert.deepEqual([...(words.get(ACCOUNT) ?? [])], ["0x5"]);
    const call = { from: ACCOUNT, to: ACCOUNT, data: "0x01" };
    assert.equal(answers.get(callKey(call)), "0x02");
  });

  it("is limited, however long the traces are", () => {
    const many = Array.from({ length: 20_000 }, () => frame);
    const storage = Object.fromEntries(
      many.map((_, index) => [`0x${index.toString(16)}`, "0x1"]),
    );
    const { roots, words } = foreseenIn(
      [transaction],
      [{ calls: { ...frame, calls: many }, state: { [ACCOUNT]: { storage } } }],
    );
    assert.ok((roots[0]?.calls?.length ?? 0) < 10_000);
    assert.equal(words.get(ACCOUNT)?.size, 1_000);
  });
});
