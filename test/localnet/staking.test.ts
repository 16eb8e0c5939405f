import assert from "node:assert/strict";

import { formatEther } from "ethers";

import { toValoper } from "../../src/address/codec.js";
import { ONE } from "./model/decimals.js";
import { MOST_ENTRIES, NO_VALIDATOR, worthOf } from "./model/stake.js";
import { byKey, StakingModel } from "./model/staking.js";
import { describeWorlds, type Step, World } from "./model/world.js";
import { createNetwork, type LocalNetwork } from "./network.js";

// Compares the emulation with a model of the framework's staking; see
// model/world.ts for other cases.

/** So long that the seconds between blocks do not count. */
const PERIOD = 6_000_000n;
const LEAST = 1n;
/** The same for all, so that their addresses decide. */
const STAKE = 100n * ONE;
/** Delegators that have no validator, and operators of the first validators. */
const PEOPLE = 3;
const OPERATORS = [
  "0x14dc79964da2c08b23698b3d3cc7ca32193d9955",
  "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
  "0xa0ee7a142d267c1f36714e4a8f75612f20a79720",
];
const FRACTIONS = [
  ONE / 100n,
  ONE / 20n,
  ONE / 10n,
  333_333_333_333_333_333n,
  123_456_789_012_345_678n,
];
const PAGE = ["0x", 0, 0, false, false] as const;

const VARIETY = {
  acceptedAndRefused: [
    "delegate",
    "undelegate",
    "redelegate",
    "cancelUnbondingDelegation",
    "createValidator",
    "slash",
    "slash for the past",
    "jail",
    "unjail",
    "one of several",
  ],
  accepted: ["time"],
  happened: [
    "end of redelegation",
    "end of unbonding",
    "jailed for too little of its own",
    "partly cancelled unbonding",
    "redelegation from an unbonded validator",
    "removed validator",
    "slash of a redelegation",
    "slash of an unbonding",
    "slash of what was undelegated again",
    "too many redelegation entries",
    "too many unbonding delegation entries",
    "two undelegations in a block",
    "unbonded validator",
  ],
};

class StakingWorld extends World<StakingModel> {
  readonly #people: readonly string[];
  /** Operators of validators, now or later. */
  readonly #operators: readonly string[];

  constructor(model: StakingModel, network: LocalNetwork, seed: number) {
    super(model, network, seed);
    const accounts = network.accounts.map((each) => each.toLowerCase());
    this.#people = [...accounts.slice(0, PEOPLE), ...OPERATORS];
    this.#operators = [...OPERATORS, ...accounts.slice(0, 2)];
  }

  static async create(seed: number): Promise<StakingWorld> {
    const maxValidators = 2 + (seed % 2);
    const rewardRate = seed % 3 === 0 ? 0 : "0.1";
    const network = await createNetwork({
      facts: { bech32Prefix: "cosmos", baseDenom: "atest" },
      settings: {
        unbondingTime: Number(PERIOD),
        rewardRate,
        maxValidators,
        validators: OPERATORS.map((operator) => ({ operator, stake: STAKE })),
      },
      network: { initialBaseFeePerGas: 0n },
    });
    const model = new StakingModel(maxValidators, PERIOD);
    for (const operator of OPERATORS) model.create(operator, LEAST, STAKE);
    model.endBlock();
    return new StakingWorld(model, network, seed);
  }

