import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Transaction } from "ethers";
import { createWalletClient, custom } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { KEYS, viemChain } from "../helpers/chain.js";
import { compile } from "../helpers/contracts.js";
import { type Connection3, HARDHAT_3 } from "../helpers/majors.js";
import { MANY, SENDER, testSending, times, TO } from "../sending/suite.js";

const BOX = compile("contract Box { receive() external payable {} }", "Box");

async function walletClient(c: Connection3) {
  const [client] = await c.viem.getWalletClients({ chain: viemChain });
  assert.ok(client !== undefined);
  return client;
}

testSending(HARDHAT_3, {
  manyAtOnce: {
    "a viem wallet client": async (c) => {
      const client = await walletClient(c);
      return await times(() => client.sendTransaction({ to: TO, value: 1n }));
    },
    "an ethers signer and a viem wallet client": async (c) => {
      const signer = await c.ethers.getSigner(SENDER);
      const client = await walletClient(c);
      return await times(async (i) =>
        i % 2 === 0
          ? (await signer.sendTransaction({ to: TO, value: 1n })).hash
          : await client.sendTransaction({ to: TO, value: 1n }),
      );
    },
  },
  manyInARow: {
    "a viem local account": async (c) => {
      const client = createWalletClient({
        account: privateKeyToAccount(KEYS[0]),
        chain: viemChain,
        transport: custom(c.provider),
      });
      const hashes = [];
      for (let i = 0; i < MANY; i++) {
        hashes.push(await client.sendTransaction({ to: TO, value: 1n }));
      }
      return hashes;
    },
  },
});

describe("an empty field for data", () => {
  it("is signed as no data, so that a contract can just receive", async (t) => {
    const { node, connect, close } = await HARDHAT_3.start({ blockTimeMs: 50 });
    const c = await connect();
    t.after(async () => {
      await c.close();
      await close();
    });
    const box = await (
      await c.ethers.getContractFactory(BOX.abi, BOX.bytecode)
    ).deploy();
    const to = await (await box.waitForDeployment()).getAddress();
    const hash = await c.provider.request({
      method: "eth_sendTransaction",
      params: [{ from: SENDER, to, value: "0x5", data: "0x" }],
    });
    await c.ethers.provider.waitForTransaction(hash);
    assert.equal(await c.ethers.provider.getBalance(to), 5n);

    const module = HARDHAT_3.libraries.buildModule("Send", (m: any) => {
      m.send("pay", to, 7n);
      return {};
    });
    await (c as any).ignition.deploy(module);
    assert.equal(await c.ethers.provider.getBalance(to), 12n);
    assert.ok(node.count("eth_sendRawTransaction") >= 3);
  });
});

describe("transactions that the node forgot and refuses for now", () => {
  it("are sent again until it takes them; others get an end", async (t) => {
    const chain = await HARDHAT_3.start({ blockTimeMs: 0 });
    const { node } = chain;
    const c = await chain.connect();
    t.after(async () => {
      await c.close();
      await chain.close();
    });
    const signers = await c.ethers.getSigners();
    const refusals = [
      "inserting tx: max fee per gas (1) is lower than the base fee (2): insufficient fee",
      "insufficient funds for gas * price + value",
    ];
    const sending = signers.map((signer: any) =>
      signer.sendTransaction({ to: TO, value: 1n }),
    );
    const behind = signers[1]?.sendTransaction({ to: TO, value: 2n });
    while (node.count("eth_sendRawTransaction") < 3) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await node.restart();
    const again = new Set<string>();
    node.inject(
      "eth_sendRawTransaction",
      ([raw]) => {
        const { from, nonce } = Transaction.from(raw);
        const of = signers.findIndex(({ address }: any) => address === from);
        const message = refusals[of] ?? "";
        const refused = nonce === 0 && !again.has(message);
        again.add(message);
        return refused ? { error: { code: -32000, message } } : undefined;
      },
      Infinity,
    );
    const mining = setInterval(() => void node.mine(), 300);
    t.after(() => clearInterval(mining));
    const [cheap, poor, last] = await Promise.all([...sending, behind]);
    assert.equal((await cheap.wait()).status, 1);
    await assert.rejects(poor.wait(), /transaction execution reverted/);
    assert.match(
      chain.messages.join("\n"),
      /the node forgot the transaction, and now refuses it: insufficient funds/,
    );
    assert.equal((await last?.wait())?.status, 1);
  });
});
