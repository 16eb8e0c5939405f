// Asked of every address that a request names: does it belong to the emulation?

import {
  DEFINITIONS,
  type PrecompileName,
} from "../../precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import type { LocalnetSettings } from "../settings/settings.js";
import { RESERVE } from "./accounts.js";

/** Which accounts of a simulated network belong to the emulation. Addresses in lower case. */
export class EmulatedAccounts {
  /** Of the staking precompile, which keeps the books. */
  readonly staking: string;
  readonly governance: string;
  /** Precompiles that are modules of the chain. */
  readonly modules: ReadonlySet<string>;
  /** Those, and the ones without a state. */
  readonly precompiles: ReadonlySet<string>;
  /** Those, the modules' accounts, and the emulation's own. */
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

  /** Whether an account belongs to the emulation. */
  owns(address: unknown): boolean {
    return typeof address === "string" && this.all.has(address.toLowerCase());
  }

  /** Whether an account's balance is in the modules' books. */
  isBooked(address: unknown): boolean {
    return (
      typeof address === "string" &&
      this.owns(address) &&
      !this.precompiles.has(address.toLowerCase())
    );
  }

  /** Whether an account is one of the modules' precompiles. */
  isModule(address: unknown): boolean {
    return (
      typeof address === "string" && this.modules.has(address.toLowerCase())
    );
  }

  /** What a precompile is called, such as `staking`. */
  nameOf(address: string): string | undefined {
    return this.#names.get(address);
  }
}
