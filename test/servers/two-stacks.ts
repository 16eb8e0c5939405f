import { BaseAccount } from "cosmjs-types/cosmos/auth/v1beta1/auth";
import { AuthInfo, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";

import { parseAddress } from "../../src/address/index.js";
import { bankSend, type Executed, transactionHash } from "./bank-send.js";
import { EvmNode, type EvmNodeOptions } from "./evm-node.js";
import { NodeRpcServer, type OtherStack } from "./node-rpc.js";
import { recordedChain } from "./recorded-state.js";
import type { Chain } from "./state.js";

/**
 * A node with both stacks over the same accounts: one nonce, and one pool for
 * an account at a time. Framework transactions are executed as transfers on the
 * simulated chain behind the EVM's side.
 */
export class TwoStacks {
  readonly evm: EvmNode;
  readonly nodeRpc: NodeRpcServer;

  private constructor(evm: EvmNode, nodeRpc: NodeRpcServer) {
    this.evm = evm;
    this.nodeRpc = nodeRpc;
  }

  /** @param accounts without any state on the framework's side yet */
  static async start(
    options: EvmNodeOptions = {},
    accounts: readonly string[] = [],
  ): Promise<TwoStacks> {
    const chain = recordedChain();
    for (const [i, of] of accounts.entries()) {
      const { account: address } = formsOf(of);
      chain.state.accounts.set(
        address,
        BaseAccount.fromPartial({ address, accountNumber: BigInt(100 + i) }),
      );
    }
    const [evm, nodeRpc] = await Promise.all([
      EvmNode.start(options),
      NodeRpcServer.start(chain),
    ]);
    nodeRpc.otherStack = new EvmSide(evm, chain);
    evm.isReserved = (address) => nodeRpc.senders.has(formsOf(address).account);
    return new TwoStacks(evm, nodeRpc);
  }

  /** Goes away for some milliseconds and restarts, with empty pools. */
  async restart(awayMs: number): Promise<void> {
    this.leave(awayMs);
    await this.evm.restart();
    this.nodeRpc.forget();
  }

  /** Goes away for some milliseconds; its pools stay as they are. */
  leave(awayMs: number): void {
    this.evm.leave(awayMs);
    this.nodeRpc.leave(awayMs);
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

  async #included(
    hash: string,
    bytes: Uint8Array,
  ): Promise<Executed | undefined> {
    const height = await this.#inBlock(hash);
    if (height === undefined) {
      return undefined;
    }
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

  /** Returns nothing if it was in the pool of a node that restarted. */
  async #inBlock(hash: string): Promise<bigint | undefined> {
    for (;;) {
      const found: any = await this.#ask("eth_getTransactionByHash", [hash]);
      if (found === null) {
        return undefined;
      }
      if (found.blockNumber !== null) {
        return BigInt(found.blockNumber);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async #ask(method: string, params: any[]): Promise<any> {
    return await this.#evm.chain.request({ method, params });
  }
}
