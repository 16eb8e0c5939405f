/**
 * Run by soak.test.ts in separate processes. Sends in all ways from five
 * accounts, each time a different value, and prints a line for each: its value,
 * the way, its hash or why it failed, and how long it took.
 */
import hardhatViem from "@nomicfoundation/hardhat-viem";
import { HDNodeWallet, type TransactionResponse, Wallet } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { createWalletClient, custom } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import plugin from "../../src/index.js";
import { waitForReceipt } from "../../src/rpc/wait-for-receipt.js";
import { Queue } from "../../src/support/async.js";
import { viemChain } from "../helpers/chain.js";
import { randomOf } from "./random.js";

const [
  baseUrl = "",
  nodeRpcUrl = "",
  recipient = "",
  seed = "1",
  count = "1",
  first = "1",
] = process.argv.slice(2);
const ACCOUNTS = 5;
const to = recipient as `0x${string}`;
const random = randomOf(Number(seed));
const pick = (n: number) => Math.floor(random() * n);

const hre = await createHardhatRuntimeEnvironment({
  plugins: [plugin, hardhatViem],
  dualstack: { testnet: { baseUrl, nodeRpcUrl } },
});

function ended(hash: string, succeeded: boolean): string {
  if (!succeeded) {
    throw new Error(`${hash} has failed`);
  }
  return hash;
}

async function open(index: number) {
  const { privateKey, address } = HDNodeWallet.fromPhrase(
    "test test test test test test test test test test test junk",
    undefined,
    `m/44'/60'/0'/0/${index}`,
  );
  const key = privateKey as `0x${string}`;
  const c = await hre.network.create({
    network: "testnet",
    override: { accounts: [key], timeout: 10_000 },
  });
  const signer = await c.ethers.getSigner(address);
  const client = await c.viem.getWalletClient(address as `0x${string}`, {
    chain: viemChain,
  });
  const wallet = new Wallet(key, c.ethers.provider);
  const local = createWalletClient({
    account: privateKeyToAccount(key),
    chain: viemChain,
    transport: custom(c.provider),
  });
  const { account } = c.dualstack.address(address);
  const { account: receiver } = c.dualstack.address(to);
  const framework = await c.dualstack.frameworkSender();
  // Libraries that choose nonces themselves send one after another.
  const queue = new Queue();
  // Each way waits for the block as its library does.
  const mined = async (hash: `0x${string}`): Promise<string> => {
    const reader = await c.viem.getPublicClient({ chain: viemChain });
    const { status, transactionHash } = await reader.waitForTransactionReceipt({
      hash,
    });
    // viem returns the receipt of another transaction if that took the nonce.
    return ended(hash, status === "success" && transactionHash === hash);
  };
  const waited = async (sent: TransactionResponse): Promise<string> =>
    ended(sent.hash, (await sent.wait())?.status === 1);
  const ways: Record<string, (value: bigint) => Promise<string>> = {
    signer: async (value) =>
      await waited(await signer.sendTransaction({ to, value })),
    client: async (value) =>
      await mined(await client.sendTransaction({ to, value })),
    provider: async (value) => {
      const hash = String(
        await c.provider.request({
          method: "eth_sendTransaction",
          params: [{ from: address, to, value: `0x${value.toString(16)}` }],
        }),
      );
      const { status } = await waitForReceipt(c.provider, hash);
      return ended(hash, status === "success");
    },
    wallet: async (value) =>
      await waited(
        await queue.run(
          async () => await wallet.sendTransaction({ to, value }),
        ),
      ),
    local: async (value) =>
      await mined(
        await queue.run(async () => await local.sendTransaction({ to, value })),
      ),
    framework: async (value) => {
      const { hash } = await framework.send(
        [
          {
            typeUrl: "/cosmos.bank.v1beta1.MsgSend",
            value: {
              fromAddress: account,
              toAddress: receiver,
              amount: [{ denom: "atest", amount: String(value) }],
            },
          },
        ],
        { gas: 200_000n },
      );
      return hash;
    },
  };
  return { ways, close: () => c.close() };
}

const accounts = await Promise.all(
  Array.from({ length: ACCOUNTS }, (_, i) => open(i)),
);

async function send(value: bigint): Promise<void> {
  const account = accounts[pick(ACCOUNTS)];
  const names = Object.keys(account?.ways ?? {});
  const way = names[pick(names.length)] ?? "";
  const start = Date.now();
  let end: { readonly hash?: string; readonly error?: string };
  try {
    end = { hash: await account?.ways[way]?.(value) };
  } catch (error) {
    end = { error: String(error).slice(0, 500) };
  }
  console.log(
    JSON.stringify({
      value: String(value),
      way,
      ms: Date.now() - start,
      ...end,
    }),
  );
}

const pending: Promise<void>[] = [];
for (let sent = 0; sent < Number(count); ) {
  const together = Math.min(Number(count) - sent, 1 + pick(12));
  const group = Array.from({ length: together }, (_, i) =>
    send(BigInt(first) + BigInt(sent + i)),
  );
  sent += together;
  // Waits for half of the groups, and for the first send of the others.
  await (random() < 0.5 ? Promise.all(group) : group[0]);
  pending.push(...group);
}
await Promise.all(pending);
await Promise.all(accounts.map(async (account) => await account.close()));
