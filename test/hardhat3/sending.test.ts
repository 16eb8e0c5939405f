import assert from "node:assert/strict";

import ignition from "@nomicfoundation/hardhat-ignition-ethers";
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { buildModule } from "@nomicfoundation/ignition-core";
import { Contract, Transaction, Wallet } from "ethers";
import type { NetworkConnection } from "hardhat/types/network";
import { createWalletClient, custom } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { KEYS, startChain, viemChain } from "../helpers/chain.js";
import { MANY, SENDER, testSending, times, TO } from "../sending/suite.js";

type Connection = NetworkConnection & { readonly provider: any };

async function walletClient(c: Connection) {
  const [client] = await c.viem.getWalletClients({ chain: viemChain });
  assert.ok(client !== undefined);
  return client;
}

testSending<Connection>({
  name: "Hardhat 3",
  libraries: { Contract, Transaction, Wallet, buildModule },
  manyConnections: true,
  together: {
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
  inARow: {
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
  start: async (options) => {
    const chain = await startChain({
      ...options,
      config: { plugins: [ignition, hardhatViem] },
    });
    const messages: string[] = [];
    chain.hre.hooks.registerHandlers("userInterruptions", {
      displayMessage: async (_context, _interruptor, message) =>
        void messages.push(message),
    });
    return {
      node: chain.node,
      messages,
      connect: () => chain.hre.network.create("testnet"),
      close: () => chain.close(),
    };
  },
});
