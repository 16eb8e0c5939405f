import { parseAddress } from "../../../address/index.js";
import { SYSTEM } from "../../../localnet/modules/accounts.js";
import { PRECOMPILE_NAMES } from "../../../precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../../precompiles/module-accounts.js";
import { capitalize } from "../../../support/text.js";
import type { DualChain } from "../../chain.js";
import { FAUCET } from "../../stable-token.js";
import { NAMES } from "../texts.js";
import { shortened } from "./display.js";

/** Names of addresses in any form. */
export class Names {
  readonly #prefix: string;
  readonly #names = new Map<string, string>();
  /**
   * Validators' monikers by operator address: the same address may have a name
   * as an account.
   */
  readonly #monikers = new Map<string, string>();

  /** @param stable the stable token */
  constructor(
    chain: DualChain,
    stable: { readonly symbol: string; readonly address: string },
  ) {
    this.#prefix = chain.prefix;
    for (const [i, account] of chain.genesisAccounts.entries()) {
      this.set(account, NAMES.account(i));
    }
    const { addresses } = chain.engine.settings;
    for (const name of PRECOMPILE_NAMES) {
      this.set(addresses[name], capitalize(name));
    }
    for (const [module, address] of Object.entries(MODULE_ACCOUNTS)) {
      this.set(address, NAMES.modules[module as keyof typeof MODULE_ACCOUNTS]);
    }
    this.set(FAUCET, NAMES.faucet);
    this.set(SYSTEM, NAMES.system);
    this.set(stable.address, stable.symbol);
  }

  /**
   * Sets the name of an address.
   *
   * @param address in hex: 0x…
   */
  set(address: string, name: string): void {
    this.#names.set(address.toLowerCase(), name);
  }

  /**
   * Sets a validator's moniker.
   *
   * @param operator address in hex: 0x…
   */
  setMoniker(operator: string, moniker: string): void {
    this.#monikers.set(operator.toLowerCase(), moniker);
  }

  /** Returns the name of an address; `undefined` when there is none. */
  find(text: string): string | undefined {
    try {
      const { hex, valoper } = parseAddress(text, { prefix: this.#prefix });
      const [name, moniker] = [this.#names, this.#monikers].map((names) =>
        names.get(hex.toLowerCase()),
      );
      return text === valoper ? (moniker ?? name) : (name ?? moniker);
    } catch {
      return undefined;
    }
  }

  /** Returns the name of an address, or the shortened address. */
  of(text: string): string {
    return this.find(text) ?? shortened(text);
  }
}
