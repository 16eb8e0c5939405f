import { isAddress, parseAddress } from "../../address/index.js";
import type { ChainFacts } from "../../chain/index.js";
import { PRECOMPILE_NAMES } from "../../precompiles/index.js";
import { isRecord } from "../../rpc/quantities.js";
import { cleanText } from "../../support/text.js";
import { coinMoney, instant } from "../modules/values.js";
import { shortenMiddle, timeText } from "./layout.js";
import { nativeMoney, tokens } from "./money.js";

/** Attributes and arguments that mean nothing to people. */
const PLUMBING = new Set([
  "msg_index",
  "mode",
  "module",
  "newShares",
  "new_shares",
]);
const SHORT = 11;

/** Whether values with a name mean nothing to people. */
export const isPlumbing = (name: string) => PLUMBING.has(name);

/** What values are formatted with. */
export interface ToldView {
  readonly facts: ChainFacts;
  /** The name of an address, which is passed as 0x… in lower case. */
  readonly nameOf: (address: string) => string | undefined;
}

/**
 * Formats the values of events and calls for people: addresses by name, coins
 * as amounts of tokens.
 */
export class ToldValues {
  readonly #view: ToldView;
  readonly #short: boolean;

  /** @param short whether addresses and hashes are shortened in the middle */
  constructor(view: ToldView, short: boolean) {
    this.#view = view;
    this.#short = short;
  }

  // "7atest,5stable" is a list of amounts; bech32 texts are addresses.
  attribute(value: string): string {
    const coins = value
      .split(",")
      .map((part) =>
        /^(\d{1,78})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(part),
      );
    return coins.every((coin) => coin !== null)
      ? coins
          .map(([, amount = "0", denom = ""]) =>
            tokens(
              coinMoney({ denom, amount: BigInt(amount) }, this.#view.facts),
            ),
          )
          .join(" and ")
      : this.text(value);
  }

  arguments({
    contract,
    args,
  }: {
    readonly contract: string;
    readonly args: Readonly<Record<string, unknown>>;
  }): string {
    const ofChain = isPrecompile(contract);
    return Object.entries(args)
      .filter(([name]) => !(ofChain && PLUMBING.has(name)))
      .map(([name, value]) => {
        if (ofChain && typeof value === "bigint") {
          if (name === "amount" || name === "commission") {
            return `${name} ${tokens(nativeMoney(value, this.#view.facts))}`;
          }
          if (name === "completionTime") {
            return `${name} ${timeText(instant(value))}`;
          }
        }
        return `${name} ${this.value(value)}`;
      })
      .join(", ");
  }

  value(value: unknown): string {
    if (Array.isArray(value)) {
      return value.map((one: unknown) => this.value(one)).join(" and ");
    }
    if (isRecord(value)) {
      const { denom, amount } = value;
      return typeof denom === "string" && typeof amount === "bigint"
        ? tokens(coinMoney({ denom, amount }, this.#view.facts))
        : `{${Object.entries(value)
            .map(([name, one]) => `${name} ${this.value(one)}`)
            .join(", ")}}`;
    }
    return typeof value === "string" ? this.text(value) : cleanText(value, 100);
  }

  text(value: string): string {
    const { bech32Prefix: prefix } = this.#view.facts;
    if (isAddress(value, { prefix })) {
      return this.address(value);
    }
    return /^0x[0-9a-fA-F]{64}$/.test(value)
      ? this.hash(value)
      : cleanText(value, 100);
  }

  /** An address by its name, or as 0x… whatever form it came in. */
  address(value: string): string {
    const { facts, nameOf } = this.#view;
    const options = { prefix: facts.bech32Prefix };
    if (!isAddress(value, options)) {
      return cleanText(value, 100);
    }
    const { hex } = parseAddress(value, options);
    const name = nameOf(hex.toLowerCase());
    // Anybody can take any moniker, so the address is shown too.
    return name === undefined
      ? this.hash(hex)
      : `${name} (${shortenMiddle(hex, SHORT)})`;
  }

  hash(value: string): string {
    return this.#short ? shortenMiddle(value, SHORT) : value;
  }
}

/** Whether a contract's name is one of the precompiles'. */
export const isPrecompile = (contract: string) =>
  PRECOMPILE_NAMES.some((name) => name === contract);
