// Answers `eth_estimateGas` from a trace, where that is sure.

import { toQuantity } from "../../rpc/quantities.js";
import type { Limits } from "../arrangement/limits.js";
import type { CallRequest } from "../request/calls.js";
import { ample, gasNeed, gasShape, sameWay } from "./gas-need.js";
import type { Frame } from "./trace.js";

/** Of a search, in gas. */
const PRECISION = 1_000n;

/**
 * Gas limits of requests that were traced. A node searches for one by running
 * the request some twenty times where calls below calls get less than all; here
 * one more trace shows whether the first one told it.
 */
export class Estimates {
  readonly #limits: Limits;
  /** The last one: tests send the same again and again. */
  #last: { readonly shape: string; readonly gas: bigint } | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * @param traced what the plan of the request says of its run in advance
   * @returns gas units; `undefined`: the node has to search
   */
  async of(
    call: CallRequest,
    block: unknown,
    { touched, root }: { readonly touched: boolean; readonly root?: Frame },
  ): Promise<bigint | undefined> {
    if (root === undefined) return undefined;
    return await this.#limits.aside(async () => {
      const gas = await this.#like(call, block, touched, root);
      if (gas !== undefined) return gas;
      // Where a block runs again, others can pay in it at once than when it was planned.
      const now = await this.#limits.frames(call, block);
      return (
        (sameWay(now, root)
          ? undefined
          : await this.#like(call, block, touched, now)) ??
        (await this.#search(call, block, now))
      );
    });
  }

  /** As a node searches, which does not know with another limit of gas which calls are too many. */
  async #search(
    call: CallRequest,
    block: unknown,
    { gas: most, error }: Frame,
  ): Promise<bigint | undefined> {
    if (
      this.#limits.told.size === 0 ||
      most === undefined ||
      error !== undefined
    )
      return undefined;
    let [less, enough] = [0n, BigInt(most)];
    while (enough - less > PRECISION) {
      const gas = (less + enough) / 2n;
      const frames = this.#limits.frames(
        { ...call, gas: toQuantity(gas) },
        block,
      );
      // Too little for the transaction itself is an error of the node.
      const fails = await frames.then(
        (frame) => frame.error !== undefined,
        () => true,
      );
      if (fails) less = gas;
      else enough = gas;
    }
    return enough;
  }

  /** With how much gas the request goes the same way as a trace with more. */
  async #like(
    call: CallRequest,
    block: unknown,
    touched: boolean,
    root: Frame,
  ): Promise<bigint | undefined> {
    const need = gasNeed(root);
    if (need === undefined) return undefined;
    const shape = gasShape(root);
    const last = this.#last;
    if (call.gas === undefined && last?.shape === shape) return last.gas;
    for (const gas of touched ? [need, ample(need)] : [need]) {
      if (call.gas !== undefined && BigInt(call.gas) < gas) return undefined;
      const again = await this.#limits.frames(
        { ...call, gas: toQuantity(gas) },
        block,
      );
      if (sameWay(again, root)) {
        this.#last = { shape, gas };
        return gas;
      }
    }
    return undefined;
  }
}
