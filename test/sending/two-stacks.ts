import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { HDNodeWallet } from "ethers";

import type { FrameworkSender } from "../../src/framework/index.js";
import type { Client, Major } from "../helpers/majors.js";
import { ACCOUNTS } from "../servers/recorded-state.js";
import { type StartedNode, startNode } from "../local-node/start.js";
import { TwoStacks } from "../servers/two-stacks.js";

// An account with state on the framework's side and a balance on the EVM's.
const { privateKey, address: SENDER } = HDNodeWallet.fromPhrase(
  "test test test test test test test test test test test junk",
  undefined,
  "m/44'/60'/0'/0/7",
);
const TO = "0x00000000000000000000000000000000000000aa";
const TO_ACCOUNT = "cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq92yqleyn";

const messageIn = (denom: string, amount = 1n) => ({
  typeUrl: "/cosmos.bank.v1beta1.MsgSend",
  value: {
    fromAddress: ACCOUNTS.acc7,
    toAddress: TO_ACCOUNT,
    amount: [{ denom, amount: String(amount) }],
  },
});

/**
 * What the tests send to: a node with both stacks, and a block every 200 ms.
 */
export interface Stacks {
  readonly baseUrl: string;
  readonly evmUrl: string;
  readonly nodeRpcUrl: string;
  readonly denom: string;
  request(method: string, ...params: unknown[]): Promise<unknown>;
  /**
   * Makes it refuse the framework's transactions for a reason, or accept them.
   * Absent if it refuses only what it must.
   */
  readonly refuse?: (reason: string | undefined) => void;
  close(): Promise<void>;
}

const BLOCK_MS = 200;

/** Starts a node that answers as recorded. */
export async function recordedStacks(): Promise<Stacks> {
  const node = await TwoStacks.start({ blockTimeMs: BLOCK_MS });
  const { evm, nodeRpc } = node;
  return {
    baseUrl: evm.baseUrl,
    evmUrl: evm.evmUrl,
    nodeRpcUrl: nodeRpc.url,
    denom: "atest",
    request: async (method, ...params) =>
      await evm.chain.request({ method, params }),
    refuse: (log) => {
      nodeRpc.refuse =
        log === undefined ? undefined : { code: 5, codespace: "sdk", log };
    },
    close: async () => await node.close(),
  };
}

/** Starts a local network, as strict as a real node. */
export async function localStacks(): Promise<Stacks> {
  const started = await startNode({
    likeChain: true,
    blockTime: BLOCK_MS / 1_000,
  });
  const { baseUrl, evmUrl, nodeRpcUrl } = started.node.endpoints;
  return {
    baseUrl,
    evmUrl,
    nodeRpcUrl,
    denom: "anative",
    request: started.evm,
    close: async () => await started[Symbol.asyncDispose](),
  };
}

