/**
 * Run by soak.test.ts in processes of its own: sends by all ways from five
 * accounts, and prints a line for each send: its hash, or why it failed.
 */
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import plugin from "../../src/index.js";
import { viemChain } from "../helpers/chain.js";
import { randomOf } from "./random.js";

const [baseUrl = "", seed = "1", count = "1", wei = "1"] =
  process.argv.slice(2);
// Its own: equal bytes of two processes cannot be told apart when an answer is lost.
const value = BigInt(wei);
const random = randomOf(Number(seed));
const hre = await createHardhatRuntimeEnvironment({
  plugins: [plugin, hardhatViem],
  dualstack: {
    testnet: {
      baseUrl,
      accounts: {
        mnemonic: "test test test test test test test test test test test junk",
        count: 5,
      },
    },
  },
});
const c = await hre.network.create("testnet");
const signers = await c.ethers.getSigners();
const clients = await c.viem.getWalletClients({ chain: viemChain });
const to = `0x${"42".repeat(20)}` as const;

const ways: readonly ((account: number) => Promise<string>)[] = [
  async (account) =>
    (await signers[account]?.sendTransaction({ to, value }))?.hash ?? "",
  async (account) =>
    (await clients[account]?.sendTransaction({ to, value })) ?? "",
  async (account) =>
    String(
      await c.provider.request({
        method: "eth_sendTransaction",
        params: [
          {
            from: signers[account]?.address,
            to,
            value: `0x${value.toString(16)}`,
          },
        ],
      }),
    ),
];

async function sendOne(): Promise<void> {
  const way = ways[Math.floor(random() * ways.length)];
  try {
    const hash = await way?.(Math.floor(random() * 5));
    console.log(JSON.stringify({ hash }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error).slice(0, 300) }));
  }
}

const pending: Promise<void>[] = [];
for (let left = Number(count); left > 0; ) {
  const together = Math.min(left, 1 + Math.floor(random() * 12));
  left -= together;
  const group = Array.from({ length: together }, sendOne);
  await (random() < 0.5 ? Promise.all(group) : group[0]);
  pending.push(...group);
}
await Promise.all(pending);
await c.close();
