// While a transaction is sent without a gas limit: answers Hardhat's estimate.

import { ample, gasNeed, sameWay } from "./gas-need.js";
import type { Frame } from "./trace.js";

/** What {@link SentGas} needs to know of a transaction. */
export interface SentGasOptions {
  /** Its outermost frame in a trace with as much gas as the node gives. */
  readonly root: Frame;
  /**
   * Whether it may run otherwise in its block, which then runs until the limit
   * fits; see {@link SentGas.fits}.
   */
  readonly unsure: boolean;
  /**
   * Estimates from a trace, in gas units; `undefined` if the node has to
   * search.
   */
  readonly estimate: () => Promise<bigint | undefined>;
}

/**
 * The gas limit of a transaction whose sender gives none. A trace has no fees
 * and no base fee. A transaction that reads such things may take a longer path
 * in its block than in a trace. The block is then run with far more gas at
 * first, and again with what that run needed.
 */
export class SentGas {
  readonly #estimate: () => Promise<bigint | undefined>;
  /** The limits to try in the block, before the estimate from a trace. */
  readonly #left: bigint[] = [];
  #asked = false;
  /** Its outermost frame in the run with far more gas. */
  #roomy: Frame | undefined;

  constructor({ root, unsure, estimate }: SentGasOptions) {
    this.#estimate = estimate;
    // A quarter is left for those who raise estimates.
    if (unsure) this.#left.push((BigInt(root.gas ?? "0x0") * 3n) / 4n);
  }

  /**
   * Returns the gas limit, in gas units; `undefined` if the node has to search.
   */
  async limit(): Promise<bigint | undefined> {
    this.#asked = true;
    return this.#left[0] ?? (await this.#estimate());
  }

  /**
   * Whether the transaction can stay in its block. Otherwise its next run gets
   * another limit.
   *
   * @param root its outermost frame in the block; `undefined` if the node
   * refused it, or it is not alone there
   */
  fits(root: Frame | undefined): boolean {
    if (!this.#asked || this.#left.shift() === undefined) return true;
    if (this.#roomy === undefined) {
      const need = root === undefined ? undefined : gasNeed(root);
      if (need === undefined) return false;
      this.#roomy = root;
      this.#left.push(need, ample(need));
      return false;
    }
    return root !== undefined && sameWay(root, this.#roomy);
  }
}
