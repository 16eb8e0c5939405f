import { sha256 } from "@noble/hashes/sha2";
import { hexToBytes } from "@noble/hashes/utils";

import { UnreadError } from "../../live-state/unreadable.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import { fromQuantity } from "../../rpc/quantities.js";
import type { Account, AuthBooks } from "./books.js";
import { byAddress, type Reading } from "./reading.js";

const MODULES: Readonly<
  Record<string, { name: string; permissions: string[] }>
> = {
  [MODULE_ACCOUNTS.bondedPool]: {
    name: "bonded_tokens_pool",
    permissions: ["burner", "staking"],
  },
  [MODULE_ACCOUNTS.notBondedPool]: {
    name: "not_bonded_tokens_pool",
    permissions: ["burner", "staking"],
  },
  [MODULE_ACCOUNTS.distribution]: { name: "distribution", permissions: [] },
  [MODULE_ACCOUNTS.governance]: { name: "gov", permissions: ["burner"] },
  [MODULE_ACCOUNTS.feeCollector]: { name: "fee_collector", permissions: [] },
};

/** Accounts, with their numbers and keys. */
export class EmulatedAuthBooks implements AuthBooks {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  async account(address: string): Promise<Account | undefined> {
    const hex = this.#reading.hex(address).toLowerCase();
    const sequence = fromQuantity(
      await this.#reading.views.ask("eth_getTransactionCount", [hex]),
      "a nonce",
    );
    const { fork, genesisAccounts } = this.#reading.around;
    const module = MODULES[hex];
    const place = fork === undefined ? genesisAccounts.indexOf(hex) : -1;
    const exists =
      module !== undefined ||
      place >= 0 ||
      sequence > 0n ||
      (await this.#reading.balance(hex)) > 0n ||
      (await this.#reading.views.ask("eth_getCode", [hex])) !== "0x";
    if (!exists) {
      return undefined;
    }
    const noted = await fork?.account(hex);
    const pubKey = this.#reading.around.keyOf(hex) ?? noted?.pubKey;
    return {
      address,
      accountNumber:
        noted?.accountNumber ??
        (place >= 0 ? BigInt(place) : accountNumber(hex)),
      sequence,
      ...(pubKey === undefined ? {} : { pubKey }),
      ...(module === undefined ? {} : { module }),
    };
  }

  async accounts(): Promise<readonly Account[]> {
    this.#requireNoFork("which accounts there are");
    return await this.#accounts([
      ...new Set([...Object.keys(MODULES), ...this.#reading.around.known]),
    ]);
  }

  async moduleAccounts(): Promise<readonly Account[]> {
    return await this.#accounts(Object.keys(MODULES));
  }

  /** @throws UnreadError on a fork */
  #requireNoFork(what: string): void {
    const { fork } = this.#reading.around;
    if (fork === undefined) return;
    throw new UnreadError(
      `${what} cannot be told on a fork of block ${fork.height}: nobody tells it of the forked chain`,
      { fix: "Ask the forked chain." },
    );
  }

  async #accounts(all: readonly string[]): Promise<readonly Account[]> {
    const found = await Promise.all(
      [...all]
        .sort(byAddress)
        .map(
          async (hex) => await this.account(this.#reading.form(hex, "account")),
        ),
    );
    return found.filter((account) => account !== undefined);
  }
}

/**
 * Derives the number of an account outside the genesis, as large as the chain's
 * own.
 */
function accountNumber(hex: string): bigint {
  const [first = 0, ...rest] = sha256(hexToBytes(hex.slice(2))).subarray(0, 8);
  return BigInt(`0x${Buffer.from([first | 0x80, ...rest]).toString("hex")}`);
}
