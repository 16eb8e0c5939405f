import assert from "node:assert/strict";
import { it } from "node:test";

import { JsonRpcApiProvider, Network, Wallet } from "ethers";

import { lostReceipt } from "../../src/sending/lost.js";
import { KEYS } from "../helpers/chain.js";

it("a receipt in place of a missing one has an empty block hash, and libraries can read it", async () => {
  const raw = await new Wallet(KEYS[0]).signTransaction({
    to: `0x${"12".repeat(20)}`,
    gasLimit: 60_000n,
    gasPrice: 1n,
    chainId: 26218,
    nonce: 3,
  });
  const hash = `0x${"ab".repeat(32)}`;
  const from = `0x${"34".repeat(20)}`;
  const receipt = await lostReceipt({ hash, from, raw }, 16n, "a reason");
  assert.equal(receipt["blockHash"], `0x${"00".repeat(32)}`);
  assert.equal(receipt["blockNumber"], "0x10");
  class Provider extends JsonRpcApiProvider {
    override async _send(): Promise<never> {
      return await Promise.reject(new Error("nothing is asked"));
    }
  }
  const network = Network.from(26218);
  const read = new Provider(network, {
    staticNetwork: network,
  })._wrapTransactionReceipt(receipt as any, network);
  assert.equal(read.hash, hash);
  assert.equal(read.status, 0);
  assert.equal(read.gasUsed, 60_000n);
});