/** Tests what one account sends on both stacks, on one major of Hardhat. */
export function testTwoStacks<C extends Client>(
  { name: major, open }: Major<C>,
  startStacks: () => Promise<Stacks>,
): void {
  describe(`sending on both stacks from one account on ${major}`, () => {
    let node: Stacks;
    let c: C;
    let sender: FrameworkSender;

    before(async () => {
      node = await startStacks();
      c = await open(node.baseUrl, {
        accounts: [privateKey],
        nodeRpcUrl: node.nodeRpcUrl,
      });
      sender = await c.dualstack.frameworkSender();
    });
    after(async () => {
      await c.close();
      await node.close();
    });

    const balance = async () =>
      BigInt(String(await node.request("eth_getBalance", TO, "latest")));
    const onEvm = async (): Promise<string> => {
      const signer = await c.ethers.getSigner(SENDER);
      const { hash } = await signer.sendTransaction({ to: TO, value: 1n });
      return hash;
    };
    const onFramework = async (): Promise<string> =>
      (await sender.send([messageIn(node.denom)], { gas: 200_000n })).hash;
    const arrived = async (hashes: readonly string[], first: bigint) => {
      assert.equal(new Set(hashes).size, hashes.length);
      for (let i = 0; i < 100; i++) {
        if ((await balance()) - first === BigInt(hashes.length)) {
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.equal((await balance()) - first, BigInt(hashes.length));
    };

    it("all arrive when awaited in turn", async () => {
      const first = await balance();
      const hashes: string[] = [];
      for (let i = 0; i < 3; i++) {
        hashes.push(await onEvm(), await onFramework());
      }
      await arrived(hashes, first);
    });

    it("all arrive when sent at once", async () => {
      const first = await balance();
      const hashes = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          i % 2 === 0 ? onEvm() : onFramework(),
        ),
      );
      await arrived(hashes, first);
    });

    it("all arrive when none is waited for", async () => {
      const first = await balance();
      const sending: Promise<string>[] = [];
      for (let i = 0; i < 5; i++) {
        sending.push(onFramework());
        await new Promise((resolve) => setTimeout(resolve, 30));
        sending.push(onEvm());
      }
      await arrived(await Promise.all(sending), first);
    });

    it("a failed one does not block others", async () => {
      const first = await balance();
      if (node.refuse === undefined) {
        const tooMuch = messageIn(node.denom, 10n ** 30n);
        await assert.rejects(sender.send([tooMuch]), /insufficient funds/);
      } else {
        node.refuse("no funds");
        await assert.rejects(onFramework(), /no funds/);
        node.refuse(undefined);
      }
      await arrived([await onEvm()], first);
    });

    it("a transaction of the other stack, from another process, is waited for", async () => {
      const first = await balance();
      // Past the plugin, so that it does not know of it.
      const elsewhere = async () => {
        const { Wallet, JsonRpcProvider } = await import("ethers");
        const provider = new JsonRpcProvider(node.evmUrl);
        const wallet = new Wallet(privateKey, provider);
        const { hash } = await wallet.sendTransaction({ to: TO, value: 1n });
        provider.destroy();
        return hash;
      };
      const hashes = [await elsewhere(), await onFramework()];
      hashes.push(await elsewhere(), await onEvm());
      await arrived(hashes, first);
    });

    it("the sequence is counted anew on a node that is started again", async () => {
      const startAt = async (port: number) =>
        await startNode({ likeChain: true, blockTime: BLOCK_MS / 1_000, port });
      const sendTo = async (own: StartedNode, from: FrameworkSender) => {
        const { hash } = await from.send([messageIn("anative")]);
        const found = await own.clients.nodeRpc.transaction(hash);
        assert.equal(found?.code, 0);
      };
      const old = await startAt(0);
      const { baseUrl, nodeRpcUrl } = old.node.endpoints;
      const client = await open(baseUrl, {
        accounts: [privateKey],
        nodeRpcUrl,
      });
      const own = await client.dualstack.frameworkSender();
      await sendTo(old, own);
      await sendTo(old, own);
      await old[Symbol.asyncDispose]();
      await using fresh = await startAt(Number(new URL(baseUrl).port));
      await sendTo(fresh, own);
      const signer = await client.ethers.getSigner(SENDER);
      const { nonce } = await signer.sendTransaction({ to: TO, value: 1n });
      assert.equal(nonce, 1);
      await client.close();
    });

    it("what a node that was started again cannot include yet is not sent twice", async () => {
      const startAt = async (port: number) =>
        await startNode({ likeChain: true, blockTime: BLOCK_MS / 1_000, port });
      const old = await startAt(0);
      const { baseUrl } = old.node.endpoints;
      const client = await open(baseUrl, { accounts: [privateKey] });
      const signer = await client.ethers.getSigner(SENDER);
      const send = async () => {
        const sent = await signer.sendTransaction({ to: TO, value: 1n });
        await sent.wait();
        return sent.nonce;
      };
      assert.deepEqual([await send(), await send()], [0, 1]);
      await old[Symbol.asyncDispose]();
      await using fresh = await startAt(Number(new URL(baseUrl).port));
      // It was counted on from the chain before.
      await assert.rejects(send(), /reverted/);
      assert.deepEqual([await send(), await send(), await send()], [0, 1, 2]);
      assert.equal(BigInt(await fresh.evm("eth_getBalance", TO, "latest")), 3n);
      await client.close();
    });

    it("the wait for what a set-back chain cannot include any more ends", async () => {
      await using own = await startNode({ likeChain: true, blockTime: 1 });
      const client = await open(own.node.endpoints.baseUrl, {
        accounts: [privateKey],
      });
      const signer = await client.ethers.getSigner(SENDER);
      const send = async (value: bigint) =>
        (await (await signer.sendTransaction({ to: TO, value })).wait())
          ?.status;
      const snapshot = await client.provider.request({
        method: "evm_snapshot",
      });
      assert.equal(await send(1n), 1);
      const ended = assert.rejects(send(2n), /reverted/);
      await new Promise((resolve) => setTimeout(resolve, 200));
      const back = { method: "evm_revert", params: [snapshot] };
      assert.equal(await client.provider.request(back), true);
      await ended;
      assert.equal(await send(3n), 1);
      assert.equal(BigInt(await own.evm("eth_getBalance", TO, "latest")), 3n);
      await client.close();
    });
  });
}
