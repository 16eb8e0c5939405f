import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { formatEther, Interface, parseEther } from "ethers";

import { toValoper } from "../../src/address/codec.js";
import { SYSTEM } from "../../src/localnet/modules/accounts.js";
import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { Model, ONE, Refused } from "./model.js";
import { createNetwork, type LocalNetwork } from "./network.js";

const PERIOD = 600;
const RATES = ["0.1", "0.123456789012345678", "0"] as const;

type Module = "staking" | "distribution";

const codecs = {
  staking: new Interface(PRECOMPILES.staking.abi),
  distribution: new Interface(PRECOMPILES.distribution.abi),
};

/** Returns random numbers below a limit that only depend on the seed. */
function random(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Something that happens in the emulation and, by its rules, in the model. */
interface Step {
  readonly what: string;
  run(): Promise<boolean>;
  expect(): void;
}

class World {
  readonly model = new Model();
  /** How many validators were removed and created again. */
  renewed = 0;
  readonly #network: LocalNetwork;
  readonly #below: (limit: number) => number;
  readonly #operators: readonly string[];
  readonly #delegators: readonly string[];
  #keys = 100;

  constructor(
    network: LocalNetwork,
    below: (limit: number) => number,
    operators: readonly string[],
    delegators: readonly string[],
  ) {
    this.#network = network;
    this.#below = below;
    this.#operators = operators;
    this.#delegators = delegators;
  }

  static async create(seed: number): Promise<World> {
    const operators = [
      "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955",
      "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f",
      "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720",
    ];
    const stakes = [100n, 200n, 300n].map((each, i) => each * ONE + BigInt(i));
    const network = await createNetwork({
      facts: { bech32Prefix: "cosmos", baseDenom: "atest" },
      settings: {
        unbondingTime: PERIOD,
        rewardRate: 0,
        validators: operators.map((operator, i) => ({
          operator,
          stake: stakes[i] ?? 0n,
          commission: {
            rate: RATES[i] ?? "0",
            maxRate: "0.5",
            maxChangeRate: "0.1",
          },
        })),
      },
      network: { initialBaseFeePerGas: 0n },
    });
    const delegators = network.accounts.slice(0, 2);
    const world = new World(network, random(seed), operators, delegators);
    for (const [i, operator] of operators.entries())
      world.model.create(
        operator,
        parseEther(RATES[i] ?? "0"),
        stakes[i] ?? 0n,
      );
    for (const each of world.accounts)
      world.model.pay(each, await world.balance(each));
    return world;
  }

  get accounts() {
    return [...this.#delegators, ...this.#operators];
  }

  async balance(account: string): Promise<bigint> {
    const { rpc } = this.#network;
    return BigInt(await rpc("eth_getBalance", account, "latest"));
  }

  /** The chain itself sees all places of rewards. */
  async view(module: Module, method: string, args: unknown[]): Promise<any> {
    const to = PRECOMPILES[module].address;
    const data = codecs[module].encodeFunctionData(method, args);
    const request = { from: SYSTEM, to, data };
    const raw = await this.#network.rpc("eth_call", request, "latest");
    return codecs[module].decodeFunctionResult(method, raw);
  }

  #of<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  #amount(): bigint {
    if (this.#below(4) === 0) return BigInt(1 + this.#below(9)) * ONE;
    return BigInt(1 + this.#below(2 ** 31)) * BigInt(1 + this.#below(2 ** 31));
  }

  #send(
    from: string,
    module: Module,
    method: string,
    args: unknown[],
    expect: () => void,
  ): Step {
    const { rpc } = this.#network;
    const data = codecs[module].encodeFunctionData(method, args);
    const to = PRECOMPILES[module].address;
    const run = async () => {
      const fees = { gas: "0x800000", gasPrice: "0x0" };
      try {
        await rpc("eth_sendTransaction", { from, to, data, ...fees });
        return true;
      } catch (error) {
        assert.match(String(error), /reverted with reason/);
        return false;
      }
    };
    return { what: `${method} ${args.join()}`, run, expect };
  }

  #step(): Step {
    const { model } = this;
    const from = this.#of(this.accounts);
    const to = this.#of(this.#operators);
    const text = toValoper(to);
    const amount = this.#amount();
    const coins = [["atest", amount]];
    switch (this.#below(12)) {
      case 0:
      case 1:
      case 2:
        return this.#send(
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
      case 6: {
        const args = [from, text, coins];
        const name = "depositValidatorRewardsPool";
        return this.#send(from, "distribution", name, args, () =>
          model.deposit(from, to, amount),
        );
      }
      case 7: {
        const name = "withdrawDelegatorRewards";
        return this.#send(from, "distribution", name, [from, text], () =>
          model.withdraw(from, to),
        );
      }
      case 8: {
        const most = this.#below(4);
        const args = [from, most];
        return this.#send(from, "distribution", "claimRewards", args, () =>
          model.claim(from, most),
        );
      }
      case 9: {
        const name = "withdrawValidatorCommission";
        return this.#send(to, "distribution", name, [text], () =>
          model.withdrawCommission(to),
        );
      }
      case 10: {
        const account = this.#of(this.accounts);
        const args = [from, account];
        return this.#send(
          from,
          "distribution",
          "setWithdrawAddress",
          args,
          () => model.withdrawTo.set(from, account),
        );
      }
      default:
        return this.#slash(to);
    }
  }

  #undelegate(from: string, operator: string, amount: bigint): Step {
    const args = [from, toValoper(operator), amount];
    return this.#send(from, "staking", "undelegate", args, () =>
      this.model.undelegate(from, operator, amount),
    );
  }

  #slash(operator: string): Step {
    const { control } = this.#network;
    const fraction = this.#of([ONE / 100n, 12_987_630_827_783_064n, ONE / 7n]);
    return {
      what: `slash ${operator} ${fraction}`,
      run: async () => {
        if (!this.model.validators.has(operator)) return false;
        await control.slash(operator, {
          fraction: formatEther(fraction),
          jail: false,
        });
        return true;
      },
      expect: () => this.model.slash(operator, fraction),
    };
  }

  async #do({ what, run, expect }: Step): Promise<void> {
    const done = await run();
    this.model.height = (await this.#network.control.state()).height;
    if (done) expect();
    else assert.throws(expect, Refused, `${what} was refused`);
    await this.#compare(what);
  }

  /**
   * Everybody leaves a validator that was never slashed, which is created again.
   */
  async #renew(): Promise<void> {
    const { validators } = this.model;
    const [operator] =
      [...validators].find(([, { slashes }]) => slashes.length === 0) ?? [];
    if (operator === undefined) return;
    for (const each of this.accounts) {
      const { shares } = this.model.delegation(each, operator) ?? {};
      if (shares !== undefined)
        await this.#do(this.#undelegate(each, operator, shares / ONE));
    }
    await this.#mature();
    if (validators.has(operator)) return;
    this.renewed++;
    const [rate, amount] = [ONE / 13n, 30n * ONE + BigInt(this.#below(999))];
    const args = [
      ["again", "", "", "", ""],
      [rate, ONE / 2n, ONE / 10n],
      1n,
      operator,
      Buffer.alloc(32, this.#keys++).toString("base64"),
      amount,
    ];
    await this.#do(
      this.#send(operator, "staking", "createValidator", args, () => {
        this.model.pay(operator, -amount);
        this.model.create(operator, rate, amount);
      }),
    );
  }

  async #mature(): Promise<void> {
    const { control } = this.#network;
    const run = async () => {
      await control.advance(PERIOD + 1);
      return true;
    };
    await this.#do({ what: "time", run, expect: () => this.model.mature() });
  }

  async live(steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      if (i % 40 === 25) await this.#renew();
      else if (i % 40 === 39) await this.#mature();
      else await this.#do(this.#step());
    }
  }

  async #compare(what: string): Promise<void> {
    const { model } = this;
    const coins = async (method: string, args: unknown[]) => {
      const [list] = await this.view("distribution", method, args);
      return (list.length === 0 ? 0n : list[0].amount) as bigint;
    };
    const same = (here: unknown, expected: unknown, of: string) =>
      assert.deepEqual(here, expected, `${of}, after ${what}`);
    same(await coins("communityPool", []), model.pool, "community pool");
    for (const account of this.accounts)
      same(await this.balance(account), model.balances.get(account), account);
    for (const [operator, v] of model.validators) {
      const text = toValoper(operator);
      const all = ["0x", 0, 1_000, false, false];
      const args = [text, 0, 1_000_000, all];
      const list = await this.view("distribution", "validatorSlashes", args);
      same(
        list.slashes.map((one: any) => [
          one.validatorPeriod,
          one.fraction.value,
        ]),
        v.slashes.map(({ period, fraction }) => [period, fraction]),
        "slashes",
      );
      const outstanding = await coins("validatorOutstandingRewards", [text]);
      same(outstanding, v.outstanding, "outstanding rewards");
      same(
        await coins("validatorCommission", [text]),
        v.commission,
        "commission",
      );
      for (const account of this.accounts) {
        const [shares] = await this.view("staking", "delegation", [
          account,
          text,
        ]);
        const d = model.delegation(account, operator);
        same(shares, d?.shares ?? 0n, "shares");
        if (d === undefined) continue;
        same(
          await coins("delegationRewards", [account, text]),
          model.rewards(account, operator),
          "rewards",
        );
      }
    }
  }

  close() {
    return this.#network.close();
  }
}

describe("rewards by periods", () => {
  for (const seed of [1, 2, 3]) {
    it(
      `are the framework's to the last place (seed ${seed})`,
      { timeout: 200_000 },
      async () => {
        const world = await World.create(seed);
        try {
          await world.live(150);
          assert.ok(world.renewed > 0, "no validator was created again");
        } finally {
          await world.close();
        }
      },
    );
  }
});
