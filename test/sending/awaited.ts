import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  createWalletClient,
  getContractAddress,
  http,
  nonceManager,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { ACCOUNTS, KEYS, viemChain } from "../helpers/chain.js";
import { COUNTER } from "../helpers/contracts.js";
import type { Client, Major, Started } from "../helpers/majors.js";
import { EvmNode } from "../servers/evm-node.js";
import { MANY, SENDER, TO } from "./suite.js";

export const heightOf = async (node: EvmNode): Promise<number> =>
  Number(await node.chain.request({ method: "eth_blockNumber" }));

/** Returns the methods that the node was asked, in order. */
export const methodsOf = (node: EvmNode): string[] =>
  node.requests.map(({ method }) => method);

const BALANCE = 10_000n * 10n ** 18n;

/**
 * Tests sends that are written as for a simulated network, and what gets in
 * their way on a real one.
 */
export function testAwaited<C extends Client>({
  name: major,
  libraries: { Transaction, Wallet },
  start,
  open,
  manyConnections,
}: Major<C>): void {
  const withChain = async (
    options: Parameters<Major<C>["start"]>[0],
    use: (c: C, chain: Started<C>) => Promise<void>,
  ) => {
    const chain = await start(options);
    try {
      const c = await chain.connect();
      await use(c, chain);
      await c.close();
    } finally {
      await chain.close();
    }
  };
  const factoryOf = async (c: C) =>
    await c.ethers.getContractFactory(COUNTER.abi, COUNTER.bytecode);

  describe(`awaited sends of ethers signers on ${major}`, () => {
    it("go on from the state after each, as on a simulated network", () =>
      withChain({ blockTimeMs: 700 }, async (c, { messages }) => {
        const counter: any = await (await factoryOf(c)).deploy(1);
        await counter.add(1);
        await counter.add(1);
        assert.equal(await counter.count(), 3n);
        assert.deepEqual(messages, []);
      }));

    it("share blocks when sent at once", () =>
      withChain({ blockTimeMs: 1_000 }, async (c, { node }) => {
        const counter: any = await (await factoryOf(c)).deploy(0);
        const before = await heightOf(node);
        const sent = await Promise.all(
          Array.from({ length: 10 }, () => counter.add(1)),
        );
        assert.equal(await counter.count(), 10n);
        const blocks = new Set(sent.map(({ blockNumber }) => blockNumber));
        assert.ok(
          blocks.size <= 3 && (await heightOf(node)) - before <= 6,
          `blocks ${[...blocks].join()}`,
        );
      }));

    it("wait for slow blocks without asking much", () =>
      withChain({ blockTimeMs: 0 }, async (c, { node }) => {
        const signer = await c.ethers.getSigner(SENDER);
        let done = false;
        const sending = signer
          .sendTransaction({ to: TO, value: 1n })
          .then((sent: any) => ((done = true), sent));
        await new Promise((resolve) => setTimeout(resolve, 6_000));
        assert.ok(!done);
        assert.ok(
          node.count("eth_getTransactionCount") <= 8,
          methodsOf(node).join(),
        );
        await node.mine();
        const sent = await sending;
        assert.equal(sent.blockNumber, 1);
        const real: any = await node.chain.request({
          method: "eth_getTransactionByHash",
          params: [sent.hash],
        });
        for (const field of ["nonce", "blockNumber", "gasPrice"]) {
          assert.equal(BigInt(sent[field]), BigInt(real[field]), field);
        }
        assert.equal(sent.blockHash, real.blockHash);
      }));

    it("report a failure even if nobody asks for a receipt", () =>
      withChain({ blockTimeMs: 300 }, async (c, { messages }) => {
        const counter: any = await (await factoryOf(c)).deploy(0);
        await counter.add(0, { gasLimit: 100_000n });
        assert.match(messages.join("\n"), /failed on testnet.*nothing to add/);
      }));

    it("report it as well for a wallet's transaction that nobody waits for", () =>
      withChain({ blockTimeMs: 300 }, async (c, { messages }) => {
        const counter: any = await (await factoryOf(c)).deploy(0);
        const wallet = new Wallet(KEYS[1], c.ethers.provider);
        await counter.connect(wallet).add(0, { gasLimit: 100_000n });
        for (let i = 0; i < 100 && messages.length === 0; i++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        assert.match(messages.join("\n"), /failed on testnet.*nothing to add/);
      }));

    it("wait for the creation of a contract before calling it", () =>
      withChain({ blockTimeMs: 1_000 }, async (c) => {
        const wallet = new Wallet(KEYS[0], c.ethers.provider);
        const factory = (await factoryOf(c)).connect(wallet);
        // A wallet's sends do not wait.
        const counter: any = await factory.deploy(1);
        const sent = await counter.add(1);
        assert.ok(sent.gasLimit > 26_000n, `limit ${sent.gasLimit}`);
        assert.equal((await sent.wait()).status, 1);
        assert.equal(await counter.count(), 2n);
      }));

    it("take 7 requests each, the receipt included", () =>
      withChain({ blockTimeMs: 0 }, async (c, { node }) => {
        const signer = await c.ethers.getSigner(SENDER);
        const send = async (): Promise<string[]> => {
          node.clear();
          const sending = signer.sendTransaction({ to: TO, value: 1n });
          while (node.count("eth_sendRawTransaction") === 0) {
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
          // As in the middle of a chain with a block every second.
          setTimeout(() => void node.mine(), 700);
          await (await sending).wait();
          return methodsOf(node).filter(
            // If no block has tips, Hardhat asks what to tip.
            (method) => method !== "eth_maxPriorityFeePerGas",
          );
        };
        await send();
        const methods = await send();
        assert.ok(methods.length <= 7, methods.join());
      }));
  });

  describe(`a node with the keys on ${major}`, () => {
    it("calls of a contract wait for its creation", () =>
      withChain({ accounts: "remote", blockTimeMs: 1_000 }, async (c) => {
        const send = async (transaction: object): Promise<string> =>
          await c.provider.request({
            method: "eth_sendTransaction",
            params: [{ from: SENDER, ...transaction }],
          });
        const { interface: counter, bytecode } = await factoryOf(c);
        await send({
          data: bytecode + counter.encodeDeploy([1n]).slice(2),
          gas: "0xf4240",
        });
        const hash = await send({
          to: getContractAddress({ from: SENDER, nonce: 0n }),
          data: counter.encodeFunctionData("add", [1n]),
        });
        const sent = await c.ethers.provider.getTransaction(hash);
        const receipt = await sent.wait();
        assert.equal(receipt.status, 1);
      }));
  });

  describe(`nonces that are chosen twice on ${major}`, () => {
    it("equal raw transactions: one passes, and the rest say why they do not", () =>
      withChain({ blockTimeMs: 0 }, async (c) => {
        const wallet = new Wallet(KEYS[0], c.ethers.provider);
        const results = await Promise.allSettled(
          Array.from({ length: MANY }, () =>
            wallet.sendTransaction({ to: TO, value: 1n, nonce: 0 }),
          ),
        );
        const refused = results.flatMap((r) =>
          r.status === "rejected" ? [String(r.reason)] : [],
        );
        assert.equal(refused.length, MANY - 1);
        for (const text of refused) {
          assert.match(text, /already known.*nonce was chosen twice/);
        }
      }));

    it("different ones: the same, and how to replace or to send both", () =>
      withChain({ blockTimeMs: 0 }, async (c) => {
        const wallet = new Wallet(KEYS[0], c.ethers.provider);
        const results = await Promise.allSettled(
          [1n, 2n, 3n].map((value) =>
            wallet.sendTransaction({ to: TO, value, nonce: 0 }),
          ),
        );
        const refused = results.flatMap((r) =>
          r.status === "rejected" ? [String(r.reason)] : [],
        );
        assert.equal(refused.length, 2);
        for (const text of refused) {
          assert.match(
            text,
            /replacement transaction underpriced: another transaction with the nonce 0 of 0x\w+ is on its way\. .*let a nonce manager choose/,
          );
        }
      }));

    it("an equal transaction of another process is not taken for this one's", () =>
      withChain({ blockTimeMs: 400 }, async (c, { node }) => {
        // This process's transaction is already in the mempool on arrival.
        node.inject("eth_sendRawTransaction", ([raw]) => ({
          raw: (response) =>
            void node.chain
              .request({ method: "eth_sendRawTransaction", params: [raw] })
              .then(() =>
                response.end(
                  JSON.stringify({
                    jsonrpc: "2.0",
                    id: 1,
                    error: { code: -32000, message: "already known" },
                  }),
                ),
              ),
        }));
        const signer = await c.ethers.getSigner(SENDER);
        const sent = await signer.sendTransaction({ to: TO, value: 7n });
        assert.equal(sent.nonce, 1);
        assert.equal((await sent.wait()).status, 1);
        assert.equal(
          await c.ethers.provider.getBalance(TO),
          BALANCE + 14n,
          "both have arrived",
        );
      }));

    it("two processes send 30 equal ones each while answers are lost: 60 hashes, 60 arrive", async (t) => {
      const node = await EvmNode.start({ blockTimeMs: 300 });
      t.after(() => node.close());
      // By different names of one address, they do not know of each other.
      const processes = await Promise.all(
        [node.baseUrl, node.baseUrl.replace("127.0.0.1", "localhost")].map(
          (url) => open(url, { accounts: [...KEYS] }),
        ),
      );
      let handed = 0;
      node.inject(
        "eth_sendRawTransaction",
        () => (++handed < 40 && handed % 5 === 0 ? "drop" : undefined),
        Infinity,
      );
      const hashes = await Promise.all(
        processes.flatMap((c) =>
          Array.from({ length: 30 }, async () => {
            const signer = await c.ethers.getSigner(SENDER);
            return (await signer.sendTransaction({ to: TO, value: 1n })).hash;
          }),
        ),
      );
      assert.equal(new Set(hashes).size, 60);
      assert.equal(
        BigInt(
          String(
            await node.chain.request({
              method: "eth_getBalance",
              params: [TO, "latest"],
            }),
          ),
        ),
        BALANCE + 60n,
      );
      await Promise.all(processes.map((c) => c.close()));
    });

    it("equal sends of two processes, of which one loses its answer, both arrive", () =>
      withChain({ blockTimeMs: 0 }, async (c, { node }) => {
        const other = await open(
          node.baseUrl.replace("127.0.0.1", "localhost"),
          { accounts: [...KEYS] },
        );
        const send = (client: C): Promise<string> =>
          client.provider.request({
            method: "eth_sendTransaction",
            params: [{ from: SENDER, to: TO, value: "0x1" }],
          });
        let second = "";
        node.inject("eth_sendRawTransaction", {
          raw: (response) =>
            void send(other).then((hash) => {
              second = hash;
              response.destroy();
            }),
        });
        const hashes = [await send(c), second];
        assert.equal(new Set(hashes).size, 2);
        await node.mine();
        assert.equal(await c.ethers.provider.getBalance(TO), BALANCE + 2n);
        await other.close();
      }));

    const itOnce = manyConnections ? it : it.skip;
    itOnce(
      "a nonce that somebody used while an answer was lost is replaced",
      () =>
        withChain({ blockTimeMs: 300 }, async (c, { node }) => {
          const signer = await c.ethers.getSigner(SENDER);
          const foreign = await new Wallet(KEYS[0]).signTransaction({
            chainId: 26218,
            nonce: 0,
            to: TO,
            value: 2n,
            gasLimit: 21_000n,
            gasPrice: 10n ** 11n,
          });
          node.inject("eth_sendRawTransaction", {
            raw: (response) =>
              void node.chain
                .request({
                  method: "eth_sendRawTransaction",
                  params: [foreign],
                })
                .then(() => node.mine())
                .then(() => response.destroy()),
          });
          const sent = await signer.sendTransaction({ to: TO, value: 1n });
          assert.equal((await sent.wait()).status, 1);
          assert.equal(await c.ethers.provider.getBalance(TO), BALANCE + 3n);
        }),
    );

    it("bytes that are sent again wait for the other stack's turn", () =>
      withChain({ blockTimeMs: 300 }, async (c, { node }) => {
        const signer = await c.ethers.getSigner(SENDER);
        node.inject("eth_sendRawTransaction", () => {
          const end = Date.now() + 1_500;
          node.isReserved = () => Date.now() < end;
          return "drop-before";
        });
        const sent = await signer.sendTransaction({ to: TO, value: 1n });
        assert.equal((await sent.wait()).status, 1);
      }));

    it("a refusal among sends at once leaves no gap behind", () =>
      withChain({ blockTimeMs: 400 }, async (c, { node }) => {
        const signer = await c.ethers.getSigner(SENDER);
        // After this, what is asked only once has been asked.
        await signer.sendTransaction({ to: TO, value: 1n });
        let handed = 0;
        node.inject("eth_sendRawTransaction", () =>
          ++handed === 3
            ? { error: { code: -32000, message: "txpool is full" } }
            : undefined,
        );
        const results = await Promise.allSettled(
          Array.from({ length: 8 }, () =>
            signer
              .sendTransaction({ to: TO, value: 1n })
              .then((sent: any) => sent.wait()),
          ),
        );
        const refused = results.filter((r) => r.status === "rejected");
        assert.equal(refused.length, 1);
        assert.match(String(refused[0]?.reason), /txpool is full/);
        assert.equal(await c.ethers.provider.getBalance(TO), BALANCE + 8n);
      }));

    it("a gap whose filling is refused as well is left to the next send", () =>
      withChain({ blockTimeMs: 400 }, async (c, { node }) => {
        const signer = await c.ethers.getSigner(SENDER);
        await signer.sendTransaction({ to: TO, value: 1n });
        node.clear();
        let refusing = true;
        node.inject(
          "eth_sendRawTransaction",
          ([raw]) =>
            refusing && Transaction.from(raw).nonce === 2
              ? { error: { code: -32000, message: "txpool is full" } }
              : undefined,
          Infinity,
        );
        const sends = Array.from({ length: 4 }, () =>
          signer
            .sendTransaction({ to: TO, value: 1n })
            .then((sent: any) => sent.wait()),
        );
        const refused = await new Promise<unknown>((resolve) =>
          sends.forEach((sent) => void sent.catch(resolve)),
        );
        assert.match(String(refused), /txpool is full/);
        await new Promise((resolve) => setTimeout(resolve, 500));
        assert.ok(
          node.count("eth_sendRawTransaction") <= 7,
          "it does not try for ever",
        );
        refusing = false;
        const next = await signer.sendTransaction({ to: TO, value: 1n });
        assert.equal(next.nonce, 2);
        for (const end of await Promise.allSettled(sends)) {
          if (end.status === "rejected") {
            assert.match(String(end.reason), /txpool is full/);
          }
        }
      }));

    it("nor does one of a fee that is too low", () =>
      withChain({ blockTimeMs: 400 }, async (c) => {
        const signer = await c.ethers.getSigner(SENDER);
        const results = await Promise.allSettled(
          Array.from({ length: 4 }, async (_, i) => {
            const sent = await signer.sendTransaction({
              to: TO,
              value: 1n,
              gasLimit: 21_000n,
              maxFeePerGas: i === 1 ? 1n : 10n ** 10n,
              maxPriorityFeePerGas: 1n,
            });
            return (await sent.wait()).status;
          }),
        );
        assert.deepEqual(
          results.map((r) => (r.status === "fulfilled" ? r.value : "refused")),
          [1, "refused", 1, 1],
        );
      }));

    it("nor one of a raw transaction, behind which others were sent", () =>
      withChain({ blockTimeMs: 400 }, async (c, { node }) => {
        const raw = await new Wallet(KEYS[0]).signTransaction({
          chainId: 26218,
          nonce: 0,
          to: TO,
          value: BALANCE,
          gasLimit: 21_000n,
          gasPrice: 10n ** 11n,
        });
        node.inject("eth_sendRawTransaction", { heldMs: 1_500 });
        const refused = assert.rejects(
          c.provider.request({
            method: "eth_sendRawTransaction",
            params: [raw],
          }),
          /funds/,
        );
        while (node.count("eth_chainId") === 0) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        // One of a sender that asks for its nonce, and one that does not.
        const senders = [
          new Wallet(KEYS[0], c.ethers.provider),
          await c.ethers.getSigner(SENDER),
        ];
        for (const [i, sender] of senders.entries()) {
          const sent = await sender.sendTransaction({ to: TO, value: 1n });
          assert.equal(sent.nonce, 1 + i);
          if (i === 1) {
            assert.equal((await sent.wait()).status, 1);
          }
        }
        await refused;
      }));

    it("nor one of a transaction after which others have asked for their nonce", () =>
      withChain({ blockTimeMs: 400 }, async (c, { node }) => {
        const refused = assert.rejects(
          (async () => {
            const signer = await c.ethers.getSigner(SENDER);
            await signer.sendTransaction({
              to: TO,
              value: BALANCE,
              gasLimit: 21_000n,
            });
          })(),
          /funds/,
        );
        const wallet = new Wallet(KEYS[0], c.ethers.provider);
        let next: Promise<number> | undefined;
        node.inject("eth_sendRawTransaction", () => {
          next = wallet.getNonce("pending");
          return { heldMs: 1_000 };
        });
        await refused;
        const sent = await wallet.sendTransaction({
          to: TO,
          value: 1n,
          nonce: await next,
        });
        assert.equal(sent.nonce, 1);
        assert.equal((await sent.wait()).status, 1);
      }));
  });

  describe(`a node that is away for a while on ${major}`, () => {
    it("breaks neither reads nor waits nor sends", () =>
      withChain({ blockTimeMs: 300 }, async (c, { node }) => {
        const signer = await c.ethers.getSigner(SENDER);
        const before = await signer.sendTransaction({ to: TO, value: 1n });
        assert.equal((await before.wait()).status, 1);
        const sending = signer.sendTransaction({ to: TO, value: 1n });
        while (node.count("eth_sendRawTransaction") < 2) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        node.leave(Number(process.env["OUTAGE_MS"] ?? 4_000));
        const [balance, sent, late] = await Promise.all([
          c.ethers.provider.getBalance(ACCOUNTS[1]),
          sending.then((t: any) => t.wait()),
          signer
            .sendTransaction({ to: TO, value: 1n })
            .then((t: any) => t.wait()),
        ]);
        assert.ok(node.refused > 0);
        assert.ok(balance >= BALANCE + 1n);
        assert.deepEqual([sent.status, late.status], [1, 1]);
      }));

    it("breaks nothing if it has just started and has no block yet", () =>
      withChain({}, async (c, { node }) => {
        await c.provider.request({ method: "eth_chainId" });
        node.inject(
          "eth_getBalance",
          {
            error: {
              code: -32000,
              message:
                "rpc error: code = Unknown desc = context did not contain latest block height",
            },
          },
          5,
        );
        assert.equal(await c.ethers.provider.getBalance(TO), BALANCE);
      }));
  });

  describe(`a node far away on ${major}`, () => {
    it("20 sends at once take at most twice the time of viem without Hardhat", () =>
      withChain(
        { blockTimeMs: 300, latencyMs: 400, fill: true },
        async (c, { node }) => {
          const bare = createWalletClient({
            account: privateKeyToAccount(KEYS[1], { nonceManager }),
            chain: viemChain,
            transport: http(node.evmUrl),
          });
          const took = async (send: () => Promise<unknown>) => {
            const start = performance.now();
            await Promise.all(Array.from({ length: MANY }, send));
            return performance.now() - start;
          };
          const byViem = await took(() =>
            bare.sendTransaction({ to: TO, value: 1n }),
          );
          // Keys and the chain ID are asked for only once, before measuring.
          await c.provider.request({ method: "eth_accounts" });
          await c.provider.request({ method: "eth_chainId" });
          const byPlugin = await took(() =>
            c.provider.request({
              method: "eth_sendTransaction",
              params: [{ from: SENDER, to: TO, value: "0x1" }],
            }),
          );
          assert.ok(
            byPlugin <= 2 * byViem,
            `${Math.round(byPlugin)} ms against ${Math.round(byViem)} ms`,
          );
        },
      ));
  });
}
