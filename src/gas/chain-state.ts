import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { setBounded } from "../support/bounded.js";

const MAX_REMEMBERED = 256;

/** What is known about a chain, shared by all connections to one node. */
export class ChainState {
  // The estimates behind the limits that were given out, by call. Shared, since a
  // connection may have another one sign, and estimate, what it sends.
  readonly #given = new Map<string, Map<bigint, bigint>>();
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

  /** The node's own estimate behind a limit that was given out for a call. */
  estimateBehind(call: string, limit: bigint): bigint | undefined {
    return this.#given.get(call)?.get(limit);
  }

  rememberEstimate(call: string, estimate: bigint, limit: bigint): void {
    const known = this.#given.get(call) ?? new Map<bigint, bigint>();
    known.set(limit, estimate);
    this.#given.delete(call);
    setBounded(this.#given, call, known, MAX_REMEMBERED);
  }

  /** Asks again, on another chain. */
  forget(): void {
    this.#given.clear();
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
