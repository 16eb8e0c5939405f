import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";

import { bufferGas, DEFAULT_GAS } from "../../src/gas/index.js";
import { BLOCK_POSITION } from "../../src/rpc/methods.js";
import {
  type Client,
  HARDHAT_2,
  HARDHAT_3,
  type Major,
} from "../helpers/majors.js";

/** A request that a real node got over HTTP, and its answer. */
interface Recorded {
  readonly name: string;
  readonly method: string;
  readonly params: readonly any[];
  readonly result?: any;
  readonly error?: { code: number; message: string; data?: unknown };
}

const recorded: Recorded[] = JSON.parse(
  gunzipSync(
    await readFile(
      new URL("../vectors/jsonrpc-exchanges.json.gz", import.meta.url),
    ),
  ).toString("utf8"),
);

// Hardhat asks for these by itself.
const OTHERWISE: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x666a",
  eth_accounts: [],
};

// Requests that the plugin changes, since the node refuses or misunderstands
// them as clients send them.
const isAdapted = ({ method, params }: Recorded) =>
  params.includes("safe") ||
  params.length === BLOCK_POSITION[method] ||
  (method === "eth_getLogs" && params[0]?.fromBlock === "0x0");

for (const { name, open } of [HARDHAT_3, HARDHAT_2] as Major[]) {
  describe(`a client of a node that answers as a real one did, on ${name}`, () => {
    let current: Recorded | undefined;
    let asked: { method: string; params: any[] } | undefined;
    let connection: Client;
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) {
        text += chunk;
      }
      const { id, method, params } = JSON.parse(text);
      const answer =
        method === current?.method
          ? current?.error === undefined
            ? { result: current?.result ?? null }
            : { error: current.error }
          : { result: OTHERWISE[method] ?? null };
      if (method === current?.method) {
        asked = { method, params };
      }
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });

    before(async () => {
      await new Promise<void>((resolve) =>
        server.listen(0, "127.0.0.1", resolve),
      );
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      connection = await open(baseUrl, { accounts: "remote" });
      await connection.provider.request({ method: "eth_chainId" });
    });

    after(async () => {
      await connection.close();
      server.closeAllConnections();
      server.close();
    });

    const ask = async (exchange: Recorded) => {
      current = exchange;
      try {
        return {
          result: await connection.provider.request({
            method: exchange.method,
            params: [...structuredClone(exchange.params)],
          }),
        };
      } catch (error) {
        const { code, message, data } = error as Error & {
          code?: number;
          data?: unknown;
        };
        return { error: { code, message, data } };
      } finally {
        current = undefined;
      }
    };

    // Sends have their own tests, and an indexing race is repeated.
    const passing = recorded.filter(
      ({ method, error }) =>
        !/^eth_(?:send|accounts|sign|chainId|fillTransaction)|Receipt$|^hardhat_getAutomine/.test(
          method,
        ) && !/tx not found|handler crashed/.test(error?.message ?? ""),
    );

    it(`gets the ${passing.length} recorded answers unchanged, but for the gas buffer and the data of a bare revert`, async () => {
      for (const exchange of passing) {
        const got = await ask(exchange);
        if (exchange.error !== undefined) {
          assert.equal(got.error?.code, exchange.error.code, exchange.name);
          assert.equal(
            got.error?.message,
            exchange.error.message,
            exchange.name,
          );
          const { message, data } = exchange.error;
          assert.deepEqual(
            got.error?.data,
            message === "execution reverted" ? (data ?? "0x") : data,
            exchange.name,
          );
        } else if (exchange.method === "eth_estimateGas") {
          assert.equal(got.error, undefined, exchange.name);
          const estimate = BigInt(exchange.result);
          const limit = BigInt(got.result as string);
          const plain = bufferGas(estimate, { settings: DEFAULT_GAS });
          assert.ok(limit >= plain && limit <= 2n * estimate, exchange.name);
        } else {
          assert.deepEqual(got.result, exchange.result ?? null, exchange.name);
        }
      }
    });

    it("asks in the words that the node takes", async () => {
      const adapted = recorded.filter(isAdapted);
      assert.ok(adapted.length > 5);
      for (const exchange of adapted) {
        asked = undefined;
        await ask(exchange);
        assert.ok(asked !== undefined, exchange.name);
        const { params } = asked as { params: any[] };
        const keeps = ["eth_getBlockByNumber", "eth_getLogs"].includes(
          exchange.method,
        );
        assert.ok(
          keeps || !params.includes("safe"),
          JSON.stringify([exchange.name, asked]),
        );
        assert.notEqual(params[0]?.fromBlock, "0x0", exchange.name);
        assert.notEqual(
          params.length,
          BLOCK_POSITION[exchange.method],
          exchange.name,
        );
      }
    });
  });
}
