import assert from "node:assert/strict";

import { createWalletClient, custom } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { KEYS, viemChain } from "../helpers/chain.js";
import { type Connection3, HARDHAT_3 } from "../helpers/majors.js";
import { MANY, SENDER, testSending, times, TO } from "../sending/suite.js";

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
