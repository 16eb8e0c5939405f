import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, it } from "node:test";

import { ContractFactory } from "ethers";
import { createPublicClient, custom } from "viem";

import { TYPESCRIPT } from "../helpers/typescript.js";
import { testFaults, told } from "../faults/suite.js";
import { ACCOUNTS, KEYS, startChain } from "../helpers/chain.js";
import { COUNTER } from "../helpers/contracts.js";
import { HARDHAT_3 } from "../helpers/majors.js";
import { FaultyServer } from "../servers/faulty.js";

const [SENDER, TO] = ACCOUNTS;

testFaults(HARDHAT_3, {
  rateLimit:
    /accepts no more requests for now \(HTTP 429\).*asks you to wait 3600 s/,
  refusesByStatus: true,
});

describe("what Hardhat 3 alone does about faults", () => {
  it("the same for ethers and viem", async () => {
    const server = await FaultyServer.start();
    const c = await HARDHAT_3.open(server.url.replace(/\/evm$/, ""));
    server.fail("drop", "html");
    assert.equal(await c.ethers.provider.getBlockNumber(), 16);
    server.fail("server-error", "index-race");
    const client = createPublicClient({
      transport: custom(c.provider, { retryCount: 0 }),
    });
    assert.equal(await client.getBlockNumber({ cacheTime: 0 }), 16n);
    await c.close();
    await server.close();
  });

  it("a redirect to another host is not followed, nor asked twice", async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(request.method ?? "");
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const chain = await startChain();
    try {
      const connection = await chain.hre.network.create("testnet");
      const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/evm`;
      const redirect = {
        raw: (response: ServerResponse) =>
          void response.writeHead(307, { location }).end(),
      };
      chain.node.inject("eth_blockNumber", redirect, 10);
      const error = await told(
        connection.provider.request({ method: "eth_blockNumber" }),
      );
      assert.match(
        error.message,
        /redirects to another host, which is not followed.*Configure the address that it redirects to/,
      );
      const signer = await connection.ethers.getSigner(SENDER);
      chain.node.inject("eth_sendRawTransaction", redirect, 10);
      assert.match(
        (await told(signer.sendTransaction({ to: TO, value: 1n }))).message,
        /redirects to another host/,
      );
      assert.deepEqual(seen, [], "nothing reaches the other host");
      await connection.close();
    } finally {
      await chain.close();
      other.closeAllConnections();
      other.close();
    }
  });
});

describe("private keys", () => {
  it("are in no output, error or debug log", async () => {
    const chain = await startChain({ accounts: "none", blockTimeMs: 100 });
    try {
      const { node } = chain;
      const factory = new ContractFactory(COUNTER.abi, COUNTER.bytecode);
      const { data } = await factory.getDeployTransaction(0);
      const hash = await node.chain.request({
        method: "eth_sendTransaction",
        params: [{ from: TO, data }],
      });
      await node.mine();
      const receipt: any = await node.chain.request({
        method: "eth_getTransactionReceipt",
        params: [hash],
      });
      node.inject("eth_getBalance", "drop-before", 20);
      let sent = 0;
      node.inject(
        "eth_sendRawTransaction",
        () => (++sent === 2 ? "drop" : undefined),
        1,
      );
      const output = await run(
        path.resolve(import.meta.dirname, "../helpers/leak-probe.ts"),
        {
          DEBUG: "*",
          DUALSTACK_TESTNET_BASE_URL: node.baseUrl,
          DUALSTACK_PRIVATE_KEY: KEYS[0],
          DUALSTACK_TESTNET_PRIVATE_KEY: KEYS[0].slice(2).toUpperCase(),
          DUALSTACK_MAINNET_PRIVATE_KEY: `${KEYS[1]}00`,
          COUNTER: receipt.contractAddress,
        },
      );
      // The script did what it should.
      for (const expected of [
        /hardhat:core/,
        /status: 1/,
        /TooMany|revert/,
        /no account to sign with on the network testnet for 0x1212/,
        /is not a private key/,
        /== balance/,
      ]) {
        assert.ok(expected.test(output), String(expected));
      }
      for (const key of KEYS) {
        assert.ok(
          !output.toLowerCase().includes(key.slice(2)),
          `${around(output, key.slice(2))}`,
        );
      }
    } finally {
      await chain.close();
    }
  });
});

const around = (output: string, key: string) => {
  const at = output.toLowerCase().indexOf(key);
  return output.slice(Math.max(0, at - 400), at + 20);
};

async function run(
  script: string,
  env: Record<string, string>,
): Promise<string> {
  const child = spawn(process.execPath, [...TYPESCRIPT, script], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (output += String(chunk)));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, output.slice(-2_000));
  return output;
}
