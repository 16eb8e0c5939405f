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
 * in its block than in a trace. The block is then run with far more gas, and
 * again with what that run needed.
 */
export class SentGas {
  readonly #root: Frame;
  readonly #estimate: () => Promise<bigint | undefined>;
  /** The limits still to try; after them, and before, the estimate. */
  #left: bigint[] = [];
  /** What the next run is compared with; `undefined` if it stands as it is. */
  #wanted: Frame | undefined;
  #asked = false;

  constructor({ root, unsure, estimate }: SentGasOptions) {
    this.#root = root;
    this.#estimate = estimate;
    this.#wanted = unsure ? root : undefined;
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
   * @param run its outermost frame in the block; `undefined` if the node
   * refused it, or it is not alone there
   */
  fits(run: Frame | undefined): boolean {
    const wanted = this.#wanted;
    if (!this.#asked || wanted === undefined) return true;
    const tried = this.#left.shift();
    if (tried === this.#roomy) {
      const need = run === undefined ? undefined : gasNeed(run);
      this.#left = need === undefined ? [] : [need, ample(need)];
      this.#wanted = need === undefined ? undefined : run;
      return false;
    }
    if (run !== undefined && sameWay(run, wanted)) return true;
    if (tried === undefined) this.#left.push(this.#roomy);
    else if (this.#left.length === 0) this.#wanted = undefined;
    return false;
  }

  /** As much as the node gives; a quarter is left for those who raise it. */
  get #roomy(): bigint {
    return (BigInt(this.#root.gas ?? "0x0") * 3n) / 4n;
  }
}
