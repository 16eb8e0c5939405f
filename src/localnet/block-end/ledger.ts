// Reads what the modules have noted in their storage, before and after each
// transaction.

import { DualstackError } from "../../support/errors.js";
import { selectors } from "../generated/calls.js";
import type { EmulatedAccounts } from "../modules/emulated-accounts.js";
import type { Emulator } from "../modules/emulator.js";
import { places } from "../modules/places.js";
import type { SystemCalls } from "../modules/system.js";
import { type LocalNode, ZERO_WORD } from "../node/node.js";

/** What the modules say when a transaction has ended. */
export interface Closing {
  /** See {@link Ledger.debts}. */
  readonly debts: string;
  /** Whether the end of this block updates the validator set. */
  readonly changed: boolean;
  /** The edition of the validators' copies that is due. */
  readonly edition: string;
  /**
   * Whether the balances of the module accounts match the modules' books, but
   * for {@link deposits}.
   */
  readonly balanced: boolean;
  /** What the governance module's account has, in base units. */
  readonly deposits: bigint;
}

/**
 * The words in which the modules note what is left for the end of a transaction
 * or block, and the check of their books.
 */
export class Ledger {
  /** The value of {@link debts} when all deferred payments had been taken. */
  taken = "0x";
  /** The last balance of the governance module that matched its books. */
  #deposits: bigint | undefined;
  readonly #node: LocalNode;
  readonly #system: SystemCalls;
  readonly #accounts: EmulatedAccounts;
  readonly #emulator: () => Promise<Emulator>;
  /**
   * The validators' operators by number, encoded. Where they are not right, the
   * module returns others, so they may be of another state.
   */
  #operators = listOf([ZERO_WORD]);

  constructor(
    node: LocalNode,
    system: SystemCalls,
    accounts: EmulatedAccounts,
    emulator: () => Promise<Emulator>,
  ) {
    this.#node = node;
    this.#system = system;
    this.#accounts = accounts;
    this.#emulator = emulator;
  }

  /** Reads the storage word that hashes all deferred payments. */
  async debts(): Promise<string> {
    const { debtsAt } = await places();
    return await this.#node.word(this.#accounts.staking, debtsAt);
  }

  /** Reads what follows a transaction, all at once. */
  async closing(): Promise<Closing> {
    const { closing } = await this.#emulator();
    const words = await this.#system.words(
      "closing",
      selectors.closing + this.#operators,
      closing,
    );
    const [debts = "0x", ...numbers] = words;
    const [changed, edition, balanced, deposits = 0n, , others = 0n] = numbers
      .slice(0, 6)
      .map(BigInt);
    if (others > 0n) this.#operators = listOf(words.slice(6));
    return {
      debts,
      changed: changed === 1n,
      edition: String(edition),
      balanced: balanced === 1n,
      deposits,
    };
  }

  /**
   * Compares the books with the balances of the module accounts. Where the
   * governance module did nothing, its account must have what it had.
   *
   * @throws DualstackError when they differ
   */
  async check(
    { balanced, deposits }: Closing,
    governed: boolean,
  ): Promise<void> {
    if (!balanced) throw unbalanced();
    if (!governed && deposits === this.#deposits) return;
    const [there] = await this.#system.view("areDepositsThere");
    if (there !== true) throw unbalanced();
    this.#deposits = deposits;
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
}

/** Encodes the only argument of a method from the list's length and items. */
function listOf(words: readonly string[]): string {
  const offset = "20".padStart(64, "0");
  return [offset, ...words.map((word) => word.slice(2))].join("");
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
