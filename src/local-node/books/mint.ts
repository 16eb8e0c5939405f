import type { Params } from "cosmjs-types/cosmos/mint/v1beta1/mint";

import type { BankBooks, MintBooks, StakingBooks, Minted } from "./books.js";
import type { Reading } from "./reading.js";

const ONE = 10n ** 18n;
const BLOCKS_PER_YEAR = 6_311_520n;

/** The rate at which rewards are minted. */
export class EmulatedMintBooks implements MintBooks {
  readonly #reading: Reading;
  readonly #staking: StakingBooks;
  readonly #bank: BankBooks;

  constructor(reading: Reading, staking: StakingBooks, bank: BankBooks) {
    this.#reading = reading;
    this.#staking = staking;
    this.#bank = bank;
  }

  async rewardRate(): Promise<bigint> {
    const { rewardRate } = await this.#reading.state();
    return BigInt(rewardRate);
  }

  async minter(): Promise<Minted> {
    const { fork } = this.#reading.around;
    if (fork !== undefined) return await fork.minter();
    // Rewards are a fraction of the bonded tokens here; yearly provisions
    // follow from it.
    const [rate, { bondedTokens }, [supply]] = await Promise.all([
      this.rewardRate(),
      this.#staking.pool(),
      this.#bank.supply(),
    ]);
    const provisions = rate * BigInt(bondedTokens);
    const all = BigInt(supply?.amount ?? 0);
    return {
      inflation: all === 0n ? 0n : provisions / all,
      annualProvisions: provisions,
    };
  }

  async params(): Promise<Params> {
    const { fork, settings } = this.#reading.around;
    return fork === undefined
      ? {
          mintDenom: settings.denom,
          inflationRateChange: "0",
          inflationMax: String(await this.rewardRate()),
          inflationMin: "0",
          goalBonded: String((67n * ONE) / 100n),
          blocksPerYear: BLOCKS_PER_YEAR,
        }
      : await fork.mintParams();
  }
}
