import assert from "node:assert/strict";

import { formatEther, parseEther } from "ethers";

import { toValoper } from "../../src/address/codec.js";
import { SYSTEM } from "../../src/localnet/modules/accounts.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import { balanceOf } from "./actions.js";
import { ONE } from "./model/decimals.js";
import { RewardsModel } from "./model/rewards.js";
import { describeWorlds, type Step, World } from "./model/world.js";
import { createNetwork, type LocalNetwork } from "./network.js";

// Compares the emulation with a model of the framework's rewards by periods; see
// model/world.ts for other cases.

/** So long that the seconds between blocks do not count. */
const PERIOD = 6_000_000;
const PLACES = 100;
const OPERATORS = [
  { operator: "0x14dc79964da2c08b23698b3d3cc7ca32193d9955", rate: "0.1" },
  {
    operator: "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
    rate: "0.123456789012345678",
  },
  { operator: "0xa0ee7a142d267c1f36714e4a8f75612f20a79720", rate: "0" },
].map((each, i) => ({
  ...each,
  stake: 100n * BigInt(i + 1) * ONE + BigInt(i),
}));
const BLOCKED = Object.values(MODULE_ACCOUNTS);
const FRACTIONS = [ONE / 100n, 12_987_630_827_783_064n, ONE / 7n];
const PAGE = ["0x", 0, 1_000, false, false] as const;

const VARIETY = {
  acceptedAndRefused: [
    "delegate",
    "undelegate",
    "createValidator",
    "depositValidatorRewardsPool",
    "withdrawDelegatorRewards",
    "claimRewards",
    "withdrawValidatorCommission",
    "setWithdrawAddress",
    "slash",
    "one of several",
  ],
  accepted: ["time"],
  happened: ["removed validator"],
};

class RewardsWorld extends World<RewardsModel> {
  readonly #operators = OPERATORS.map(({ operator }) => operator);
  readonly #accounts: readonly string[];

