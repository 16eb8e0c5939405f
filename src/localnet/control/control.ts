// Controls the emulated chain for tests: time, slashes, rewards, validators.

import { parseAddress } from "../../address/codec.js";
import { DualstackError } from "../../support/errors.js";
import type { LocalChain } from "../chain.js";
import {
  type AmountInput,
  type LocalnetSettings,
  parseValidator,
  type RateInput,
  type ValidatorUserSettings,
} from "../settings/settings.js";
import {
  amountText,
  rateText,
  toAmount,
  toRate,
} from "../settings/quantities.js";
import { toProposal, toSeconds, toTime } from "./arguments.js";
import { votingEnd } from "./voting-end.js";

/**
 * The emulated chain's totals: amounts in base units, times in Unix seconds.
 */
export interface LocalnetState {
  readonly bondedTokens: bigint;
  readonly notBondedTokens: bigint;
  readonly unbondingTokens: bigint;
  /**
   * Owed to delegators and validators, including what has accrued until the
   * newest block.
   */
  readonly outstandingRewards: bigint;
  readonly communityPool: bigint;
  /** Deposits of proposals. */
  readonly deposits: bigint;
  /** Minted as rewards since genesis. */
  readonly accrued: bigint;
  readonly burnt: bigint;
  /** Per year, scaled by 10^18. */
  readonly rewardRate: bigint;
  /** Seconds. */
  readonly unbondingTime: bigint;
  /** How many there are. */
  readonly validators: bigint;
  readonly proposals: bigint;
  /**
   * When a block's end next has something to do, such as an unbonding that
   * matures or a vote that ends; `undefined` if nothing is due.
   */
  readonly nextDue: bigint | undefined;
  readonly height: bigint;
  readonly time: bigint;
}

/** Options of {@link LocalnetControl.slash}. */
export interface SlashOptions {
  /**
   * Fraction of the stake; default: `slashing.downtimeFraction` of the
   * settings.
   */
  readonly fraction?: RateInput;
  /** Whether the validator is jailed too; default true. */
  readonly jail?: boolean;
  /**
   * Block height since which unbondings and redelegations are slashed too;
   * default: none are.
   */
  readonly infractionHeight?: bigint;
}

/** The control of an emulated chain, in this process or in another. */
export type ChainControl = Pick<LocalnetControl, keyof LocalnetControl>;

/**
 * Controls the emulated chain, as `connection.dualstack.localnet`. Only
 * `advance…` mines a block. A validator's address is 0x… or …valoper1….
 */
export class LocalnetControl {
  readonly #chain: LocalChain;
  readonly #settings: LocalnetSettings;
  readonly #exclusively: <T>(task: () => Promise<T>) => Promise<T>;

  constructor(
    chain: LocalChain,
    settings: LocalnetSettings,
    exclusively: <T>(task: () => Promise<T>) => Promise<T>,
  ) {
    this.#chain = chain;
    this.#settings = settings;
    this.#exclusively = exclusively;
  }

