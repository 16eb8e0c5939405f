// After blocks that the emulation has seen: runs what is due, notes which copies
// are old, and checks the books.

import type { Effect } from "../foresight/effects.js";
import type { LiveChain } from "../fork/live-chain.js";
import type { Copies } from "../modules/copies.js";
import type { BlockEnds } from "./blocks.js";
import type { Closing, Ledger } from "./ledger.js";

/** What {@link AfterBlocks} needs of the emulated chain. */
export interface AfterBlocksHost {
  readonly blocks: BlockEnds;
  readonly ledger: Ledger;
  readonly copies: Copies;
  /** Returns the live chain's state on a fork of the chain. */
  live(): LiveChain | undefined;
}

/** Does what follows blocks, as far as what ran in them calls for it. */
export class AfterBlocks {
  readonly #host: AfterBlocksHost;

  constructor(host: AfterBlocksHost) {
    this.#host = host;
  }

  /**
   * Does what follows blocks.
   *
   * @param touched whether the books must be checked
   * @param since the first block that had an effect
   * @param closing what the modules say now, if that has been read
   * @param governed whether the governance module may have done anything
   */
  async run(
    effect: Effect,
    touched: boolean,
    since?: bigint,
    closing?: Closing,
    governed = true,
  ): Promise<void> {
    const { blocks, ledger } = this.#host;
    let now = closing;
    if (effect !== "none" || touched) now ??= await ledger.closing();
    let [settled, all] = [effect !== "none", governed];
    if (effect === "any" || (settled && now?.changed === true))
      await blocks.refresh();
    if (blocks.mayBeDue()) {
      await blocks.process(since);
      now = await ledger.closing();
      settled = all = true;
    }
    if (settled) await this.expectCopies(now?.edition, effect === "any");
    if (now !== undefined) await ledger.check(now, all);
  }

  /**
   * Notes which copies must stand behind the precompiles' codes.
   *
   * @param edition of the validators, if it has been read
   * @param mayBeProposed whether proposals may have changed
   */
  async expectCopies(edition?: string, mayBeProposed = true): Promise<void> {
    const { ledger, copies } = this.#host;
    const validators = edition ?? (await ledger.closing()).edition;
    // On a fork, a proposal's text is read when a request meets it.
    const proposals =
      mayBeProposed && this.#host.live() === undefined
        ? await ledger.proposals()
        : undefined;
    copies.expect({ validators, proposals });
  }
}
