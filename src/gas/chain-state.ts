import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";

/** What the connections to one node have learned about its chain, shared by them. */
export class ChainState {
  #blockGasLimit: bigint | undefined;
  #asked: Promise<void> | undefined;

  /** The gas limit of a block, asked for at most once; `undefined` where the node does not tell. */
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

  learnBlockGasLimit(limit: bigint): void {
    // A head that came over the WebSocket says 0.
    if (limit > 0n) {
      this.#blockGasLimit = limit;
    }
  }
}
