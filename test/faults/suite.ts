import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, describe, it } from "node:test";

import { createPublicClient, custom } from "viem";

import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import type { Client, Major, Started } from "../helpers/majors.js";
import type { EvmNode } from "../servers/evm-node.js";
import { type Fault, FaultyServer } from "../servers/faulty.js";

const [SENDER, TO] = ACCOUNTS;
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

interface Told {
  readonly message: string;
  readonly name: string;
  readonly code: unknown;
}

/**
 * Returns the error of a promise that must fail. Checks that the error and its
 * causes can be shown: they are short, without control characters.
 */
export async function told(promise: Promise<unknown>): Promise<Told> {
  const error: unknown = await promise.then(
    (value) => assert.fail(`it passes: ${String(value).slice(0, 80)}`),
    (e: unknown) => e,
  );
  assert.ok(error instanceof Error);
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    assert.ok(
      e.message.length < 1_000,
      `a message of ${e.message.length} characters`,
    );
    assert.doesNotMatch(e.message, CONTROL);
  }
  const { message, name, code } = error as Error & { code?: unknown };
  return { message, name, code };
}

async function nonceOf(node: EvmNode): Promise<number> {
  return Number(
    await node.chain.request({
      method: "eth_getTransactionCount",
      params: [SENDER, "latest"],
    }),
  );
}

/** Matches how an HTTP status is reported. */
const status = (code: number) => new RegExp(`\\(HTTP ${code}\\)`);

const baseUrlOf = ({ url }: FaultyServer) => url.replace(/\/evm$/, "");

/** How Hardhat's own HTTP provider reports errors. */
export interface Answers {
  /** The message for a rate limit that asks to wait for an hour. */
  readonly rateLimit: RegExp;
  /** Whether it passes the status on; if not, no status counts as a refusal. */
  readonly refusesByStatus: boolean;
}

