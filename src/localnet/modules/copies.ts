import type { LocalNode } from "../node/node.js";
import type { EmulatedAccounts } from "./emulated-accounts.js";
import type { Emulator } from "./emulator.js";
import type { SystemCalls } from "./system.js";

/** Which ones there are; `undefined`: none, or none that has to be written. */
export interface Editions {
  readonly validators?: string | undefined;
  readonly proposals?: string | undefined;
}

const NO_PROPOSALS = "00".repeat(6);

/**
 * Copies of what views answer, which stand behind the precompiles' codes, so
 * that reading them costs a contract next to nothing; see
 * contracts/localnet/common/Directory.sol and governance/Copies.sol. The
 * precompiles make them themselves, and know an old one: it makes calls
 * dearer, and no answer wrong. To make them takes long, so they are written
 * when the first call comes whose gas they change.
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

  /** Tells which ones are right from now on; `undefined`: those from before. */
  expect({ validators, proposals }: Editions): void {
    this.#due = {
      validators: validators ?? this.#due.validators,
      proposals: proposals ?? this.#due.proposals,
    };
  }

  /** Whether another edition is due than the one that stands there. */
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

  /** Writes those of which another edition is due. */
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

  /** To be given to {@link restore} after the state went back to here. */
  save(): readonly [due: Editions, written: Editions] {
    return [this.#due, this.#written];
  }

  restore([due, written]: readonly [Editions, Editions] = [{}, {}]): void {
    this.#due = due;
    this.#written = written;
  }
}
