import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import type { LocalnetSettings } from "../settings/settings.js";
import { RESERVE } from "./accounts.js";

/** Which accounts of a simulated network belong to the emulation. Addresses in lower case. */
export class EmulatedAccounts {
  /** Of the staking precompile, which keeps the books. */
  readonly staking: string;
  /** Precompiles that are modules of the chain. */
  readonly modules: ReadonlySet<string>;
  /** Those, and the ones without a state. */
  readonly precompiles: ReadonlySet<string>;
  /** Those, the modules' accounts, and the emulation's own. */
  readonly all: ReadonlySet<string>;
  readonly #names: ReadonlyMap<string, string>;

  constructor({ addresses }: LocalnetSettings) {
    const { staking, distribution, governance, bech32 } = addresses;
    this.staking = staking.toLowerCase();
    this.modules = new Set(
      [staking, distribution, governance].map((address) =>
        address.toLowerCase(),
      ),
    );
    this.precompiles = new Set([...this.modules, bech32.toLowerCase()]);
    this.all = new Set([
      ...this.precompiles,
      ...Object.values(MODULE_ACCOUNTS),
      RESERVE,
    ]);
    this.#names = new Map(
      Object.entries(addresses).map(([name, address]) => [
        address.toLowerCase(),
        name,
      ]),
    );
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
