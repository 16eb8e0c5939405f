// Between requests: some payers' codes stay where they stand, and no request may
// see them.

import { isRecord } from "../../rpc/quantities.js";
import type { WaitingTransactions } from "../block-end/waiting.js";
import type { Mining } from "../node/mining.js";
import { mergeOverrides } from "../request/call-of.js";
import { heightOf } from "../request/height.js";
import type { Parts } from "./parts.js";
import { NO_PLAN } from "./plan.js";

/**
 * The payers' codes that stand between requests, hidden from those who look.
 * Without the emulator's code none has ever stood.
 */
export class Veils {
  readonly #parts: Parts;
  readonly #mining: Mining;
  readonly #waiting: WaitingTransactions;

  constructor(parts: Parts, mining: Mining, waiting: WaitingTransactions) {
    this.#parts = parts;
    this.#mining = mining;
    this.#waiting = waiting;
  }

  /** Whether any stand. */
  get stand(): boolean {
    const { loaded } = this.#parts;
    return loaded !== undefined && loaded.patches.size > 0;
  }

  /**
   * Accounts whose payers' codes must stand between blocks: a timer mines at any
   * time, so they must be there for the pending transactions.
   */
  get standing(): ReadonlySet<string> {
    return this.#mining.byTimer ? this.#waiting.payers : NO_PLAN.payers;
  }

  /**
   * Removes payers' codes after a request.
   *
   * @param mayStay whether those may stay that only a look at them tells from
   * the accounts' own
   */
  async release(mayStay: boolean): Promise<void> {
    const patches = this.#parts.loaded?.patches;
    await patches?.arrange(mayStay ? patches.lasting : this.standing);
  }

  /** Removes payers' codes before a request that may see them. */
  async remove(): Promise<void> {
    await this.release(false);
  }

  /**
   * Adds to a call's state overrides what removes the payers' codes that stayed
   * beyond the end of the past block that it names.
   *
   * @param given the user's overrides, which win; `undefined` if there are none
   */
  async removedAt(
    block: unknown,
    given: Record<string, unknown> | undefined,
  ): Promise<Record<string, unknown> | undefined> {
    const { loaded } = this.#parts;
    if (loaded === undefined || heightOf(block) === undefined) return given;
    const codes = await loaded.patches.lastedAt(block);
    for (const [address, override] of Object.entries(given ?? {})) {
      if (isRecord(override) && override.code !== undefined)
        delete codes[address.toLowerCase()];
    }
    return Object.keys(codes).length === 0
      ? given
      : mergeOverrides(codes, given);
  }

  /**
   * Returns the code that a payer's code stands for; `undefined` for any other
   * code.
   */
  async originalOf(code: string, block: unknown): Promise<string | undefined> {
    return await this.#parts.loaded?.patches.originalOf(code, block);
  }

  /**
   * Returns an account's code without what the emulation has put there; `0x`
   * for a precompile, as on the chain.
   */
  async shownCode(
    account: unknown,
    code: string,
    block: unknown,
  ): Promise<string> {
    const { loaded } = this.#parts;
    if (code === "0x" || loaded === undefined || typeof account !== "string")
      return code;
    if (loaded.emulator.isAt(account.toLowerCase(), code)) return "0x";
    return (await this.originalOf(code, block)) ?? code;
  }

  /** Makes way for code that the user sets at an account. */
  giveUp(account: unknown): void {
    const { loaded } = this.#parts;
    if (typeof account === "string")
      loaded?.patches.forget(account.toLowerCase());
    loaded?.planner.forget();
  }
}
