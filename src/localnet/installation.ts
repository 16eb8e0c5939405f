// Before the first request that needs them: installs the modules, with the state
// of a genesis or of a forked chain.

import type { Parts } from "./arrangement/parts.js";
import type { AfterBlocks } from "./block-end/after-blocks.js";
import type { BlockEnds } from "./block-end/blocks.js";
import type { Ledger } from "./block-end/ledger.js";
import type { LiveChain } from "./fork/live-chain.js";
import type { Copies } from "./modules/copies.js";
import type { Emulator } from "./modules/emulator.js";
import { type GenesisOverrides, installGenesis } from "./modules/genesis.js";
import type { Supply } from "./modules/supply.js";
import type { SystemCalls } from "./modules/system.js";
import type { Mining } from "./node/mining.js";
import type { Head, LocalNode } from "./node/node.js";
import { heightOf } from "./request/height.js";
import type { LocalnetSettings } from "./settings/settings.js";

/** What {@link Installation} needs of the emulated chain. */
export interface InstallationHost {
  readonly node: LocalNode;
  readonly settings: LocalnetSettings;
  readonly parts: Parts;
  readonly mining: Mining;
  readonly system: SystemCalls;
  readonly supply: Supply;
  readonly ledger: Ledger;
  readonly copies: Copies;
  readonly blocks: BlockEnds;
  readonly afterBlocks: AfterBlocks;
  /** Whether the node forks any chain, whose newest block is the genesis then. */
  readonly forked: boolean;
  /** Returns the live chain's state on a fork of the chain. */
  live(): LiveChain | undefined;
}

/** The block that the modules came after, and their genesis. */
interface Begun {
  readonly at: bigint;
  readonly genesis: GenesisOverrides;
}

/** What a snapshot of the node does not hold of the installation. */
interface Saved {
  readonly installed: boolean;
  readonly begun: Begun | undefined;
}

/** Installs the modules on demand, and knows whether and since when they stand. */
export class Installation {
  readonly #host: InstallationHost;
  #installed = false;
  /** Unset on a fork of the live chain, whose books give the state. */
  #begun: Begun | undefined;

  constructor(host: InstallationHost) {
    this.#host = host;
  }

  /** Whether the modules are installed. */
  get done(): boolean {
    return this.#installed;
  }

  /** Whether they are, with all that their gas depends on. */
  get isReady(): boolean {
    return this.#installed && !this.#host.copies.old;
  }

  /** Installs the modules, unless they are. */
  async ensure(): Promise<void> {
    if (this.#installed) return;
    const { parts, ledger, mining, blocks, afterBlocks } = this.#host;
    const { emulator } = await parts.load();
    const begin = await this.#install(emulator);
    const live = this.#host.live();
    await live?.punish();
    ledger.taken = await ledger.debts();
    this.#installed = true;
    await mining.learn();
    await blocks.begin(begin, live !== undefined);
    if (live !== undefined) blocks.forgetTime();
    if (blocks.mayBeDue()) await blocks.process();
    await live?.readForeseen();
    await afterBlocks.expectCopies();
  }

  /** Installs the modules with all that their gas depends on. */
  async ready(): Promise<void> {
    await this.ensure();
    const { copies, parts } = this.#host;
    if (copies.old) await copies.bring((await parts.load()).emulator);
  }

  /**
   * Installs the modules.
   *
   * @returns the block whose state they begin with
   */
  async #install(emulator: Emulator): Promise<Head> {
    const { node, system, settings, supply, forked } = this.#host;
    const books = this.#host.live()?.books;
    if (books !== undefined) {
      const timestamp = await books.install(emulator, supply.given);
      return { number: books.height, timestamp };
    }
    // A chain's genesis is its first block: what ran before the modules were
    // needed did not concern them.
    const genesis = await node.head(forked ? "latest" : "earliest");
    this.#begun = {
      at: (await node.head()).number,
      genesis: await installGenesis(
        node,
        emulator,
        system,
        settings,
        supply,
        genesis,
      ),
    };
    return genesis;
  }

  /**
   * Returns the modules' genesis as state overrides, for a call at a block from
   * before they were installed.
   */
  genesisAt(block: unknown): GenesisOverrides | undefined {
    const number = this.#host.forked ? undefined : heightOf(block);
    return number !== undefined && this.#begun && number < this.#begun.at
      ? this.#begun.genesis
      : undefined;
  }

  save(): Saved {
    return { installed: this.#installed, begun: this.#begun };
  }

  restore({ installed, begun }: Saved): void {
    this.#installed = installed;
    this.#begun = begun;
  }

  /** Notes that the node has the modules no more, after it was reset. */
  forget(): void {
    this.#installed = false;
  }
}
