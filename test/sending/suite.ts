import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { ACCOUNTS, KEYS } from "../helpers/chain.js";
import { artifactOf, COUNTER } from "../helpers/contracts.js";
import type { Client, Major, Started } from "../helpers/majors.js";
import type { EvmNode } from "../servers/evm-node.js";

type Send<C extends Client> = (client: C) => Promise<string[]>;

/** Senders besides those of ethers. */
export interface Senders<C extends Client> {
  readonly manyAtOnce?: Readonly<Record<string, Send<C>>>;
  readonly manyInARow?: Readonly<Record<string, Send<C>>>;
}

export const MANY = 20;
export const [SENDER, TO] = ACCOUNTS;

async function nonceOf(
  node: EvmNode,
  address: string = SENDER,
): Promise<number> {
  return Number(
    await node.chain.request({
      method: "eth_getTransactionCount",
      params: [address, "latest"],
    }),
  );
}

/**
 * Waits until the chain has included that many transactions, then checks each.
 */
async function expectIncluded(
  node: EvmNode,
  hashes: readonly string[],
  first: number,
): Promise<void> {
  for (
    let i = 0;
    i < 100 && (await nonceOf(node)) < first + hashes.length;
    i++
  ) {
    await node.mine();
  }
  assert.equal(
    await nonceOf(node),
    first + hashes.length,
    "every transaction is in a block, and no other",
  );
  assert.equal(
    new Set(hashes).size,
    hashes.length,
    "identical transactions are different ones",
  );
  for (const hash of hashes) {
    const receipt: any = await node.chain.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    });
    assert.equal(receipt?.status, "0x1", `${hash} succeeded`);
  }
}

