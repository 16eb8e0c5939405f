// Read before and after each transaction: what the staking module has noted by
// itself.

import { DualstackError } from "../../support/errors.js";
import type { EmulatedAccounts } from "../modules/emulated-accounts.js";
import { places } from "../modules/places.js";
import type { SystemCalls } from "../modules/system.js";
import type { LocalNode } from "../node/node.js";

/** What the staking module notes for the end of a transaction and of a block, and whether the books are right. */
export class Ledger {
  /** The word that notes payments, when all of them had been taken. */
  taken = "0x";
  readonly #node: LocalNode;
  readonly #system: SystemCalls;
  readonly #accounts: EmulatedAccounts;

  constructor(
    node: LocalNode,
    system: SystemCalls,
    accounts: EmulatedAccounts,
  ) {
    this.#node = node;
    this.#system = system;
    this.#accounts = accounts;
  }

  /** The word that notes the payments which were put off. */
  async debts(): Promise<string> {
    const { debtsAt } = await places();
    return await this.#node.word(this.#accounts.staking, debtsAt);
  }

  /**
   * What the end of this block has to look at: `changed`, the validator set;
   * `edition`, which one of the copies of validators is due.
   */
  async marks(): Promise<{
    readonly changed: boolean;
    readonly edition: string;
  }> {
    const { editionAt, setChangedAt } = await places();
    // One word has both.
    const word = await this.#node.word(
      this.#accounts.staking,
      setChangedAt.slot,
    );
    return {
      changed: bytesOf(word, setChangedAt.offset, 1) === "01",
      edition: bytesOf(word, editionAt.offset, 2),
    };
  }

  /** The number of the last proposal. */
  async proposals(): Promise<string> {
    const { lastProposalAt } = await places();
    const word = await this.#node.word(
      this.#accounts.governance,
      lastProposalAt.slot,
    );
    return bytesOf(word, lastProposalAt.offset, 6);
  }

  /** @throws DualstackError where a module's account has another balance than its books say */
  async check(): Promise<void> {
    const [balanced] = await this.#system.view("balanced");
    if (balanced !== true) throw unbalanced();
  }
}

/** So many bytes of a storage word, which begin at `offset` counted from the right. */
const bytesOf = (word: string, offset: number, size: number) =>
  word.slice(-2 * (offset + size)).slice(0, 2 * size);

export const unbalanced = () =>
  new DualstackError(
    "the books of the emulated modules do not match the balances of their accounts",
    { fix: "This is a fault of hardhat-dualstack: please report it." },
  );
