import type { Result } from "ethers";
import type { Coin, DecCoin } from "cosmjs-types/cosmos/base/v1beta1/coin";
import type { Any } from "cosmjs-types/google/protobuf/any";

import { type AddressForm, parseAddress } from "../../address/index.js";
import type { Currency } from "../../chain/facts.js";
import type { LocalnetSettings } from "../../localnet/settings/settings.js";
import { fromQuantity } from "../../rpc/quantities.js";
import type { ForkedChain } from "../forked-chain.js";
import type { Views } from "./views.js";

/** What the books need besides the modules' views. */
export interface Surroundings {
  readonly settings: LocalnetSettings;
  /** The forked chain. */
  readonly fork: ForkedChain | undefined;
  readonly currency: Currency;
  /**
   * Returns the supply that a fork starts with, in base units, which the
   * emulation does not count.
   *
   * @throws UnreadError when the forked chain does not tell it
   */
  readonly before: () => Promise<bigint>;
  /** Addresses of the genesis accounts, in genesis order. */
  readonly genesisAccounts: readonly string[];
  /** Addresses of all accounts seen so far, in lower-case hex. */
  readonly known: ReadonlySet<string>;
  /**
   * Returns every address that may have a delegation, in lower-case hex.
   *
   * @param operator limits them to possible delegators of this validator, as
   *   far as known
   * @throws UnreadError when the forked chain does not tell its delegators
   */
  delegators(operator?: string): Promise<Iterable<string>>;
  /**
   * The same, without delegators of the forked chain that were not seen since.
   */
  ownDelegators(): Promise<Iterable<string>>;
  /**
   * Returns the public key that an account has signed a framework transaction
   * with.
   */
  keyOf(address: string): Any | undefined;
  /** Base units per gas. */
  readonly minGasPrice: bigint;
  /** Times 10^18. */
  readonly minGasMultiplier: bigint;
}

/** A page that holds everything. */
export const EVERYTHING = {
  key: "0x",
  offset: 0n,
  limit: 100_000n,
  countTotal: false,
  reverse: false,
};

/** A struct as ethers decodes it; its fields have no types. */
export type Struct = Result;

/** Reads a field by name, even where arrays have a method of that name. */
export const fieldOf = (struct: Struct, name: string): readonly Struct[] =>
  struct.getValue(name);

export const time = (seconds: bigint) => ({ seconds, nanos: 0 });

export const coins = (list: readonly Struct[]): Coin[] =>
  list.map(({ denom, amount }) => ({ denom, amount: String(amount) }));
export const decCoins = (list: readonly Struct[]): DecCoin[] => coins(list);

export const byAddress = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The state at one block that all modules' books are read from. */
export class Reading {
  readonly views: Views;
  readonly around: Surroundings;

  constructor(views: Views, around: Surroundings) {
    this.views = views;
    this.around = around;
  }

  /** Converts an address in hex to bech32. */
  form(hex: string, form: Exclude<AddressForm, "hex">): string {
    return parseAddress(hex, { prefix: this.around.settings.prefix })[form];
  }

  /** Converts an address in any form to hex. */
  hex(text: string): `0x${string}` {
    return parseAddress(text, { prefix: this.around.settings.prefix }).hex;
  }

  /** Reads an account's balance in base units. */
  async balance(hex: string): Promise<bigint> {
    const answer = await this.views.ask("eth_getBalance", [hex]);
    return fromQuantity(answer, "a balance");
  }

  /** Reads what the modules have in common. */
  async state(): Promise<Struct> {
    // The view accrues rewards up to this time, which must not precede the last
    // settlement.
    const time = await this.views.time();
    const [state] = await this.views.call("system", "state", [time]);
    return state;
  }
}
