import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";

/** What is known about a chain, shared by all connections to one node. */
export class ChainState {
  #blockGasLimit: bigint | undefined;
  #asked: Promise<void> | undefined;

  /** The gas limit of a block, asked for once; `undefined` if the node does not tell. */
  async blockGasLimit(ask: Ask): Promise<bigint | undefined> {
    if (this.#blockGasLimit === undefined) {
      this.#asked ??= ask("eth_getBlockByNumber", ["latest", false]).then(
        (block) => {
          if (isRecord(block) && block["gasLimit"] !== undefined) {
            this.learnBlockGasLimit(
              fromQuantity(block["gasLimit"], "the block's gas limit"),
            );
          }
        },
        () => {
          this.#asked = undefined;
        },
      );
      await this.#asked;
    }
    return this.#blockGasLimit;
  }

  /** Asks again, on another chain. */
  forget(): void {
    this.#blockGasLimit = undefined;
    this.#asked = undefined;
  }

  learnBlockGasLimit(limit: bigint): void {
    // Heads from the WebSocket have a limit of 0.
    if (limit > 0n) {
      this.#blockGasLimit = limit;
    }
  }
}
