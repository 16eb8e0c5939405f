// Read before and after each transaction: what the staking module has noted by
// itself.

import { DualstackError } from "../../support/errors.js";
import type { SystemCalls } from "../modules/system.js";
import type { LocalNode } from "../node/node.js";

/** What the staking module notes for the end of a transaction and of a block, and whether the books are right. */
export class Ledger {
  /** The word that notes payments, when all of them had been taken. */
  taken = "0x";
  readonly #node: LocalNode;
  readonly #system: SystemCalls;
  readonly #staking: string;

  constructor(node: LocalNode, system: SystemCalls, staking: string) {
    this.#node = node;
    this.#system = system;
    this.#staking = staking;
  }

  /** The word that notes the payments which were put off. */
  async debts(): Promise<string> {
    const { debtsAt } = await import("../generated/emulator.js");
    return await this.#word(debtsAt);
  }

  /** Whether the end of this block has to change the validator set. */
  async setChanged(): Promise<boolean> {
    const { setChangedAt } = await import("../generated/emulator.js");
    const word = await this.#word(setChangedAt.slot);
    return word.slice(-2 - 2 * setChangedAt.offset).startsWith("01");
  }

  /** @throws DualstackError where a module's account has another balance than its books say */
  async check(): Promise<void> {
    const [balanced] = await this.#system.view("balanced");
    if (balanced !== true) throw unbalanced();
  }

  async #word(slot: string): Promise<string> {
    return String(
      await this.#node.ask("eth_getStorageAt", [this.#staking, slot, "latest"]),
    );
  }
}

export const unbalanced = () =>
  new DualstackError(
    "the books of the emulated modules do not match the balances of their accounts",
    { fix: "This is a fault of hardhat-dualstack: please report it." },
  );
