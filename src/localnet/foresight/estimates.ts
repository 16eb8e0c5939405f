// Answers `eth_estimateGas` from a trace, where the trace is conclusive.

import { toQuantity } from "../../rpc/quantities.js";
import type { Limits } from "../arrangement/limits.js";
import type { CallRequest } from "../request/calls.js";
import { ample, gasNeed, gasShape, sameWay } from "./gas-need.js";
import type { Frame } from "./trace.js";

/** Of the search, in gas units. */
const PRECISION = 1_000n;

/**
 * Works out gas limits from traces. A node searches for a limit by running the
 * request some twenty times where nested calls do not get all gas; here one
 * more trace confirms the limit that the first one suggests.
 */
export class Estimates {
  readonly #limits: Limits;
  /** The last estimate: tests send the same transaction again and again. */
  #last: { readonly shape: string; readonly gas: bigint } | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Returns the gas limit of a request, in gas units; `undefined` if the node
   * has to search for it.
   *
   * @param traced the plan of the request, with its trace
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
      // When a block runs again, other accounts may pay at once than planned.
      const now = await this.#limits.frames(call, block);
      return (
        (sameWay(now, root)
          ? undefined
          : await this.#like(call, block, touched, now)) ??
        (await this.#search(call, block, now))
      );
    });
  }

  /**
   * Searches as a node does. The node's own search would fail: which calls the
   * modules must be told to refuse depends on the gas limit. `undefined` where
   * they need not be told.
   */
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
      // A limit below the intrinsic gas is an error of the node.
      const fails = await frames.then(
        (frame) => frame.error !== undefined,
        () => true,
      );
      if (fails) less = gas;
      else enough = gas;
    }
    return enough;
  }

  /**
   * Returns a gas limit under which a request takes the same path as in a trace
   * with more gas.
   */
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