/** Waits until `count` transactions are in the node's mempool. */
async function pendingHashes(node: EvmNode, count: number): Promise<string[]> {
  for (;;) {
    const pending: any = await node.chain.request({
      method: "eth_pendingTransactions",
    });
    if (pending.length >= count) {
      return pending.map(({ hash }: any) => hash);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const times = <T>(send: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: MANY }, (_, i) => send(i)));

const TOGETHER: Record<string, Send<Client>> = {
  "an ethers signer": async (c) => {
    const signer = await c.ethers.getSigner(SENDER);
    const sent = await times(() =>
      signer.sendTransaction({ to: TO, value: 1n }),
    );
    return sent.map(({ hash }: any) => hash);
  },
  "the provider": (c) =>
    times(() =>
      c.provider.request({
        method: "eth_sendTransaction",
        params: [{ from: SENDER, to: TO, value: "0x1" }],
      }),
    ),
};

/**
 * Tests how transactions reach the chain, and what their senders learn, on one
 * major of Hardhat.
 */
export function testSending<C extends Client>(
  {
    name: major,
    libraries: { Contract, Transaction, Wallet, buildModule },
    manyConnections,
    start,
  }: Major<C>,
  { manyAtOnce = {}, manyInARow = {} }: Senders<C> = {},
): void {
  const IN_A_ROW: Record<string, Send<Client>> = {
    "an ethers.Wallet": async (c) => {
      const wallet = new Wallet(KEYS[0], c.ethers.provider);
      const hashes = [];
      for (let i = 0; i < MANY; i++) {
        hashes.push((await wallet.sendTransaction({ to: TO, value: 1n })).hash);
      }
      return hashes;
    },
  };

  const THREE_AND_A_CALL = (id: string) =>
    buildModule(id, (m: any) => {
      const counter = (start: number, options: object) =>
        m.contract("Counter", artifactOf("Counter", COUNTER), [start], options);
      const first = counter(1, { id: "first" });
      const second = counter(2, { id: "second", after: [first] });
      const third = counter(3, { id: "third" });
      m.call(second, "add", [5]);
      return { first, second, third };
    });

  for (const accounts of ["local", "remote"] as const) {
    for (const fill of [false, true]) {
      describe(`sending without a pending state on ${major}: ${accounts} keys, ${fill ? "with" : "without"} eth_fillTransaction`, () => {
        let chain: Started<C>;

        before(async () => {
          chain = await start({ accounts, fill, blockTimeMs: 300 });
        });
        after(() => chain.close());

        const connected = async (use: (c: C) => Promise<void>) => {
          const client = await chain.connect();
          try {
            await use(client);
          } finally {
            await client.close();
          }
        };

        for (const [name, send] of Object.entries({
          ...TOGETHER,
          ...manyAtOnce,
        })) {
          it(`${MANY} at once from ${name}`, () =>
            connected(async (c) => {
              const first = await nonceOf(chain.node);
              await expectIncluded(chain.node, await send(c), first);
            }));
        }

        for (const [name, send] of Object.entries({
          ...IN_A_ROW,
          ...manyInARow,
        })) {
          it(`${MANY} in a row, none waited for, from ${name}`, () =>
            connected(async (c) => {
              const first = await nonceOf(chain.node);
              await expectIncluded(chain.node, await send(c), first);
            }));
        }

        it("Ignition: dependent contracts and a call, one confirmation, slow blocks", () =>
          connected(async (c) => {
            const { second } = await c.ignition.deploy(
              THREE_AND_A_CALL(`Many${accounts}${fill}`),
            );
            assert.equal(await second.getFunction("count").staticCall(), 7n);
          }));
      });
    }
  }

  describe(`sends that go wrong on ${major}`, () => {
    let chain: Started<C>;

    before(async () => {
      chain = await start({ blockTimeMs: 200, txpool: true });
    });
    after(() => chain.close());

    it("a failed send leaves no gap", async () => {
      const { node } = chain;
      const c = await chain.connect();
      const signer = await c.ethers.getSigner(SENDER);
      const first = await nonceOf(node);
      const results = await Promise.allSettled(
        Array.from({ length: 6 }, (_, i) =>
          // More than the account has: refused before it is sent.
          signer.sendTransaction({
            to: TO,
            value: i % 2 === 0 ? 1n : 10n ** 30n,
          }),
        ),
      );
      assert.deepEqual(
        results.map(({ status }) => status),
        [
          "fulfilled",
          "rejected",
          "fulfilled",
          "rejected",
          "fulfilled",
          "rejected",
        ],
      );
      const hashes = results.flatMap((r: any) =>
        r.status === "fulfilled" ? [r.value.hash] : [],
      );
      await expectIncluded(node, hashes, first);
      await c.close();
    });

    if (manyConnections) {
      it("two connections of one account count nonces together", async () => {
        const { node } = chain;
        const [a, b] = [await chain.connect(), await chain.connect()];
        const first = await nonceOf(node);
        const signers = [
          await a.ethers.getSigner(SENDER),
          await b.ethers.getSigner(SENDER),
        ];
        const sent = await times<any>((i) =>
          signers[i % 2].sendTransaction({ to: TO, value: 1n }),
        );
        await expectIncluded(
          node,
          sent.map(({ hash }) => hash),
          first,
        );
        await a.close();
        await b.close();
      });
    }

    it("a nonce that another process has taken is skipped", async () => {
      const { node } = chain;
      const c = await chain.connect();
      const signer = await c.ethers.getSigner(ACCOUNTS[1]);
      const nonce = await nonceOf(node, ACCOUNTS[1]);
      const foreign = await new Wallet(KEYS[1]).signTransaction({
        chainId: 26218,
        nonce,
        to: TO,
        value: 5n,
        gasLimit: 21_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 10n ** 10n,
      });
      // Straight to the node, past this Hardhat.
      await fetch(node.evmUrl, {
        method: "POST",
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "eth_sendRawTransaction",
          params: [foreign],
        }),
      });
      const transaction = await signer.sendTransaction({
        to: SENDER,
        value: 1n,
      });
      assert.equal(transaction.nonce, nonce + 1);
      assert.equal((await transaction.wait())?.status, 1);
      await c.close();
    });

    it("a nonce that is used up before the transaction arrives is replaced", async () => {
      const { node } = chain;
      const c = await chain.connect();
      const signer = await c.ethers.getSigner(SENDER);
      const first = await nonceOf(node);
      node.inject("eth_sendRawTransaction", {
        error: {
          code: -32000,
          message: `nonce too low: next nonce ${first + 1}, tx nonce ${first}`,
        },
      });
      const transaction = await signer.sendTransaction({ to: TO, value: 1n });
      await expectIncluded(node, [transaction.hash], first);
      await c.close();
    });

    for (const [name, fault] of [
      ["after the node acted", "drop"],
      ["before the node acted", "drop-before"],
    ] as const) {
      it(`an answer that is lost ${name}: one transaction, by its hash`, async () => {
        const { node } = chain;
        const c = await chain.connect();
        const signer = await c.ethers.getSigner(SENDER);
        const first = await nonceOf(node);
        node.clear();
        node.inject("eth_sendRawTransaction", fault);
        const transaction = await signer.sendTransaction({ to: TO, value: 3n });
        await expectIncluded(node, [transaction.hash], first);
        const sent = node.requests.filter(
          ({ method }) => method === "eth_sendRawTransaction",
        );
        const hashes = new Set(
          sent.map(({ params }) => Transaction.from(params[0]).hash),
        );
        assert.deepEqual(
          [...hashes],
          [transaction.hash],
          "only these bytes were ever sent",
        );
        assert.equal(
          sent.length,
          fault === "drop" ? 1 : 2,
          "sent again only where the node did not have it",
        );
        await c.close();
      });
    }

    it("a lost answer is followed up too where the node hides its pool", async () => {
      const other = await start({ blockTimeMs: 200, txpool: false });
      try {
        const c = await other.connect();
        const signer = await c.ethers.getSigner(SENDER);
        other.node.inject("eth_sendRawTransaction", "drop");
        const transaction = await signer.sendTransaction({ to: TO, value: 3n });
        await expectIncluded(other.node, [transaction.hash], 0);
        assert.equal(other.node.count("eth_sendRawTransaction"), 1);
      } finally {
        await other.close();
      }
    });

    it("a transaction that was dropped silently is sent again", async () => {
      const slow = await start({ blockTimeMs: 0 });
      try {
        const { node } = slow;
        const c = await slow.connect();
        const signer = await c.ethers.getSigner(SENDER);
        const sending = signer.sendTransaction({ to: TO, value: 3n });
        const [hash = ""] = await pendingHashes(node, 1);
        await node.forget(hash);
        const mining = setInterval(() => void node.mine(), 500);
        try {
          const receipt = await (await sending).wait();
          assert.equal(receipt?.hash, hash);
          assert.equal(receipt?.status, 1);
        } finally {
          clearInterval(mining);
        }
        assert.equal(node.count("eth_sendRawTransaction"), 2);
      } finally {
        await slow.close();
      }
    });

    it("a pending transaction is shown, though the node hides it", async () => {
      const slow = await start({ blockTimeMs: 0 });
      try {
        const c = await slow.connect();
        const hash = await c.provider.request({
          method: "eth_sendTransaction",
          // As Ignition sends it, which takes a hidden transaction for dropped.
          params: [
            {
              from: SENDER,
              to: TO,
              value: "0x7",
              data: "0x1234",
              nonce: "0x0",
            },
          ],
        });
        const shown: any = await c.provider.request({
          method: "eth_getTransactionByHash",
          params: [hash],
        });
        assert.equal(shown.blockNumber, null);
        await slow.node.mine();
        const real: any = await c.provider.request({
          method: "eth_getTransactionByHash",
          params: [hash],
        });
        for (const field of [
          "hash",
          "from",
          "to",
          "nonce",
          "value",
          "input",
          "gas",
          "type",
          "chainId",
          "v",
          "r",
          "s",
          "maxFeePerGas",
        ]) {
          assert.equal(shown[field], real[field], field);
        }
      } finally {
        await slow.close();
      }
    });

    it("waiting ends when the nonce was used by another transaction", async () => {
      const slow = await start({ blockTimeMs: 0, receiptHoldMs: 100 });
      try {
        const { node } = slow;
        const c = await slow.connect();
        const signer = await c.ethers.getSigner(SENDER);
        const sending = signer.sendTransaction({ to: TO, value: 3n });
        const [hash = ""] = await pendingHashes(node, 1);
        await node.forget(hash);
        const other = await new Wallet(KEYS[0]).signTransaction({
          chainId: 26218,
          nonce: 0,
          to: TO,
          value: 5n,
          gasLimit: 21_000n,
          maxFeePerGas: 10n ** 11n,
          maxPriorityFeePerGas: 10n ** 10n,
        });
        await node.chain.request({
          method: "eth_sendRawTransaction",
          params: [other],
        });
        for (let i = 0; i < 4; i++) {
          await node.mine();
        }
        const transaction = await sending;
        assert.equal(transaction.hash, hash);
        const standIn: any = await c.provider.request({
          method: "eth_getTransactionReceipt",
          params: [hash],
        });
        assert.equal(standIn.blockNumber, "0x1", "where the nonce was used");
        assert.match(
          slow.messages.join(),
          /nonce 0 is used, but the transaction has no receipt and never will|replaced/,
        );
        await assert.rejects(
          transaction.wait(),
          /transaction execution reverted|replaced/,
        );
      } finally {
        await slow.close();
      }
    });
  });

  describe(`a chain that is started again at the same URL on ${major}`, () => {
    async function sendTwo(c: C): Promise<any> {
      const signer = await c.ethers.getSigner(SENDER);
      for (const value of [1n, 2n]) {
        await (await signer.sendTransaction({ to: TO, value })).wait();
      }
      return signer;
    }
    const portOf = ({ node }: Started<C>) => Number(new URL(node.baseUrl).port);

    for (const [what, blockTimeMs] of [
      ["has passed the old one's blocks", 50],
      ["has no blocks yet", 0],
    ] as const) {
      it(`is counted anew where it ${what}`, async () => {
        const old = await start({ blockTimeMs: 50 });
        const before = await old.connect();
        await sendTwo(before);
        await before.close();
        const port = portOf(old);
        await old.close();
        const fresh = await start({ port, blockTimeMs });
        try {
          const c = await fresh.connect();
          const signer = await c.ethers.getSigner(SENDER);
          const sending = signer.sendTransaction({ to: TO, value: 1n });
          if (blockTimeMs === 0) {
            await pendingHashes(fresh.node, 1);
            await fresh.node.mine();
          }
          const sent = await sending;
          assert.equal(sent.nonce, 0);
          assert.equal((await sent.wait())?.status, 1);
          assert.equal(await nonceOf(fresh.node), 1);
          await c.close();
        } finally {
          await fresh.close();
        }
      });
    }

    it("ends the wait for a transaction that counts on from the old one", async () => {
      const old = await start({ blockTimeMs: 50 });
      const c = await old.connect();
      const signer = await sendTwo(c);
      const port = portOf(old);
      await old.close();
      const fresh = await start({ port, blockTimeMs: 50 });
      try {
        const sent = await signer.sendTransaction({ to: TO, value: 3n });
        assert.equal(sent.nonce, 2);
        await assert.rejects(sent.wait(), /transaction execution reverted/);
        assert.match(
          [...old.messages, ...fresh.messages].join("\n"),
          // It cannot be traced.
          new RegExp(
            `${sent.hash} failed.*the chain was set back or replaced by another one at the same URL.*Send it again\\.$`,
            "m",
          ),
        );
        const again = await signer.sendTransaction({ to: TO, value: 3n });
        assert.equal(again.nonce, 0);
        assert.equal((await again.wait())?.status, 1);
        await c.close();
      } finally {
        await fresh.close();
      }
    });
  });

  describe(`counts that are lower than before on ${major}`, () => {
    it("are believed after a while, though nothing was sent from here", async () => {
      const chain = await start({ blockTimeMs: 100 });
      const c = await chain.connect();
      const signer = await c.ethers.getSigner(SENDER);
      const { node } = chain;
      try {
        // As if others had sent.
        const answer = { result: "0x5" };
        node.inject("eth_getTransactionCount", answer);
        assert.equal(await signer.getNonce("pending"), 5);
        const sent = await signer.sendTransaction({ to: TO, value: 1n });
        assert.equal(sent.nonce, 0);
        assert.equal((await sent.wait())?.status, 1);
      } finally {
        await c.close();
        await chain.close();
      }
    });

    it("do not end what is pending where the node is only behind", async () => {
      const chain = await start({ blockTimeMs: 0 });
      const { node } = chain;
      const c = await chain.connect();
      try {
        const signer = await c.ethers.getSigner(SENDER);
        // Its first block is older than its first receipt.
        await node.mine();
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        const first = signer.sendTransaction({ to: TO, value: 1n });
        await pendingHashes(node, 1);
        await node.mine();
        const { blockNumber } = (await (await first).wait()) ?? {};
        const sending = signer.sendTransaction({ to: TO, value: 2n });
        const params = await pendingHashes(node, 1);
        const nothing = { result: null };
        node.inject("eth_getTransactionCount", { result: "0x0" }, 1_000);
        node.inject(
          "eth_getBlockByNumber",
          ([number]) => (Number(number) === blockNumber ? nothing : undefined),
          1_000,
        );
        await new Promise((resolve) => setTimeout(resolve, 9_000));
        assert.equal(
          await c.provider.request({
            method: "eth_getTransactionReceipt",
            params,
          }),
          null,
        );
        node.clearFaults();
        await node.mine();
        assert.equal((await (await sending).wait())?.status, 1);
        assert.doesNotMatch(chain.messages.join("\n"), /Send it again/);
      } finally {
        await c.close();
        await chain.close();
      }
    });
  });

  describe(`transactions that fail in their block on ${major}`, () => {
    it("out of gas at the limit, and a revert, are told apart", async (t) => {
      const chain = await start({ blockTimeMs: 100 });
      const { messages } = chain;
      t.after(() => chain.close());
      const c = await chain.connect();
      const factory = await c.ethers.getContractFactory(
        COUNTER.abi,
        COUNTER.bytecode,
      );
      const deployed = await (await factory.deploy(0)).waitForDeployment();
      const counter = new Contract(
        await deployed.getAddress(),
        COUNTER.abi,
        await c.ethers.getSigner(SENDER),
      );

      const short = await counter
        .getFunction("add")
        .send(1, { gasLimit: 30_000n });
      await assert.rejects(short.wait());
      assert.match(
        messages.join("\n"),
        new RegExp(
          `${short.hash} failed on testnet: out of gas: the whole limit of 30000 was used\\. Give a higher gas limit, or none`,
        ),
      );

      messages.length = 0;
      const reverting = await counter
        .getFunction("add")
        .send(0, { gasLimit: 100_000n });
      await assert.rejects(reverting.wait());
      assert.match(messages.join("\n"), /nothing to add'?\. To see where/);
    });
  });

  describe(`the wrong chain on ${major}`, () => {
    it("is refused before anything is signed or sent", async () => {
      const chain = await start({ chainId: 9000 });
      try {
        const c = await chain.connect();
        await assert.rejects(
          c.provider.request({ method: "eth_chainId" }),
          /chain ID is 9000, but the network's is 26218/,
        );
        await assert.rejects(
          new Wallet(KEYS[0], c.ethers.provider).sendTransaction({
            to: TO,
            value: 1n,
          }),
          /chain ID is 9000/,
        );
        await assert.rejects(
          c.provider.request({
            method: "eth_sendTransaction",
            params: [{ from: SENDER, to: TO }],
          }),
          /chain ID is 9000/,
        );
        assert.equal(chain.node.count("eth_sendRawTransaction"), 0);
        assert.deepEqual(
          [...new Set(chain.node.requests.map(({ method }) => method))],
          ["eth_chainId"],
        );
      } finally {
        await chain.close();
      }
    });

    it("is refused when it is there after the node was away", async () => {
      const chain = await start();
      const c = await chain.connect();
      const balance = () =>
        c.provider.request({
          method: "eth_getBalance",
          params: [SENDER, "latest"],
        });
      await balance();
      const port = Number(new URL(chain.node.baseUrl).port);
      await chain.close();
      const reading = balance();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const other = await start({ chainId: 9000, port });
      try {
        await assert.rejects(reading, /chain ID is 9000/);
        await assert.rejects(balance(), /chain ID is 9000/);
        await c.close();
      } finally {
        await other.close();
      }
    });
  });
}
