import { hexToBytes } from "@noble/hashes/utils";

import { fromQuantity } from "../../rpc/quantities.js";
import type { EvmAccount, EvmBooks, EvmFacts } from "./books.js";
import { byAddress, type Reading } from "./reading.js";

/** What the framework tells of the EVM. */
export class EmulatedEvmBooks implements EvmBooks {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async account(address: string): Promise<EvmAccount> {
    const [balance, nonce, code] = await Promise.all([
      this.#reading.balance(address),
      this.#reading.views.ask("eth_getTransactionCount", [address]),
      this.#reading.views.ask("eth_getCode", [address]),
    ]);
    const { active, addresses } = this.#reading.around.settings;
    const isPrecompile = active.some(
      (name) => addresses[name].toLowerCase() === address.toLowerCase(),
    );
    return {
      balance,
      nonce: fromQuantity(nonce, "a nonce"),
      // On the chain, precompiles have no code.
      code: isPrecompile ? new Uint8Array() : hexToBytes(String(code).slice(2)),
    };
  }

  async storage(address: string, place: string): Promise<string> {
    return String(
      await this.#reading.views.ask("eth_getStorageAt", [address, place]),
    );
  }

  async facts(): Promise<EvmFacts> {
    const { settings, minGasPrice, minGasMultiplier } = this.#reading.around;
    return {
      denom: settings.denom,
      precompiles: settings.active
        .map((name) => settings.addresses[name].toLowerCase())
        .sort(byAddress),
      baseFee: await this.#reading.views.baseFee(),
      minGasPrice,
      minGasMultiplier,
    };
  }
}