  constructor(model: RewardsModel, network: LocalNetwork, seed: number) {
    super(model, network, seed);
    const delegators = network.accounts.slice(0, 2);
    this.#accounts = [
      ...delegators.map((each) => each.toLowerCase()),
      ...this.#operators,
    ];
  }

  static async create(seed: number): Promise<RewardsWorld> {
    const network = await createNetwork({
      facts: { bech32Prefix: "cosmos", baseDenom: "atest" },
      settings: {
        unbondingTime: PERIOD,
        rewardRate: 0,
        maxValidators: PLACES,
        validators: OPERATORS.map(({ operator, stake, rate }) => ({
          operator,
          stake,
          commission: { rate, maxRate: "0.5", maxChangeRate: "0.1" },
        })),
      },
      network: { initialBaseFeePerGas: 0n },
    });
    const model = new RewardsModel(PLACES, BLOCKED);
    for (const { operator, stake, rate } of OPERATORS) {
      model.pay(operator, stake);
      model.create(operator, parseEther(rate), stake);
    }
    const world = new RewardsWorld(model, network, seed);
    for (const each of world.#accounts)
      model.pay(each, await balanceOf(network, each));
    return world;
  }

  protected async next(index: number): Promise<void> {
    const { below } = this.random;
    if (index % 40 === 25) {
      await this.#leave();
      await this.do(this.#time());
    } else if (index % 40 === 39) {
      await this.do(this.#time());
    } else if (below(6) === 0) {
      const some = Array.from({ length: 2 + below(3) }, () =>
        this.#transaction(),
      );
      await this.doTogether(some);
    } else {
      await this.do(below(12) === 0 ? this.#slash() : this.#transaction());
    }
  }

  #transaction(): Step {
    const { model } = this;
    const { below, of } = this.random;
    const from = of(this.#accounts);
    const to = of(this.#operators);
    const text = toValoper(to);
    const amount = this.#amount();
    const distribution = (
      sender: string,
      method: string,
      args: readonly unknown[],
      expect: () => void,
    ) => this.send(sender, "distribution", method, args, expect);
    switch (below(13)) {
      case 0:
      case 1:
      case 2:
        return this.send(
          from,
          "staking",
          "delegate",
          [from, text, amount],
          () => model.delegate(from, to, amount),
        );
      case 3:
        return this.#undelegate(from, to, amount);
      case 4:
      case 5:
      case 6:
        return distribution(
          from,
          "depositValidatorRewardsPool",
          [from, text, [["atest", amount]]],
          () => model.deposit(from, to, amount),
        );
      case 7:
      case 8:
        return distribution(
          from,
          "withdrawDelegatorRewards",
          [from, text],
          () => model.withdraw(from, to),
        );
      case 9: {
        const most = below(8) === 0 ? PLACES + 1 : below(4);
        return distribution(from, "claimRewards", [from, most], () =>
          model.claim(from, most),
        );
      }
      case 10:
        return distribution(to, "withdrawValidatorCommission", [text], () =>
          model.withdrawCommission(to),
        );
      case 11: {
        const account = of([...this.#accounts, of(BLOCKED)]);
        return distribution(from, "setWithdrawAddress", [from, account], () =>
          model.setWithdrawAddress(from, account),
        );
      }
      default:
        return this.#create(to);
    }
  }

  #amount(): bigint {
    const { below } = this.random;
    if (below(30) === 0) return ONE * ONE; // more than anybody has
    if (below(4) === 0) return BigInt(1 + below(9)) * ONE;
    return BigInt(1 + below(2 ** 31)) * BigInt(1 + below(2 ** 31));
  }

  #undelegate(from: string, operator: string, amount: bigint): Step {
    const args = [from, toValoper(operator), amount];
    return this.send(from, "staking", "undelegate", args, () =>
      this.model.undelegate(from, operator, amount),
    );
  }

  #create(operator: string): Step {
    const rate = ONE / 13n;
    const amount = 30n * ONE + BigInt(this.random.below(999));
    const args = [
      ["again", "", "", "", ""],
      [rate, ONE / 2n, ONE / 10n],
      1n,
      operator,
      this.newKey(),
      amount,
    ];
    return this.send(operator, "staking", "createValidator", args, () =>
      this.model.create(operator, rate, amount),
    );
  }

  #slash(): Step {
    const { of } = this.random;
    const operator = of(this.#operators);
    const fraction = of(FRACTIONS);
    return {
      kind: "slash",
      what: `slash ${operator} by ${fraction}`,
      run: () =>
        this.network.control.slash(operator, {
          fraction: formatEther(fraction),
          jail: false,
        }),
      expect: () => this.model.slash(operator, fraction),
    };
  }

  /** Everybody leaves a validator that was never slashed, if there is one. */
  async #leave(): Promise<void> {
    const { model } = this;
    const [operator] =
      [...model.validators].find(([, { slashes }]) => slashes.length === 0) ??
      [];
    if (operator === undefined) return;
    for (const each of this.#accounts) {
      const { shares } = model.delegation(each, operator) ?? {};
      if (shares !== undefined)
        await this.do(this.#undelegate(each, operator, shares / ONE));
    }
  }

  #time(): Step {
    return {
      kind: "time",
      what: "the unbonding period passes",
      run: () => this.network.control.advance(PERIOD + 1),
      expect: () => this.model.mature(),
    };
  }

  protected async compare(): Promise<void> {
    const { model } = this;
    const pool = await this.#coins("communityPool", []);
    assert.equal(pool, model.pool, "community pool");
    for (const account of this.#accounts) {
      const balance = await balanceOf(this.network, account);
      assert.equal(balance, model.balances.get(account), account);
    }
    for (const operator of model.validators.keys())
      await this.#compareValidator(operator);
  }

  async #compareValidator(operator: string): Promise<void> {
    const { model } = this;
    const v = model.validator(operator);
    const text = toValoper(operator);
    const list = await this.view(
      "distribution",
      "validatorSlashes",
      [text, 0, 1_000_000, PAGE],
      SYSTEM,
    );
    assert.deepEqual(
      {
        slashes: list.slashes.map((one: any) => ({
          period: one.validatorPeriod,
          fraction: one.fraction.value,
        })),
        outstanding: await this.#coins("validatorOutstandingRewards", [text]),
        commission: await this.#coins("validatorCommission", [text]),
      },
      {
        slashes: v.slashes.map(({ period, fraction }) => ({
          period,
          fraction,
        })),
        outstanding: v.outstanding,
        commission: v.commission,
      },
      `validator ${operator}`,
    );
    for (const account of this.#accounts) {
      const args = [account, text];
      const [shares] = await this.view("staking", "delegation", args);
      const d = model.delegation(account, operator);
      const of = `of ${account} to ${operator}`;
      assert.equal(shares, d?.shares ?? 0n, `shares ${of}`);
      if (d === undefined) continue;
      const rewards = await this.#coins("delegationRewards", args);
      assert.equal(rewards, model.rewards(account, operator), `rewards ${of}`);
    }
  }

  /** Returns an amount with all its places, which the chain itself sees. */
  async #coins(method: string, args: readonly unknown[]): Promise<bigint> {
    const [list] = await this.view("distribution", method, args, SYSTEM);
    return list.length === 0 ? 0n : list[0].amount;
  }
}

describeWorlds({
  title: "rewards by periods",
  claim: "are the framework's to the last place",
  steps: 250,
  variety: VARIETY,
  create: (seed) => RewardsWorld.create(seed),
});
