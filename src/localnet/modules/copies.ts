import type { LocalNode } from "../node/node.js";
import type { EmulatedAccounts } from "./emulated-accounts.js";
import type { Emulator } from "./emulator.js";
import type { SystemCalls } from "./system.js";

/**
 * The editions of the two copies; `undefined` where there is none, or none that
 * has to be written.
 */
export interface Editions {
  readonly validators?: string | undefined;
  readonly proposals?: string | undefined;
}

const NO_PROPOSALS = "00".repeat(6);

/**
 * Copies of what views return, appended to the precompiles' codes so that a
 * contract can read them at next to no cost; see
 * contracts/localnet/common/Directory.sol and governance/Copies.sol. The
 * precompiles produce the copies and recognise an old one, which makes calls
 * dearer but no answer wrong. Producing them is slow, so they are written only
 * before the first call whose gas depends on them.
 */
export class Copies {
  #due: Editions = {};
  #written: Editions = {};
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

  /** Sets the current editions; `undefined` leaves one as it is. */
  expect({ validators, proposals }: Editions): void {
    this.#due = {
      validators: validators ?? this.#due.validators,
      proposals: proposals ?? this.#due.proposals,
    };
  }

  /** Whether a copy behind a precompile's code is out of date. */
  get old(): boolean {
    return this.#oldValidators || this.#oldProposals;
  }

  get #oldValidators(): boolean {
    return this.#due.validators !== this.#written.validators;
  }

  get #oldProposals(): boolean {
    const { proposals = NO_PROPOSALS } = this.#due;
    return proposals !== (this.#written.proposals ?? NO_PROPOSALS);
  }

  /** Writes the copies that are out of date. */
  async bring(emulator: Emulator): Promise<void> {
    const { staking, governance } = this.#accounts;
    const due = this.#due;
    if (this.#oldValidators) await this.#write(staking, "directory", emulator);
    if (this.#oldProposals)
      await this.#write(governance, "proposalCopies", emulator);
    this.#written = due;
  }

  async #write(account: string, view: string, emulator: Emulator) {
    const [copy] = await this.#system.view(view);
    await this.#node.setCode(account, emulator.withCopy(account, String(copy)));
  }

  /** Returns the editions, for {@link restore} after a revert to this state. */
  save(): readonly [due: Editions, written: Editions] {
    return [this.#due, this.#written];
  }

  /**
   * Restores what {@link save} returned; without it, no copy is written or due.
   */
  restore([due, written]: readonly [Editions, Editions] = [{}, {}]): void {
    this.#due = due;
    this.#written = written;
  }
}