  /**
   * Returns the chain's totals, its height and time, and when something is due
   * next. Amounts in base units, times in Unix seconds.
   *
   * @throws DualstackError on a real network
   */
  async state(): Promise<LocalnetState> {
    return await this.#exclusively(async () => {
      await this.#chain.installation.ensure();
      const { number: height, timestamp: time } = await this.#chain.node.head();
      const [state] = await this.#chain.system.view("state", [time]);
      const fields = state.toObject() as Omit<
        LocalnetState,
        "height" | "time" | "nextDue"
      >;
      return { ...fields, nextDue: this.#chain.blocks.due, height, time };
    });
  }

  /**
   * Mines a block `seconds` after the newest one.
   *
   * @throws DualstackError for 0 seconds or less; on a real network, if that
   * takes longer than `longestWait`
   */
  async advance(seconds: number | bigint): Promise<void> {
    const step = toSeconds(seconds);
    await this.#exclusively(async () => {
      await this.#chain.installation.ensure();
      const { timestamp } = await this.#chain.node.head();
      await this.#chain.mineAt(toTime(timestamp + step));
    });
  }

  /**
   * Mines a block at a time in Unix seconds, unless that time has passed.
   *
   * @throws DualstackError on a real network, if that takes longer than
   * `longestWait`
   */
  async advanceTo(time: number | bigint): Promise<void> {
    const target = toTime(time);
    await this.#exclusively(async () => {
      await this.#chain.installation.ensure();
      if ((await this.#chain.node.head()).timestamp < target) {
        await this.#chain.mineAt(target);
      }
    });
  }

  /**
   * Mines a block at the time when something is due next: an unbonding or
   * redelegation matures, a voting or deposit period ends.
   *
   * @returns the block's time in Unix seconds, or `undefined` without mining a
   * block if nothing is due
   * @throws DualstackError on a real network, if that takes longer than
   * `longestWait`
   */
  async advanceToNextDue(): Promise<bigint | undefined> {
    return await this.#exclusively(async () => {
      await this.#chain.installation.ensure();
      const { due } = this.#chain.blocks;
      if (due === undefined) return undefined;
      await this.#chain.mineAt(due);
      return (await this.#chain.node.head()).timestamp;
    });
  }

  /**
   * Mines a block at the end of a proposal's voting period.
   *
   * @returns the block's time in Unix seconds
   * @throws DualstackError if the proposal is not in its voting period; on a
   * real network, if that takes longer than `longestWait`
   */
  async advanceToVoteEnd(proposal: number | bigint): Promise<bigint> {
    const id = toProposal(proposal);
    return await this.#exclusively(async () => {
      await this.#chain.installation.ensure();
      await this.#chain.live?.meetProposal(id);
      const end = await votingEnd(
        this.#chain.node,
        this.#settings.addresses.governance,
        id,
      );
      await this.#chain.mineAt(end);
      return (await this.#chain.node.head()).timestamp;
    });
  }

  /**
   * Adds a validator. No account pays its stake, which is in base units (bigint)
   * or whole tokens (string).
   *
   * @throws DualstackError for invalid settings, or an operator or consensus
   * key that is taken; on a real network
   */
  async addValidator(validator: ValidatorUserSettings): Promise<void> {
    const settings = parseValidator(validator, this.#settings.prefix);
    await this.#atHead((height, time) => [
      "addValidator",
      [settings, height, time],
    ]);
  }

  /**
   * Burns a fraction of a validator's stake (0.05 is 5 %) and by default jails
   * the validator, as the chain does for missed blocks.
   *
   * @throws DualstackError for an unknown validator or a fraction above 1; on a
   * real network
   */
  async slash(validator: string, options: SlashOptions = {}): Promise<void> {
    const operator = this.#operator(validator);
    const fraction =
      options.fraction === undefined
        ? this.#settings.slashing.downtimeFraction
        : checkedRate(options.fraction, "fraction", 1);
    const { jail = true, infractionHeight } = options;
    await this.#atHead((height, time) => [
      "slash",
      [operator, fraction, infractionHeight ?? height, jail, height, time],
    ]);
  }

  /**
   * Jails a validator, which leaves the active set and earns no rewards.
   *
   * @throws DualstackError for an unknown validator; on a real network
   */
  async jail(validator: string): Promise<void> {
    const operator = this.#operator(validator);
    await this.#atHead((height, time) => ["jail", [operator, height, time]]);
  }

  /**
   * Releases a validator from jail.
   *
   * @throws DualstackError for an unknown validator; on a real network
   */
  async unjail(validator: string): Promise<void> {
    const operator = this.#operator(validator);
    await this.#atHead((height, time) => ["unjail", [operator, height, time]]);
  }

  /**
   * Sets the yearly rewards on bonded stake: 0.1 is 10 %, 0 turns them off.
   *
   * @throws DualstackError for a negative rate or one above 1000; on a real
   * network
   */
  async setRewardRate(rate: RateInput): Promise<void> {
    const checked = checkedRate(rate, "reward rate", 1000);
    await this.#atHead((_, time) => ["setRewardRate", [checked, time]]);
  }

  /**
   * Gives rewards to a validator and its delegators, in base units (bigint) or
   * whole tokens (string). No account pays them.
   *
   * @throws DualstackError for an unknown validator or an invalid amount; on a
   * real network
   */
  async depositRewards(validator: string, amount: AmountInput): Promise<void> {
    const operator = this.#operator(validator);
    const wrong = amountText(amount);
    if (wrong !== undefined) throw new DualstackError(`the amount ${wrong}`);
    await this.#atHead((height, time) => [
      "depositRewards",
      [operator, toAmount(amount), height, time],
    ]);
  }

  #operator(validator: string): string {
    return parseAddress(validator, {
      prefix: this.#settings.prefix,
      what: "validator",
    }).hex;
  }

  async #atHead(
    call: (height: bigint, time: bigint) => [string, unknown[]],
  ): Promise<void> {
    await this.#exclusively(async () => {
      await this.#chain.installation.ensure();
      const { number, timestamp } = await this.#chain.node.head();
      await this.#chain.act(...call(number, timestamp));
    });
  }
}

function checkedRate(rate: RateInput, what: string, max: number): bigint {
  const wrong = rateText(rate, max);
  if (wrong !== undefined) throw new DualstackError(`the ${what} ${wrong}`);
  return toRate(rate);
}
