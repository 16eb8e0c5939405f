import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { ForkGateway } from "../../src/localnet/fork/gateway.js";
import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";

const ACCOUNT = `0x${"ab".repeat(20)}`;

describe("the gateway between a simulator and a chain", () => {
  let cache: string;
  let gateway: ForkGateway;
  /** What the chain answers of an account. */
  let answer: object = { result: "0x1" };
  const asked: string[] = [];

  const chain = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const reply = ({ id, method }: { id: number; method: string }) => {
        asked.push(method);
        return method === "eth_chainId"
          ? { jsonrpc: "2.0", id, result: "0x666a" }
          : { jsonrpc: "2.0", id, ...answer };
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
      addresses: PRECOMPILE_ADDRESSES,
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

  it("asks nothing twice, and the precompiles' storage not at all", async () => {
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

  it("answers at its own path alone", async () => {
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
});
