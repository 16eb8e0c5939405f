import {
  BaseAccount,
  ModuleAccount,
} from "cosmjs-types/cosmos/auth/v1beta1/auth";
import { Metadata } from "cosmjs-types/cosmos/bank/v1beta1/bank";
import { Params as DistributionParams } from "cosmjs-types/cosmos/distribution/v1beta1/distribution";
import {
  Minter,
  Params as MintParams,
} from "cosmjs-types/cosmos/mint/v1beta1/mint";
import {
  Params as SlashingParams,
  ValidatorSigningInfo,
} from "cosmjs-types/cosmos/slashing/v1beta1/slashing";
import {
  Params as StakingParams,
  Validator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";
import { Any } from "cosmjs-types/google/protobuf/any";

import { parseAddress } from "../address/index.js";
import type { LiveReader } from "../live-state/reader.js";
import type { LiveBase } from "../live-state/state.js";
import { UnreadError } from "../live-state/unreadable.js";
import { stored } from "../live-state/values.js";
import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, toQuantity } from "../rpc/quantities.js";
import { once } from "../support/once.js";
import type { Minted } from "./books/books.js";

type Decoder<T> = { readonly decode: (bytes: Uint8Array) => T };

/** The length byte (20, in hex) before addresses in store keys. */
const ADDRESS_LENGTH = "14";
const hexOf = (text: string) => Buffer.from(text).toString("hex");

/**
 * The forked chain at the fork's block: reads from its modules' stores what the
 * emulation does not hold.
 */
export class ForkedChain {
  readonly #reader: LiveReader;
  readonly #prefix: string;
  readonly #accounts = new Map<string, Promise<BaseAccount | undefined>>();
  readonly #delegators = new Map<string, () => Promise<readonly string[]>>();
  readonly #answers = new Map<string, () => Promise<Uint8Array | undefined>>();
  /**
   * Reads what the emulation starts from: denomination, validators, and more.
   *
   * @throws UnreadError when the chain does not tell it
   */
  readonly base: () => Promise<LiveBase>;

  /** @param prefix of bech32 account addresses */
  constructor(reader: LiveReader, prefix: string) {
    this.#reader = reader;
    this.#prefix = prefix;
    this.base = once(async () => await reader.base());
  }

  /** Height of the fork's block. */
  get height(): bigint {
    return this.#reader.height;
  }