  protected async next(index: number): Promise<void> {
    const { below } = this.random;
    if (index % 50 === 20) await this.#takeOften("undelegate");
    if (index % 50 === 40) await this.#takeOften("redelegate");
    const jailed = this.#releasable();
    if (jailed !== undefined && below(3) === 0)
      await this.do(this.#unjail(jailed));
    if (below(6) > 0) {
      await this.do(below(4) === 0 ? this.#event() : this.#transaction());
      return;
    }
    const some = Array.from({ length: 2 + below(2) }, () =>
      this.#transaction(),
    );
    // Some again: what happens twice in a block can count as one.
    await this.doTogether([...some, ...some.slice(0, below(3))]);
  }

  /** Undelegates or redelegates little by little, until there are too many. */
  async #takeOften(kind: "undelegate" | "redelegate"): Promise<void> {
    const { validators, redelegations } = this.model;
    const { of } = this.random;
    const delegations = [...validators.values()]
      .flatMap((v) =>
        [...v.delegations.keys()].map((delegator) => ({
          delegator,
          from: v.operator,
        })),
      )
      .filter(
        ({ delegator, from }) =>
          !redelegations.some(
            (one) => one.delegator === delegator && one.to === from,
          ),
      );
    if (delegations.length === 0) return;
    const { delegator, from } = of(delegations);
    const to = of(this.#operators.filter((each) => each !== from));
    for (let i = 0; i <= MOST_ENTRIES; i++)
      await this.do(
        kind === "undelegate"
          ? this.#undelegate(delegator, from, 1_000n)
          : this.#redelegate(delegator, from, to, 1_000n),
      );
  }

  #transaction(): Step {
    const { model } = this;
    const { below, of } = this.random;
    const from = of(this.#people);
    const to = this.#validator();
    const mine = this.#validatorOf(from) ?? to;
    switch (below(11)) {
      case 0:
      case 1:
      case 2: {
        const amount = this.#amount();
        return this.send(
          from,
          "staking",
          "delegate",
          [from, toValoper(to), amount],
          () => model.delegate(from, to, amount),
        );
      }
      case 3:
        return this.#undelegate(from, mine);
      // What was redelegated, if anything was.
      case 4: {
        const moved =
          model.redelegations.length > 0
            ? of(model.redelegations)
            : { delegator: from, to: mine };
        return this.#undelegate(moved.delegator, moved.to);
      }
      case 5: {
        const operator = of(this.#operators);
        return this.#undelegate(operator, operator);
      }
      case 6:
      case 7:
        return this.#redelegate(from, mine, to);
      case 8:
      case 9:
        return this.#cancel(from, to);
      default:
        return this.#create();
    }
  }

  #undelegate(
    from: string,
    operator: string,
    amount = this.#amountOf(from, operator),
  ): Step {
    return this.send(
      from,
      "staking",
      "undelegate",
      [from, toValoper(operator), amount],
      () => this.model.undelegate(from, operator, amount),
    );
  }

  #redelegate(
    delegator: string,
    from: string,
    to: string,
    amount = this.#amountOf(delegator, from),
  ): Step {
    return this.send(
      delegator,
      "staking",
      "redelegate",
      [delegator, toValoper(from), toValoper(to), amount],
      () => this.model.redelegate(delegator, from, to, amount),
    );
  }

  #cancel(from: string, operator: string): Step {
    const { of } = this.random;
    const { unbondings, height } = this.model;
    const there = unbondings.filter(({ delegator }) => delegator === from);
    const entry =
      there.length > 0
        ? of(there)
        : { delegator: from, operator, height, balance: 0n };
    const amount = of([
      entry.balance || 1n,
      entry.balance / 3n + 1n,
      this.#amount(),
    ]);
    return this.send(
      from,
      "staking",
      "cancelUnbondingDelegation",
      [from, toValoper(entry.operator), amount, entry.height],
      () => this.model.cancel(from, entry.operator, amount, entry.height),
    );
  }

  #create(): Step {
    const { of } = this.random;
    const operator = of(this.#operators);
    const amount = of([ONE / 2n, 5n * ONE, 150n * ONE]);
    const args = [
      ["new", "", "", "", ""],
      [0n, ONE, ONE],
      LEAST,
      operator,
      this.newKey(),
      amount,
    ];
    return this.send(operator, "staking", "createValidator", args, () =>
      this.model.create(operator, LEAST, amount),
    );
  }

