import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { createWalletClient, custom, getContractAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { KEYS, viemChain } from "../helpers/chain.js";
import { COUNTER } from "../helpers/contracts.js";
import { HARDHAT_3 } from "../helpers/majors.js";
import { methodsOf, testAwaited } from "../sending/awaited.js";
import { SENDER, TO } from "../sending/suite.js";

testAwaited(HARDHAT_3);

describe("viem on a real node", () => {
  it("waits for a contract's creation before calling it", async () => {
    const chain = await HARDHAT_3.start({ blockTimeMs: 1_000 });
    const c = await chain.connect();
    const [client] = await c.viem.getWalletClients({ chain: viemChain });
    await client?.deployContract({
      abi: COUNTER.abi,
      bytecode: COUNTER.bytecode,
      args: [1n],
    });
    const hash = await client?.writeContract({
      address: getContractAddress({ from: SENDER, nonce: 0n }),
      abi: COUNTER.abi,
      functionName: "add",
      args: [1n],
    });
    const publicClient = await c.viem.getPublicClient({ chain: viemChain });
    const receipt = await publicClient.waitForTransactionReceipt({
      hash: hash ?? "0x",
      pollingInterval: 200,
    });
    assert.equal(receipt.status, "success");
    await c.close();
    await chain.close();
  });

  // One more than a node needs that estimates on the newest block when it fills
  // a transaction in.
  it("a local account takes 4 requests, the receipt included", async () => {
    const chain = await HARDHAT_3.start({ blockTimeMs: 500, fill: true });
    const c = await chain.connect();
    const client = createWalletClient({
      account: privateKeyToAccount(KEYS[0]),
      chain: viemChain,
      transport: custom(c.provider),
    });
    const send = async () => {
      chain.node.clear();
      const hash = await client.sendTransaction({ to: TO, value: 1n });
      for (;;) {
        const receipt = await c.provider.request({
          method: "eth_getTransactionReceipt",
          params: [hash],
        });
        if (receipt !== null) {
          return methodsOf(chain.node);
        }
      }
    };
    await send();
    const methods = await send();
    assert.ok(methods.length <= 4, methods.join());
    await c.close();
    await chain.close();
  });
});