  /**
   * Reads and caches the value of a store key; `undefined` when there is none.
   */
  async #find<T>(
    store: string,
    key: string,
    codec: Decoder<T>,
  ): Promise<T | undefined> {
    const name = `${store} ${key}`;
    const asked =
      this.#answers.get(name) ??
      once(async () => await this.#reader.stored(store, key));
    this.#answers.set(name, asked);
    const bytes = await asked();
    return bytes === undefined ? undefined : stored(codec, bytes);
  }

  async #get<T>(store: string, key: string, codec: Decoder<T>): Promise<T> {
    const found = await this.#find(store, key, codec);
    if (found === undefined) {
      throw new UnreadError(
        `the parameters of ${store} are not in its store at block ${this.height} of the forked chain`,
      );
    }
    return found;
  }

  /**
   * Reads the parameters of the staking module.
   *
   * @throws UnreadError when the chain does not tell them
   */
  async stakingParams(): Promise<StakingParams> {
    return await this.#get("staking", "51", StakingParams);
  }

  /**
   * Reads the parameters of the slashing module.
   *
   * @throws UnreadError when the chain does not tell them
   */
  async slashingParams(): Promise<SlashingParams> {
    return await this.#get("slashing", "00", SlashingParams);
  }

  /**
   * Reads the parameters of the mint module.
   *
   * @throws UnreadError when the chain does not tell them
   */
  async mintParams(): Promise<MintParams> {
    return await this.#get("mint", "01", MintParams);
  }

  /**
   * Reads the parameters of the distribution module.
   *
   * @throws UnreadError when the chain does not tell them
   */
  async distributionParams(): Promise<DistributionParams> {
    return await this.#get("distribution", "09", DistributionParams);
  }

  /**
   * Reads a validator's signing record; `undefined` when it has none.
   *
   * @param address the consensus address: 20 bytes in hex without 0x
   * @throws UnreadError when the chain does not tell it
   */
  async signingInfo(
    address: string,
  ): Promise<ValidatorSigningInfo | undefined> {
    const key = `01${ADDRESS_LENGTH}${address.toLowerCase()}`;
    return await this.#find("slashing", key, ValidatorSigningInfo);
  }

  /**
   * Reads a validator; `undefined` when there is none, or the chain does not
   * tell it.
   *
   * @param operator address in hex: 0x…
   */
  async validator(operator: string): Promise<Validator | undefined> {
    const key = `21${ADDRESS_LENGTH}${operator.slice(2).toLowerCase()}`;
    return await this.#ifTold(this.#find("staking", key, Validator));
  }

  /**
   * Reads the metadata of a denomination; `undefined` when there is none.
   *
   * @throws UnreadError when the chain does not tell it
   */
  async metadata(denom: string): Promise<Metadata | undefined> {
    return await this.#find("bank", `01${hexOf(denom)}`, Metadata);
  }

  /**
   * Reads the minting rate.
   *
   * @throws UnreadError when the chain does not tell it
   */
  async minter(): Promise<Minted> {
    const { inflation, annualProvisions } = await this.#get(
      "mint",
      "00",
      Minter,
    );
    return {
      inflation: BigInt(inflation),
      annualProvisions: BigInt(annualProvisions),
    };
  }

  /**
   * Reads the supply in base units.
   *
   * @throws UnreadError when the chain does not tell it
   */
  readonly supply = once(async () => {
    const { denom } = await this.base();
    return await this.#reader.supply(denom);
  });

  /**
   * Reads the balances of accounts in base units.
   *
   * @throws UnreadError when the chain does not tell them
   */
  async balances(accounts: readonly string[]): Promise<readonly bigint[]> {
    return await this.#reader.balances(accounts);
  }

  /**
   * Reads an account; `undefined` when there is none, or the chain does not
   * tell it.
   *
   * @param address in hex: 0x…
   */
  async account(address: string): Promise<BaseAccount | undefined> {
    const key = address.toLowerCase();
    const reading = this.#accounts.get(key) ?? this.#readAccount(key);
    this.#accounts.set(key, reading);
    return await reading;
  }

  async #readAccount(address: string): Promise<BaseAccount | undefined> {
    const found = await this.#ifTold(
      this.#find("acc", `01${address.slice(2)}`, Any),
    );
    switch (found?.typeUrl) {
      case BaseAccount.typeUrl:
        return stored(BaseAccount, found.value);
      case ModuleAccount.typeUrl:
        return stored(ModuleAccount, found.value).baseAccount;
      default:
        return undefined;
    }
  }

  async #ifTold<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof UnreadError) return undefined;
      throw error;
    }
  }

  /**
   * Returns the accounts with a delegation to, or an unbonding from, a
   * validator, or any validator when none is given, in lower-case hex.
   *
   * @throws UnreadError when the chain does not tell them
   */
  async delegators(operator?: string): Promise<readonly string[]> {
    const { validators } = await this.base();
    const wanted = operator?.toLowerCase();
    const chosen = validators
      .map((one) => one.operator.toLowerCase())
      .filter((one) => wanted === undefined || one === wanted);
    const found = await Promise.all(
      chosen.map(async (one) => await this.#delegatorsTo(one)),
    );
    return [...new Set(found.flat())];
  }

  async #delegatorsTo(operator: string): Promise<readonly string[]> {
    const asked =
      this.#delegators.get(operator) ??
      once(async () => {
        const { valoper } = parseAddress(operator, { prefix: this.#prefix });
        const found = await this.#reader.delegatorsTo(valoper);
        return found.map((one) => one.toLowerCase());
      });
    this.#delegators.set(operator, asked);
    return await asked();
  }
}

/**
 * Returns the supply that a fork starts with, in base units: the forked
 * chain's, plus what the network's accounts were given.
 *
 * @param accounts those that the network gave balances of its own
 * @throws UnreadError when the forked chain does not tell it
 */
export async function startingSupply(
  fork: ForkedChain,
  accounts: readonly string[],
  ask: Ask,
): Promise<bigint> {
  const block = toQuantity(fork.height);
  const [supply, had, have] = await Promise.all([
    fork.supply(),
    fork.balances(accounts),
    Promise.all(
      accounts.map(async (account) =>
        fromQuantity(
          await ask("eth_getBalance", [account, block]),
          "a balance",
        ),
      ),
    ),
  ]);
  const sum = (all: readonly bigint[]) => all.reduce((a, b) => a + b, 0n);
  return supply + sum(have) - sum(had);
}
