import type { LocalNode } from "../node/node.js";
import type { EmulatedAccounts } from "./emulated-accounts.js";
import type { Emulator } from "./emulator.js";
import type { SystemCalls } from "./system.js";

/** Which ones stand there; `undefined`: none. */
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
 * dearer, and no answer wrong.
 */
export class Copies {
  written: Editions = {};
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

  /** Writes those of which another edition is due; `undefined`: what stands there is right. */
  async bring(due: Editions, emulator: Emulator): Promise<void> {
    const { staking, governance } = this.#accounts;
    const { validators, proposals = NO_PROPOSALS } = this.written;
    if (due.validators !== undefined && due.validators !== validators)
      await this.#write(staking, "directory", emulator);
    if (due.proposals !== undefined && due.proposals !== proposals)
      await this.#write(governance, "proposalCopies", emulator);
    this.written = {
      validators: due.validators ?? validators,
      proposals: due.proposals ?? proposals,
    };
  }

  async #write(account: string, view: string, emulator: Emulator) {
    const [copy] = await this.#system.view(view);
    await this.#node.setCode(account, emulator.withCopy(account, String(copy)));
  }
}
