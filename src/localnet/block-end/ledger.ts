// Reads what the modules have noted in their storage, before and after each
// transaction.

import { DualstackError } from "../../support/errors.js";
import type { EmulatedAccounts } from "../modules/emulated-accounts.js";
import { places } from "../modules/places.js";
import type { SystemCalls } from "../modules/system.js";
import type { LocalNode } from "../node/node.js";

/**
 * The words in which the modules note what is left for the end of a transaction
 * or block, and the check of their books.
 */
export class Ledger {
  /** The value of {@link debts} when all deferred payments had been taken. */
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

  /** Reads the storage word that hashes all deferred payments. */
  async debts(): Promise<string> {
    const { debtsAt } = await places();
    return await this.#node.word(this.#accounts.staking, debtsAt);
  }

  /**
   * Reads what the block's end depends on: whether the validator set changed,
   * and the edition of the validators' copies that is due, in hex.
   */
  async marks(): Promise<{
    readonly changed: boolean;
    readonly edition: string;
  }> {
    const { editionAt, setChangedAt } = await places();
    // One storage slot holds both.
    const word = await this.#node.word(
      this.#accounts.staking,
      setChangedAt.slot,
    );
    return {
      changed: bytesOf(word, setChangedAt.offset, 1) === "01",
      edition: bytesOf(word, editionAt.offset, 2),
    };
  }

  /** Reads the ID of the last proposal, as 6 bytes in hex without 0x. */
  async proposals(): Promise<string> {
    const { lastProposalAt } = await places();
    const word = await this.#node.word(
      this.#accounts.governance,
      lastProposalAt.slot,
    );
    return bytesOf(word, lastProposalAt.offset, 6);
  }

  /**
   * Compares the balances of the module accounts with the modules' books.
   *
   * @throws DualstackError when they differ
   */
  async check(): Promise<void> {
    const [balanced] = await this.#system.view("balanced");
    if (balanced !== true) throw unbalanced();
  }
}

/**
 * Returns `size` bytes of a storage word; `offset` counts bytes from the right.
 */
const bytesOf = (word: string, offset: number, size: number) =>
  word.slice(-2 * (offset + size)).slice(0, 2 * size);

/** Returns the error for books that do not match the balances. */
export const unbalanced = () =>
  new DualstackError(
    "the books of the emulated modules do not match the balances of their accounts",
    { fix: "This is a fault of hardhat-dualstack: please report it." },
  );