/** Tests what users see of a node that misbehaves, on one major of Hardhat. */
export function testFaults<C extends Client>(
  { name: major, libraries: { Transaction, Wallet }, start, open }: Major<C>,
  { rateLimit, refusesByStatus }: Answers,
): void {
  describe(`reading from a server that misbehaves on ${major}`, () => {
    let server: FaultyServer;
    let c: C;

    before(async () => {
      server = await FaultyServer.start();
      c = await open(baseUrlOf(server), { timeout: 500 });
      assert.equal(
        await c.provider.request({ method: "eth_chainId" }),
        "0x666a",
      );
    });
    afterEach(() => server.fail());
    after(async () => {
      await c.close();
      await server.close();
    });

    const read = () => c.provider.request({ method: "eth_blockNumber" });

    for (const fault of [
      "hang",
      "server-error",
      "html",
      "truncated",
      "index-race",
      "busy-code",
      "drop",
      "drop-in-body",
      "rate-limit",
      "rate-limit-wait",
    ] satisfies Fault[]) {
      it(`${fault}: succeeds once it is over`, async () => {
        server.fail(fault, ...(fault.startsWith("rate") ? [] : [fault]));
        const before = server.count;
        assert.equal(await read(), "0x10");
        assert.equal(server.count - before, fault.startsWith("rate") ? 2 : 3);
      });
    }

    const FAILURES: [Fault, RegExp, number][] = [
      ["hang", /did not answer in time/, 4],
      ["server-error", status(503), 4],
      [
        "html",
        /answered with (?:something that is not JSON-RPC|a web page, not JSON)/,
        4,
      ],
      [
        "truncated",
        /answered with (?:something that is not JSON-RPC|something that is not JSON: it is cut off)/,
        4,
      ],
      ["drop", /broke the connection: other side closed/, 4],
      ["drop-in-body", /broke the connection/, 4],
      ["index-race", /ethereum tx not found/, 4],
      ["busy-code", /limit exceeded/, 4],
      ["rate-limit-long", rateLimit, 1],
    ];
    for (const [fault, message, requests] of FAILURES) {
      it(`${fault}: ends after ${requests} requests, and is reported`, async () => {
        server.failAlways(fault);
        const before = server.count;
        const error = await told(read());
        assert.match(error.message, message);
        // Where Hardhat hides the status, one more request reads it.
        const looked =
          !refusesByStatus &&
          ["server-error", "html", "truncated"].includes(fault);
        assert.equal(server.count - before, requests + (looked ? 1 : 0));
        if (error.name !== "ProviderError") {
          assert.match(
            error.message,
            /network testnet, endpoint http:\/\/127\.0\.0\.1:\d+\/evm/,
          );
        }
      });
    }

    it("control characters are removed from an error's text", async () => {
      server.fail("control-characters");
      const error = await told(read());
      assert.equal(error.message, "red line gnp.exe");
      assert.equal(error.code, -32000);
    });

    it("an answer of 50 MB does no harm, and is not shown", async () => {
      const huge = await FaultyServer.start({ handler: () => "0x666a" });
      const connection = await open(baseUrlOf(huge));
      huge.failAlways("huge");
      const error = await told(
        connection.provider.request({ method: "eth_blockNumber" }),
      );
      assert.match(
        error.message,
        /the node's chain ID is not a quantity: "0{30,60}…/,
      );
      huge.fail();
      assert.equal(
        await connection.provider.request({ method: "eth_blockNumber" }),
        "0x666a",
      );
      await connection.close();
      await huge.close();
    });

    it("50 MB that are not JSON are not kept in the error", async () => {
      const chain = await start();
      const connection = await chain.connect();
      await connection.provider.request({ method: "eth_chainId" });
      const piece = "<p>".repeat(1024 * 1024);
      chain.node.inject(
        "eth_gasPrice",
        {
          raw: (response) => {
            for (let i = 0; i < 17; i++) {
              response.write(piece);
            }
            response.end();
          },
        },
        1,
      );
      chain.node.inject("eth_gasPrice", {
        error: { code: -32000, message: "x".repeat(1024 * 1024) },
      });
      const error = await connection.provider
        .request({ method: "eth_gasPrice" })
        .catch((e: unknown) => e);
      assert.ok(error instanceof Error && error.message.length <= 4_000);
      await connection.close();
      await chain.close();
    });

    it("a connection's first request is repeated, too", async () => {
      const chain = await start();
      try {
        const connection = await chain.connect();
        chain.node.inject("eth_chainId", "drop-before", 2);
        assert.equal(
          await connection.ethers.provider.getBalance(SENDER),
          10_000n * 10n ** 18n,
        );
        assert.equal(chain.node.count("eth_chainId"), 3);
        await connection.close();
      } finally {
        await chain.close();
      }
    });

    it("unreachable, an unknown host, no TLS", async () => {
      const gone = await FaultyServer.start();
      const { port } = new URL(gone.url);
      await gone.close();
      const cases: [string, RegExp][] = [
        [
          `http://127.0.0.1:${port}`,
          /cannot be reached: the connection was refused.*network testnet.*base URL is right/,
        ],
        [
          "https://nowhere.invalid",
          /cannot be reached: (?:ENOTFOUND|EAI_AGAIN)/,
        ],
        [
          `https://127.0.0.1:${new URL(server.url).port}`,
          /does not use encryption on this port \(ERR_SSL/,
        ],
      ];
      for (const [baseUrl, message] of cases) {
        const connection = await open(baseUrl);
        assert.match(
          (
            await told(
              connection.provider.request({ method: "eth_blockNumber" }),
            )
          ).message,
          message,
        );
        await connection.close();
      }
    });

    it("a user and a password in the URL are never shown", async () => {
      const connection = await open(
        baseUrlOf(server).replace("http://", "http://user:pa55word@"),
        { timeout: 500 },
      );
      for (const fault of [
        "html",
        "server-error",
        "rate-limit-long",
        "drop",
        "truncated",
      ] satisfies Fault[]) {
        server.failAlways(fault);
        const error: unknown = await connection.provider
          .request({ method: "eth_blockNumber" })
          .catch((e: unknown) => e);
        assert.ok(error instanceof Error);
        for (let e: unknown = error; e instanceof Error; e = e.cause) {
          assert.ok(
            !`${e.message}${String(e.stack)}`.includes("pa55word"),
            fault,
          );
        }
      }
      await connection.close();
    });
  });

  describe(`what a real node takes differently on ${major}`, () => {
    let chain: Started<C>;
    let c: C;

    before(async () => {
      chain = await start({ blockTimeMs: 100 });
      c = await chain.connect();
    });
    after(() => chain.close());

    it("the tag safe, which it refuses", async () => {
      for (const [method, params] of [
        ["eth_getBalance", [SENDER, "safe"]],
        ["eth_getTransactionCount", [SENDER, "safe"]],
        ["eth_getCode", [SENDER, "safe"]],
        ["eth_getStorageAt", [SENDER, "0x0", "safe"]],
        ["eth_call", [{ to: SENDER }, "safe"]],
      ] as const) {
        assert.equal(
          typeof (await c.provider.request({ method, params: [...params] })),
          "string",
          method,
        );
      }
      assert.equal(
        await c.ethers.provider.getBalance(TO, "safe"),
        10_000n * 10n ** 18n,
      );
    });

    it("reads of the state that name no block, which it refuses", async () => {
      for (const [method, params] of [
        ["eth_getBalance", [SENDER]],
        ["eth_getTransactionCount", [SENDER]],
        ["eth_getCode", [SENDER]],
        ["eth_getStorageAt", [SENDER, "0x0"]],
        ["eth_call", [{ to: SENDER }]],
        ["eth_call", [{ to: SENDER }, null]],
      ] as const) {
        assert.deepEqual(
          await c.provider.request({ method, params: [...params] }),
          await c.provider.request({
            method,
            params: [...params.filter((p) => p !== null), "latest"],
          }),
          method,
        );
      }
      await assert.rejects(
        c.provider.request({ method: "eth_getBalance", params: [] }),
        "what is missing besides stays missing",
      );
    });

    it("logs from block 0, which it takes for the newest one", async () => {
      chain.node.clear();
      await c.provider.request({
        method: "eth_getLogs",
        params: [{ fromBlock: "0x0", toBlock: "latest" }],
      });
      assert.equal(chain.node.requests.at(-1)?.params[0].fromBlock, "0x1");
      await c.provider.request({
        method: "eth_getLogs",
        params: [{ fromBlock: "0x2", toBlock: "latest" }],
      });
      assert.equal(chain.node.requests.at(-1)?.params[0].fromBlock, "0x2");
    });

    it("a block whose index is not ready", async () => {
      for (const message of [
        "block result not found for height 5",
        "failed to get rpc block from comet block: failed to get receipts from comet block: tx not found: hash=0x12, error=tx not found, hash: 0x12",
        "tx not found, block: 5, eth-index: 0",
      ]) {
        chain.node.inject(
          "eth_getBlockByNumber",
          { error: { code: -32000, message } },
          2,
        );
        assert.ok((await c.ethers.provider.getBlock("latest")) !== null);
      }
      chain.node.inject(
        "eth_getTransactionReceipt",
        { error: { code: -32000, message: "ethereum tx not found" } },
        2,
      );
      const signer = await c.ethers.getSigner(SENDER);
      assert.equal(
        (await (await signer.sendTransaction({ to: TO, value: 1n })).wait())
          ?.status,
        1,
      );
    });

    it("a node that has no block yet", async () => {
      chain.node.inject("eth_getBlockByNumber", { result: null }, 2);
      assert.ok((await c.ethers.provider.getBlock("latest")) !== null);
      chain.node.inject(
        "eth_estimateGas",
        { error: { code: -32000, message: "header not found" } },
        2,
      );
      assert.ok(
        await c.ethers.provider.estimateGas({ from: SENDER, to: TO, value: 1 }),
      );
      assert.equal(await c.ethers.provider.getBlock(99_999), null);
      chain.node.inject("eth_getBlockByNumber", { result: null }, 1);
      assert.equal(await c.ethers.provider.getBlock("pending"), null);
    });

    it("a revert is not repeated, whatever its text", async () => {
      chain.node.clear();
      chain.node.inject(
        "eth_call",
        {
          error: {
            code: 3,
            message: "execution reverted: ethereum tx not found",
            data: "0x",
          },
        },
        5,
      );
      await assert.rejects(
        c.provider.request({
          method: "eth_call",
          params: [{ to: TO }, "latest"],
        }),
        /execution reverted/,
      );
      assert.equal(chain.node.count("eth_call"), 1);
      chain.node.clearFaults();
    });

    it("a revert without a reason gets empty data if the node sends none", async () => {
      chain.node.inject("eth_call", {
        error: { code: -32000, message: "execution reverted" },
      });
      await assert.rejects(
        c.provider.request({
          method: "eth_call",
          params: [{ to: TO }, "latest"],
        }),
        { message: "execution reverted", code: -32000, data: "0x" },
      );
    });
  });

  describe(`a transaction whose answer is lost on ${major}`, () => {
    let chain: Started<C>;
    let c: C;

    before(async () => {
      chain = await start({ blockTimeMs: 150, timeout: 700 });
      c = await chain.connect();
    });
    after(() => chain.close());

    const html = (response: ServerResponse) =>
      void response.writeHead(200).end("<html>welcome</html>");
    const partly = (response: ServerResponse) => {
      response
        .writeHead(200, { "content-length": "1000" })
        .write('{"jsonrpc":');
      setTimeout(() => response.destroy(), 20);
    };
    const badGateway = (response: ServerResponse) =>
      void response.writeHead(502).end("bad gateway");
    const never = () => undefined;

    for (const [what, answer] of Object.entries({
      html,
      partly,
      badGateway,
      never,
    })) {
      for (const acts of [true, false]) {
        it(`${what}, the node ${acts ? "had" : "had not"} acted: one transaction, in a block`, async () => {
          const { node } = chain;
          const signer = await c.ethers.getSigner(SENDER);
          const first = await nonceOf(node);
          node.clear();
          node.inject("eth_sendRawTransaction", (params) => ({
            raw: (response) =>
              void (
                acts
                  ? node.chain.request({
                      method: "eth_sendRawTransaction",
                      params: [params[0]],
                    })
                  : Promise.resolve()
              ).then(() => answer(response)),
          }));
          const transaction = await signer.sendTransaction({
            to: TO,
            value: 3n,
          });
          const receipt = await transaction.wait();
          assert.equal(receipt?.status, 1);
          assert.equal(await nonceOf(node), first + 1);
          const sent = node.requests.filter(
            ({ method }) => method === "eth_sendRawTransaction",
          );
          assert.equal(
            new Set(sent.map(({ params }) => Transaction.from(params[0]).hash))
              .size,
            1,
          );
        });
      }
    }

    if (refusesByStatus) {
      for (const [code, what] of [
        [401, "not authorized"],
        [413, "too large"],
      ] as const) {
        it(`a refusal (HTTP ${code}: ${what}) is reported at once, and leaves no gap`, async () => {
          const { node } = chain;
          const signer = await c.ethers.getSigner(SENDER);
          const first = await nonceOf(node);
          node.inject("eth_sendRawTransaction", {
            raw: (response) => void response.writeHead(code).end(what),
          });
          assert.match(
            (await told(signer.sendTransaction({ to: TO, value: 3n }))).message,
            status(code),
          );
          const next = await signer.sendTransaction({ to: TO, value: 4n });
          assert.equal(next.nonce, first);
          assert.equal((await next.wait())?.status, 1);
        });
      }
    }

    it("requests lost before sending are repeated, and nothing is sent twice", async () => {
      const { node } = chain;
      const signer = await c.ethers.getSigner(SENDER);
      for (const method of [
        "eth_getTransactionCount",
        "eth_estimateGas",
        "eth_feeHistory",
        "eth_getBlockByNumber",
      ]) {
        node.clear();
        node.inject(method, "drop-before", 2);
        assert.equal(
          (await (await signer.sendTransaction({ to: TO, value: 1n })).wait())
            ?.status,
          1,
          method,
        );
        assert.equal(node.count("eth_sendRawTransaction"), 1);
        node.clearFaults();
      }
    });
  });

  describe(`a receipt that never comes on ${major}`, () => {
    let nodeRpc: Server;
    let asked: string[] = [];
    let log = "";

    before(async () => {
      nodeRpc = createServer((request, response) => {
        asked.push(decodeURIComponent(request.url ?? ""));
        const result = {
          txs: [{ hash: "AB", height: "7", tx_result: { code: 5, log } }],
          total_count: "1",
        };
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id: -1, result }));
      });
      await new Promise<void>((resolve) =>
        nodeRpc.listen(0, "127.0.0.1", resolve),
      );
    });
    after(() => {
      nodeRpc.closeAllConnections();
      nodeRpc.close();
    });

    for (const known of [true, false]) {
      it(`although the nonce is used: ${known ? "with the node RPC's reason" : "without a node RPC that knows"}`, async () => {
        const { port } = nodeRpc.address() as AddressInfo;
        const chain = await start({
          blockTimeMs: 300,
          receiptHoldMs: 100,
          testnet: {
            nodeRpcUrl: known
              ? `http://127.0.0.1:${port}/rpc`
              : "http://127.0.0.1:1/rpc",
          },
        });
        asked = [];
        log =
          "\u001b[31mthe module account is not allowed\u0007to receive funds: unauthorized";
        try {
          const { node, messages } = chain;
          const c = await chain.connect();
          const signer = await c.ethers.getSigner(SENDER);
          // As on the chain: the transaction used its nonce in a block, and
          // left nothing else.
          node.inject("eth_sendRawTransaction", ([raw]) => ({
            result: Transaction.from(raw).hash,
          }));
          const sender = known
            ? // Returns when the transaction is in a block, or never will be.
              signer
            : new Wallet(KEYS[0], c.ethers.provider);
          const sending = sender.sendTransaction({ to: TO, value: 3n });
          while (node.count("eth_sendRawTransaction") === 0) {
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          await node.chain.request({
            method: "hardhat_setNonce",
            params: [SENDER, "0x1"],
          });
          const transaction = await sending;
          await node.mine();
          const reason = known
            ? /was included, used its nonce 0 and its gas, failed, and has no receipt: the module account is not allowed to receive funds: unauthorized/
            : /nonce 0 is used, but the transaction has no receipt and never will/;
          if (!known) {
            // Asking for the receipt fails with the reason.
            let error: Told | undefined;
            while (error === undefined) {
              const receipt = c.provider.request({
                method: "eth_getTransactionReceipt",
                params: [transaction.hash],
              });
              error = await receipt.then(
                (r) => (r === null ? undefined : assert.fail("a receipt")),
                () => told(receipt),
              );
              await new Promise((resolve) => setTimeout(resolve, 200));
            }
            assert.match(error.message, reason);
            assert.match(
              error.message,
              new RegExp(
                `${transaction.hash}.*configure the node RPC endpoint`,
              ),
            );
          }
          // ethers and viem ignore errors while they wait.
          const client = createPublicClient({ transport: custom(c.provider) });
          const [byEthers, byViem] = await Promise.allSettled([
            transaction.wait(),
            client.waitForTransactionReceipt({
              hash: transaction.hash as `0x${string}`,
              pollingInterval: 300,
            }),
          ]);
          assert.match(
            String(byEthers.status === "rejected" && byEthers.reason),
            /transaction execution reverted/,
          );
          assert.equal(
            byViem.status === "fulfilled" && byViem.value.status,
            "reverted",
          );
          assert.equal(messages.length, 1, messages.join());
          assert.match(
            messages[0] ?? "",
            new RegExp(`Transaction ${transaction.hash} failed on testnet`),
          );
          assert.match(messages[0] ?? "", reason);
          assert.doesNotMatch(messages[0] ?? "", CONTROL);
          assert.deepEqual(
            asked,
            known
              ? [
                  `/rpc/tx_search?query="ethereum_tx.ethereumTxHash='${transaction.hash}'"`,
                ]
              : [],
          );
          await c.close();
        } finally {
          await chain.close();
        }
      });
    }
  });
}
