// Knows when the node mines: each transaction as it comes, by a timer, or when
// it is asked to.

import type { LocalNode } from "./node.js";

/** How the node mines blocks, as the user set it. */
export class Mining {
  /** Whether a timer mines blocks. */
  byTimer: boolean;
  readonly #node: LocalNode;
  /** `undefined` until it is known. */
  #automine: boolean | undefined;

  constructor(node: LocalNode, byTimer: boolean) {
    this.#node = node;
    this.byTimer = byTimer;
  }

  /** Notes that the user turned automining on or off. */
  set automine(on: boolean) {
    this.#automine = on;
  }

  /** Returns whether transactions are mined as they come; asks the node once. */
  async learn(): Promise<boolean> {
    return (this.#automine ??=
      (await this.#node.ask("hardhat_getAutomine")) === true);
  }

  /** Whether transactions are mined as they come, as far as is known. */
  get automines(): boolean {
    return this.#automine !== false;
  }

  /** The same, without a timer that mines besides. */
  get atOnce(): boolean {
    return this.automines && !this.byTimer;
  }
}
