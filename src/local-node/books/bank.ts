import type { Metadata } from "cosmjs-types/cosmos/bank/v1beta1/bank";
import type { Coin } from "cosmjs-types/cosmos/base/v1beta1/coin";

import type { BankBooks } from "./books.js";
import type { Reading } from "./reading.js";

/** Balances and supply of the native coin. */
export class EmulatedBankBooks implements BankBooks {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async balances(account: string): Promise<readonly Coin[]> {
    const amount = await this.#reading.balance(this.#reading.hex(account));
    const { denom } = this.#reading.around.settings;
    return amount === 0n ? [] : [{ denom, amount: String(amount) }];
  }

  async supply(): Promise<readonly Coin[]> {
    const { settings, before } = this.#reading.around;
    const { supply } = await this.#reading.state();
    // On a fork, the emulation's own count may be negative.
    const amount = (await before()) + BigInt.asIntN(256, BigInt(supply));
    return [{ denom: settings.denom, amount: String(amount) }];
  }

  async denominations(): Promise<readonly Metadata[]> {
    const { currency, settings, fork } = this.#reading.around;
    if (fork !== undefined) {
      const read = await fork.metadata(settings.denom);
      return read === undefined ? [] : [read];
    }
    const display = currency.symbol.toLowerCase();
    return await Promise.resolve([
      {
        description: "The native staking token.",
        denomUnits: [
          { denom: settings.denom, exponent: 0, aliases: [] },
          { denom: display, exponent: currency.decimals, aliases: [] },
        ],
        base: settings.denom,
        display,
        name: currency.name,
        symbol: currency.symbol,
        uri: "",
        uriHash: "",
      },
    ]);
  }
}
