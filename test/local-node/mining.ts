import { type ContractTransaction, JsonRpcProvider, Wallet } from "ethers";

import type { DualstackUserConfig } from "../../src/config/user-config.js";
import type { Head } from "../../src/framework/index.js";
import { startNode, type StartedNode } from "./start.js";

/** A local node, as strict as a real one, that mines when it is told to. */
export interface MiningNode extends StartedNode {
  /** Sends from the first account, to be included in the next block. */
  send(call: Pick<ContractTransaction, "to" | "data">): Promise<void>;
  mine(): Promise<Pick<Head, "number" | "hash">>;
}

/** @param codes contract code by address */
export async function startMiningNode(
  codes: Readonly<Record<string, string>> = {},
  dualstack: DualstackUserConfig = {},
): Promise<MiningNode> {
  const started = await startNode(
    { likeChain: true, blockTime: 3_600 },
    dualstack,
  );
  const { endpoints, accounts } = started.node;
  for (const [address, code] of Object.entries(codes)) {
    await started.evm("hardhat_setCode", address, code);
  }
  const provider = new JsonRpcProvider(endpoints.evmUrl, undefined, {
    cacheTimeout: -1,
  });
  const signer = new Wallet(accounts[0]?.privateKey ?? "", provider);
  let nonce = 0;
  return {
    ...started,
    send: async (call) => {
      await signer.sendTransaction({
        ...call,
        gasLimit: 1_000_000n,
        nonce: nonce++,
      });
    },
    mine: async () => {
      await started.evm("evm_mine");
      // Just after a block, the index may lag behind.
      for (;;) {
        const block = await provider.getBlock("latest").catch(() => null);
        if (block !== null)
          return {
            number: BigInt(block.number),
            hash: block.hash as `0x${string}`,
          };
      }
    },
    [Symbol.asyncDispose]: async () => {
      provider.destroy();
      await started[Symbol.asyncDispose]();
    },
  };
}
