// Tells which of the addresses that a request names belong to the emulation.

import {
  DEFINITIONS,
  type PrecompileName,
} from "../../precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import type { LocalnetSettings } from "../settings/settings.js";
import { RESERVE } from "./accounts.js";

/**
 * The accounts of a simulated network that belong to the emulation. The sets
 * hold addresses in lower case.
 */
export class EmulatedAccounts {
  /** The staking precompile, whose storage holds the books. */
  readonly staking: string;
  readonly governance: string;
  /** The precompiles that are modules of the chain. */
  readonly modules: ReadonlySet<string>;
  /** All emulated precompiles, including those without state. */
  readonly precompiles: ReadonlySet<string>;
  /** The precompiles, the module accounts and the reserve. */
  readonly all: ReadonlySet<string>;
  readonly #names: ReadonlyMap<string, string>;

  constructor({ addresses, active }: LocalnetSettings) {
    const at = (name: PrecompileName) => addresses[name].toLowerCase();
    this.staking = at("staking");
    this.governance = at("governance");
    this.precompiles = new Set(active.map(at));
    this.modules = new Set(
      active.filter((name) => DEFINITIONS[name].isModule).map(at),
    );
    this.all = new Set([
      ...this.precompiles,
      ...Object.values(MODULE_ACCOUNTS),
      RESERVE,
    ]);
    this.#names = new Map(active.map((name) => [at(name), name]));
  }

  /** Returns whether an address, in any case, is one of {@link all}. */
  owns(address: unknown): boolean {
    return typeof address === "string" && this.all.has(address.toLowerCase());
  }

  /** Returns whether the modules' books account for an address's balance. */
  isBooked(address: unknown): boolean {
    return (
      typeof address === "string" &&
      this.owns(address) &&
      !this.precompiles.has(address.toLowerCase())
    );
  }

  /** Returns whether an address is one of {@link modules}. */
  isModule(address: unknown): boolean {
    return (
      typeof address === "string" && this.modules.has(address.toLowerCase())
    );
  }

  /**
   * Returns a precompile's name, such as `staking`; the address in lower case.
   */
  nameOf(address: string): string | undefined {
    return this.#names.get(address);
  }
}
