import { AuthInfo, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";

import { parseAddress } from "../../src/address/index.js";
import { bankSend, type Executed, transactionHash } from "./bank-send.js";
import { EvmNode, type EvmNodeOptions } from "./evm-node.js";
import { NodeRpcServer, type OtherStack } from "./node-rpc.js";
import { recordedChain } from "./recorded-state.js";
import type { Chain } from "./state.js";

/**
 * A node with both stacks over the same accounts: one counter of nonces, one
 * pool for an account at a time. What its framework's side sends is executed
 * as a transfer on the simulated chain behind the EVM's side.
 */
export class TwoStacks {
  readonly evm: EvmNode;
  readonly nodeRpc: NodeRpcServer;

  private constructor(evm: EvmNode, nodeRpc: NodeRpcServer) {
    this.evm = evm;
    this.nodeRpc = nodeRpc;
  }

  static async start(options: EvmNodeOptions = {}): Promise<TwoStacks> {
    const chain = recordedChain();
    const [evm, nodeRpc] = await Promise.all([
      EvmNode.start(options),
      NodeRpcServer.start(chain),
    ]);
    nodeRpc.otherStack = new EvmSide(evm, chain);
    evm.isReserved = (address) => nodeRpc.senders.has(formsOf(address).account);
    return new TwoStacks(evm, nodeRpc);
  }

  async close(): Promise<void> {
    await this.nodeRpc.close();
    await this.evm.close();
  }
}

const formsOf = (address: string) =>
  parseAddress(address, { prefix: "cosmos" });
const hexOf = (address: string) => formsOf(address).hex.toLowerCase();

class EvmSide implements OtherStack {
  readonly #evm: EvmNode;
  readonly #chain: Chain;

  constructor(evm: EvmNode, chain: Chain) {
    this.#evm = evm;
    this.#chain = chain;
  }

  async refresh(): Promise<void> {
    await Promise.all(
      [...this.#chain.state.accounts.values()].map(async (account) => {
        account.sequence = BigInt(
          await this.#ask("eth_getTransactionCount", [
            hexOf(account.address),
            "latest",
          ]),
        );
      }),
    );
  }

  async holds(address: string): Promise<boolean> {
    const pending: any = await this.#ask("eth_pendingTransactions", []);
    const hex = hexOf(address);
    return pending.some((one: any) => one.from.toLowerCase() === hex);
  }

  readonly alone = async <T>(check: () => Promise<T>): Promise<T> =>
    await this.#evm.pool.run(check);

  async execute(bytes: Uint8Array) {
    const { fromAddress, toAddress, amount } = bankSend(bytes);
    const value = BigInt(amount[0]?.amount ?? 0);
    const hash = await this.#ask("eth_sendTransaction", [
      {
        from: hexOf(fromAddress),
        to: hexOf(toAddress),
        value: `0x${value.toString(16)}`,
      },
    ]);
    return { included: this.#included(hash, bytes) };
  }

  async #included(hash: string, bytes: Uint8Array): Promise<Executed> {
    const height = await this.#inBlock(hash);
    const { fee } = AuthInfo.decode(TxRaw.decode(bytes).authInfoBytes);
    const gas = fee?.gasLimit ?? 0n;
    return {
      hash: transactionHash(bytes),
      height,
      code: 0,
      log: "",
      gasWanted: gas,
      gasUsed: gas,
      bytes,
    };
  }

  async #inBlock(hash: string): Promise<bigint> {
    for (;;) {
      const receipt: any = await this.#ask("eth_getTransactionReceipt", [hash]);
      if (receipt !== null) {
        return BigInt(receipt.blockNumber);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async #ask(method: string, params: any[]): Promise<any> {
    return await this.#evm.chain.request({ method, params });
  }
}