  /** What no transaction does. */
  #event(): Step {
    const { control } = this.network;
    const { below, of } = this.random;
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return this.#slash();
      case 4:
        return this.#jail(of(this.#operators));
      case 5:
        return this.#unjail(this.#validator());
      default: {
        const seconds = of([PERIOD / 6n, PERIOD / 3n, PERIOD]);
        return {
          kind: "time",
          what: `${seconds} seconds pass`,
          run: () => control.advance(seconds),
          expect: () => {},
        };
      }
    }
  }

  /** Mostly of an earlier height, and often of one with redelegations since. */
  #slash(): Step {
    const { model } = this;
    const { below, of } = this.random;
    const moved = model.redelegations;
    const ago = BigInt(below(40));
    const { from: operator, height: at } =
      moved.length > 0 && below(2) === 0
        ? of(moved)
        : {
            from: this.#validator(),
            height: model.height > ago ? model.height - ago : 1n,
          };
    const infractionHeight = below(4) > 0 ? at : undefined;
    // Of what would leave less than a token, nothing could buy the shares: their
    // number would be too large for the emulation.
    const { tokens = 0n } = model.validators.get(operator) ?? {};
    const all = tokens % ONE === 0n && below(6) === 0;
    const fraction = all ? ONE : of(FRACTIONS);
    const jail = below(5) === 0;
    const since =
      infractionHeight === undefined ? "" : ` at ${infractionHeight}`;
    return {
      kind: infractionHeight === undefined ? "slash" : "slash for the past",
      what: `slash ${operator} by ${fraction}${since}${jail ? ", and jail" : ""}`,
      run: () =>
        this.network.control.slash(operator, {
          fraction: formatEther(fraction),
          jail,
          infractionHeight,
        }),
      expect: () =>
        model.slash(operator, fraction, infractionHeight ?? model.height, jail),
    };
  }

  #jail(operator: string): Step {
    return {
      kind: "jail",
      what: `jail ${operator}`,
      run: () => this.network.control.jail(operator),
      expect: () => this.model.jail(operator),
    };
  }

  #unjail(operator: string): Step {
    return {
      kind: "unjail",
      what: `unjail ${operator}`,
      run: () => this.network.control.unjail(operator),
      expect: () => this.model.unjail(operator),
    };
  }

  /** Returns a jailed validator that can be bonded again. */
  #releasable(): string | undefined {
    const found = [...this.model.validators.values()].find((v) => {
      const own = v.delegations.get(v.operator) ?? 0n;
      return v.jailed && v.tokens > ONE && worthOf(v, own) / ONE >= v.least;
    });
    return found?.operator;
  }

  /** Returns a validator, or one that there may not be. */
  #validator(): string {
    const { below, of } = this.random;
    const there = [...this.model.validators.keys()];
    return below(4) === 0 || there.length === 0
      ? of(this.#operators)
      : of(there);
  }

  /** Returns a validator with a delegation of the account, mostly. */
  #validatorOf(delegator: string): string | undefined {
    const { below, of } = this.random;
    const mine = this.#operators.filter(
      (operator) => this.model.sharesOf(delegator, operator) !== undefined,
    );
    return mine.length > 0 && below(6) > 0 ? of(mine) : undefined;
  }

  #amount(): bigint {
    const { below, of } = this.random;
    return of([
      1n,
      2n,
      3n,
      ONE,
      7n * ONE,
      100n * ONE,
      50n * ONE + 3n,
      BigInt(below(1e9)) * 1_234_567_891n + 1n,
    ]);
  }

  /** Returns now and then the most that can be undelegated. */
  #amountOf(delegator: string, operator: string): bigint {
    const v = this.model.validators.get(operator);
    const held = v?.delegations.get(delegator) ?? 0n;
    if (v === undefined || held === 0n || this.random.below(2) > 0)
      return this.#amount();
    if (v.tokens === 0n) return 1n;
    const least = (held * v.tokens) / v.shares;
    const fits = (v.shares * (least + 1n)) / v.tokens <= held;
    return (fits ? least + 1n : least) || 1n;
  }

  protected async compare(): Promise<void> {
    for (const operator of this.#operators) {
      await this.#compareValidator(operator);
      for (const each of this.#people)
        await this.#compareDelegation(each, operator);
    }
    for (const each of this.#people) await this.#compareRedelegations(each);
    const { burnt } = await this.network.control.state();
    assert.equal(burnt, this.model.burnt, "burnt");
  }

  async #compareValidator(operator: string): Promise<void> {
    const [is] = await this.view("staking", "validator", [operator]);
    const v = this.model.validators.get(operator);
    assert.deepEqual(
      {
        operator: is.operatorAddress.toLowerCase(),
        status: Number(is.status),
        jailed: is.jailed,
        tokens: is.tokens,
        shares: is.delegatorShares,
        unbondingHeight: is.unbondingHeight,
        unbondingTime: is.unbondingTime,
      },
      {
        operator: v?.operator ?? "",
        status: v?.status ?? 0,
        jailed: v?.jailed ?? false,
        tokens: v?.tokens ?? 0n,
        shares: v?.shares ?? 0n,
        unbondingHeight: v?.unbondingHeight ?? 0n,
        unbondingTime: v?.unbondingTime ?? 0n,
      },
      `validator ${operator}`,
    );
  }

  async #compareDelegation(delegator: string, operator: string): Promise<void> {
    const { model } = this;
    const args = [delegator, toValoper(operator)];
    const of = `of ${delegator} to ${operator}`;
    const [shares, { amount }] = await this.view("staking", "delegation", args);
    const v = model.validators.get(operator);
    const held = model.sharesOf(delegator, operator) ?? 0n;
    assert.deepEqual(
      { shares, amount },
      {
        shares: held,
        amount: v === undefined || held === 0n ? 0n : worthOf(v, held) / ONE,
      },
      `delegation ${of}`,
    );
    const [unbonding] = await this.view("staking", "unbondingDelegation", args);
    assert.deepEqual(
      unbonding.getValue("entries").map((one: any) => ({
        height: one.creationHeight,
        time: one.completionTime,
        initial: one.initialBalance,
        balance: one.balance,
      })),
      model
        .unbondingsOf(delegator, operator)
        .map(({ height, time, initial, balance }) => ({
          height,
          time,
          initial,
          balance,
        })),
      `unbonding ${of}`,
    );
  }

  async #compareRedelegations(delegator: string): Promise<void> {
    const { model } = this;
    const own = model.redelegations
      .filter((one) => one.delegator === delegator)
      .sort(byKey);
    const args = [delegator, "", "", PAGE];
    const view = this.view("staking", "redelegations", args);
    // It tells what the entries are worth: nothing can be without shares.
    const lost = own.find(({ to }) => !model.validators.get(to)?.shares);
    if (lost !== undefined) {
      const why = model.validators.has(lost.to)
        ? "without a reason"
        : NO_VALIDATOR;
      await assert.rejects(view, new RegExp(why));
      return;
    }
    const [pairs] = await view;
    const entries = [...pairs].flatMap((pair: any) => {
      const { validatorSrcAddress, validatorDstAddress } = pair.redelegation;
      return pair.getValue("entries").map((one: any) => ({
        pair: `${validatorSrcAddress} to ${validatorDstAddress}`,
        height: one.redelegationEntry.creationHeight,
        time: one.redelegationEntry.completionTime,
        initial: one.redelegationEntry.initialBalance,
        shares: one.redelegationEntry.sharesDst,
        balance: one.balance,
      }));
    });
    assert.deepEqual(
      entries,
      own.map(({ from, to, height, time, initial, shares }) => ({
        pair: `${toValoper(from)} to ${toValoper(to)}`,
        height,
        time,
        initial,
        shares,
        balance: worthOf(model.validator(to), shares) / ONE,
      })),
      `redelegations of ${delegator}`,
    );
  }
}

describeWorlds({
  title: "staking",
  claim: "is the framework's",
  steps: 150,
  variety: VARIETY,
  create: (seed) => StakingWorld.create(seed),
});
