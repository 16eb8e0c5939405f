import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Interface, ZeroAddress, toUtf8Bytes } from "ethers";

import { toValoper } from "../../src/address/codec.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { compile } from "../helpers/contracts.js";
import { createNetwork, type LocalNetwork } from "./network.js";
import { random } from "./random.js";

const TOKEN = 10n ** 18n;
const PERIOD = 600;

const staking = new Interface(PRECOMPILES.staking.abi);
const distribution = new Interface(PRECOMPILES.distribution.abi);
const governance = new Interface(PRECOMPILES.governance.abi);

/** Acts in its own name, and can undo what it did. */
const ACTOR = `
contract Actor {
  receive() external payable {}
  function act(address target, bytes calldata data) public returns (bytes memory result) {
    bool ok;
    (ok, result) = target.call(data);
    if (!ok) assembly { revert(add(result, 32), mload(result)) }
  }
  function actAndRevert(address target, bytes calldata data) external { act(target, data); revert("undone"); }
  function tryAndUndo(address target, bytes calldata data) external returns (uint256 before, uint256 afterwards) {
    before = address(this).balance;
    try this.actAndRevert(target, data) {} catch {}
    afterwards = address(this).balance;
  }
}`;

/** Random numbers, and amounts: odd ones as well as round ones. */
function randomAmounts(seed: number) {
  const r = random(seed);
  return {
    ...r,
    amount: () =>
      r.next() < 0.3
        ? BigInt(1 + r.below(5)) * TOKEN
        : BigInt(1 + r.below(2 ** 31)) * BigInt(1 + r.below(2 ** 31)),
  };
}

interface Call {
  readonly to: string;
  readonly data: string;
}

class World {
  readonly network: LocalNetwork;
  readonly actors: readonly string[];
  readonly contract: string;
  readonly #artifact: Interface;

  constructor(
    network: LocalNetwork,
    actors: readonly string[],
    contract: string,
    artifact: Interface,
  ) {
    this.network = network;
    this.actors = actors;
    this.contract = contract;
    this.#artifact = artifact;
  }

  static async create(rewardRate: number): Promise<World> {
    const network = await createNetwork({
      facts: { bech32Prefix: "cosmos", baseDenom: "atest" },
      settings: {
        unbondingTime: PERIOD,
        rewardRate,
        governance: {
          votingPeriod: PERIOD,
          depositPeriod: PERIOD,
          minDeposit: "10",
        },
      },
      network: { initialBaseFeePerGas: 0n },
    });
    const actors = network.accounts.slice(0, 4);
    const { abi, bytecode } = compile(ACTOR, "Actor");
    const hash = await network.rpc("eth_sendTransaction", {
      from: actors[0],
      data: bytecode,
      gasPrice: "0x0",
      gas: "0x200000",
    });
    const receipt = await network.rpc("eth_getTransactionReceipt", hash);
    const world = new World(
      network,
      actors,
      receipt.contractAddress,
      new Interface(abi),
    );
    await world.send(actors[0] as string, {
      to: world.contract,
      data: "0x",
      value: 1_000n * TOKEN,
    });
    return world;
  }

  /** Sends a transaction, and returns whether it succeeded. */
  async send(from: string, call: Call & { value?: bigint }): Promise<boolean> {
    const wrapped =
      from === this.contract
        ? {
            from: this.actors[0],
            to: this.contract,
            data: this.#artifact.encodeFunctionData("act", [
              call.to,
              call.data,
            ]),
          }
        : { from, to: call.to, data: call.data };
    const value =
      call.value === undefined ? {} : { value: `0x${call.value.toString(16)}` };
    try {
      const hash = await this.network.rpc("eth_sendTransaction", {
        ...wrapped,
        ...value,
        gas: "0x400000",
        gasPrice: "0x0",
      });
      const receipt = await this.network.rpc("eth_getTransactionReceipt", hash);
      return receipt.status === "0x1";
    } catch (error) {
      // Refusals of the precompiles have a reason: anything else is a fault.
      assert.match(
        String(error),
        /reason string|reverted with reason|execution reverted/,
      );
      return false;
    }
  }

  async undo(call: Call): Promise<[bigint, bigint]> {
    const data = this.#artifact.encodeFunctionData("tryAndUndo", [
      call.to,
      call.data,
    ]);
    const request = {
      from: this.actors[0],
      to: this.contract,
      data,
      gas: "0x800000",
      gasPrice: "0x0",
    };
    const result = await this.network.rpc("eth_call", request, "latest");
    await this.network.rpc("eth_sendTransaction", request);
    const [before, after] = this.#artifact.decodeFunctionResult(
      "tryAndUndo",
      result,
    );
    return [before, after];
  }

  async balance(address: string): Promise<bigint> {
    return BigInt(await this.network.rpc("eth_getBalance", address, "latest"));
  }

  async view(abi: Interface, to: string, name: string, args: unknown[]) {
    const data = abi.encodeFunctionData(name, args);
    const raw = await this.network.rpc("eth_call", { to, data }, "latest");
    return abi.decodeFunctionResult(name, raw);
  }

  async validators(): Promise<string[]> {
    const [list] = await this.view(
      staking,
      PRECOMPILES.staking.address,
      "validators",
      ["", ["0x", 0, 0, false, false]],
    );
    return list.map((each: any) => each.operatorAddress as string);
  }

  /** Returns all accounts that may hold the chain's tokens. */
  holders(): string[] {
    return [
      ...this.network.accounts,
      this.contract,
      ...Object.values(MODULE_ACCOUNTS),
    ];
  }

  async supply(): Promise<bigint> {
    const balances = await Promise.all(
      this.holders().map((each) => this.balance(each)),
    );
    return balances.reduce((sum, each) => sum + each, 0n);
  }

  /** Returns all that can be seen from outside, except for time. */
  async digest(): Promise<string> {
    const timed = await this.network.control.state();
    const state = { ...timed, height: 0n, time: 0n, nextDue: 0n };
    const balances = await Promise.all(
      this.holders().map((each) => this.balance(each)),
    );
    const page = ["0x", 0, 0, false, false];
    const seen: unknown[] = [
      await this.view(staking, PRECOMPILES.staking.address, "validators", [
        "",
        page,
      ]),
      await this.view(
        governance,
        PRECOMPILES.governance.address,
        "getProposals",
        [0, ZeroAddress, ZeroAddress, page],
      ),
    ];
    for (const actor of [...this.actors, this.contract]) {
      seen.push(
        await this.view(
          distribution,
          PRECOMPILES.distribution.address,
          "delegationTotalRewards",
          [actor],
        ),
        await this.view(staking, PRECOMPILES.staking.address, "redelegations", [
          actor,
          "",
          "",
          page,
        ]),
      );
      for (const validator of await this.validators()) {
        for (const name of ["delegation", "unbondingDelegation"]) {
          seen.push(
            await this.view(staking, PRECOMPILES.staking.address, name, [
              actor,
              toValoper(validator),
            ]),
          );
        }
      }
    }
    const plain = (_: string, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value;
    return JSON.stringify([state, balances, seen], plain);
  }

  /** Returns something that an actor could do now, sensible or not. */
  async randomCall(
    r: ReturnType<typeof randomAmounts>,
    actor: string,
  ): Promise<Call> {
    const list = await this.validators();
    const source = toValoper(r.of(list));
    const destination = toValoper(r.of(list));
    const amount = r.amount();
    const coins = [["atest", amount]];
    const proposal = 1 + r.below(5);
    const entries = async () => {
      const [info] = await this.view(
        staking,
        PRECOMPILES.staking.address,
        "unbondingDelegation",
        [actor, source],
      );
      const list = info.getValue("entries");
      return list.length > 0 ? r.of(list as any[]) : undefined;
    };
    const on =
      (abi: Interface, to: string) => (name: string, args: unknown[]) => ({
        to,
        data: abi.encodeFunctionData(name, args),
      });
    const s = on(staking, PRECOMPILES.staking.address);
    const d = on(distribution, PRECOMPILES.distribution.address);
    const g = on(governance, PRECOMPILES.governance.address);
    switch (r.below(15)) {
      case 0:
      case 1:
      case 2:
        return s("delegate", [actor, source, amount]);
      case 3:
      case 4:
        return s("undelegate", [actor, source, amount / 2n + 1n]);
      case 5:
        return s("redelegate", [actor, source, destination, amount / 3n + 1n]);
      case 6: {
        const entry = await entries();
        return s("cancelUnbondingDelegation", [
          actor,
          source,
          entry === undefined ? 1n : entry.balance / 2n + 1n,
          entry === undefined ? 1n : entry.creationHeight,
        ]);
      }
      case 7:
        return d("withdrawDelegatorRewards", [actor, source]);
      case 8:
        return d("claimRewards", [actor, 10]);
      case 9:
        return d("depositValidatorRewardsPool", [actor, source, coins]);
      case 10:
        return d("fundCommunityPool", [actor, coins]);
      case 11: {
        const json = { title: "t", summary: "s", metadata: "m", messages: [] };
        return g("submitProposal", [
          actor,
          toUtf8Bytes(JSON.stringify(json)),
          [["atest", BigInt(4 + r.below(12)) * TOKEN]],
        ]);
      }
      case 12:
        return g("deposit", [actor, proposal, coins]);
      case 13:
        return g("vote", [actor, proposal, 1 + r.below(4), ""]);
      default:
        return g("cancelProposal", [actor, proposal]);
    }
  }

  /** Does something that the chain or a tester does in between. */
  async disturb(r: ReturnType<typeof randomAmounts>): Promise<void> {
    const { control } = this.network;
    const validator = toValoper(r.of(await this.validators()));
    const refused = () => undefined; // such as: not jailed
    switch (r.below(5)) {
      case 0: {
        const { height } = await control.state();
        await control
          .slash(validator, {
            fraction: `0.0${1 + r.below(99)}`,
            jail: r.below(2) === 0,
            infractionHeight:
              height - BigInt(r.below(Math.min(20, Number(height)))),
          })
          .catch(refused);
        break;
      }
      case 1:
        await control.unjail(validator).catch(refused);
        break;
      case 2:
        await control.advanceToNextDue();
        break;
      default:
        await control.advance(1 + r.below(PERIOD));
    }
  }

  close() {
    return this.network.close();
  }
}

/**
 * Checks what must be true at every moment. The supply is what the chain's
 * accounts hold.
 */
async function checkBooks(world: World, start: bigint, step: string) {
  const state = await world.network.control.state();
  const [bonded, notBonded, rewards, deposits, supply] = await Promise.all([
    world.balance(MODULE_ACCOUNTS.bondedPool),
    world.balance(MODULE_ACCOUNTS.notBondedPool),
    world.balance(MODULE_ACCOUNTS.distribution),
    world.balance(MODULE_ACCOUNTS.governance),
    world.supply(),
  ]);
  assert.equal(bonded, state.bondedTokens, `${step}: bonded pool`);
  assert.equal(
    notBonded,
    state.notBondedTokens + state.unbondingTokens,
    `${step}: not bonded pool`,
  );
  assert.equal(deposits, state.deposits, `${step}: deposits`);
  // Rewards that have accrued but are not settled are owed, and not yet in the
  // account. Two roundings may differ.
  const waiting = state.outstandingRewards + state.communityPool - rewards;
  assert.ok(waiting >= -2n, `${step}: rewards, ${waiting}`);
  const expected = start + state.accrued - state.burnt;
  const difference = supply + waiting - expected;
  assert.ok(
    difference >= -2n && difference <= 2n,
    `${step}: supply, ${difference}`,
  );
}

describe("random sequences of operations", () => {
  for (const [seed, rewardRate] of [
    [1, 0.1],
    [2, 0],
    [3, 25],
  ] as const) {
    it(
      `conserve tokens (seed ${seed}, rate ${rewardRate})`,
      { timeout: 200_000 },
      async () => {
        const world = await World.create(rewardRate);
        try {
          const r = randomAmounts(seed);
          const start = await world.supply();
          const done = new Set<string>();
          for (let i = 0; i < 150; i++) {
            const actor = r.of([...world.actors, world.contract]);
            const call = await world.randomCall(r, actor);
            if (await world.send(actor, call)) done.add(call.data.slice(0, 10));
            await checkBooks(world, start, `operation ${i}`);
            if (r.below(6) === 0) {
              await world.disturb(r);
              await checkBooks(world, start, `after operation ${i}`);
            }
          }
          assert.ok(done.size > 8, `only ${done.size} methods succeeded`);
          const { burnt, accrued } = await world.network.control.state();
          assert.ok(burnt > 0n, "nothing was slashed or burnt");
          assert.equal(accrued > 0n, rewardRate > 0);
        } finally {
          await world.close();
        }
      },
    );
  }

  it(
    "leave no trace where they are undone, inside a transaction or by a snapshot",
    { timeout: 200_000 },
    async () => {
      const world = await World.create(0);
      try {
        const r = randomAmounts(7);
        for (let i = 0; i < 40; i++) {
          await world.send(
            world.contract,
            await world.randomCall(r, world.contract),
          );
          if (i % 4 !== 0) continue;
          const before = await world.digest();
          const [balance, afterwards] = await world.undo(
            await world.randomCall(r, world.contract),
          );
          assert.equal(afterwards, balance, `undone operation ${i}`);
          assert.equal(await world.digest(), before, `undone operation ${i}`);
        }
        const before = await world.digest();
        const snapshot = await world.network.rpc("evm_snapshot");
        for (let i = 0; i < 20; i++) {
          const actor = r.of([...world.actors, world.contract]);
          await world.send(actor, await world.randomCall(r, actor));
          if (i % 5 === 0) await world.disturb(r);
        }
        assert.notEqual(await world.digest(), before);
        await world.network.rpc("evm_revert", snapshot);
        assert.equal(await world.digest(), before);
      } finally {
        await world.close();
      }
    },
  );

  it("never make value out of shares", { timeout: 200_000 }, async () => {
    const world = await World.create(0);
    try {
      const r = randomAmounts(11);
      const [first] = await world.validators();
      const validator = toValoper(first as string);
      const actor = world.actors[1] as string;
      for (let i = 0; i < 25; i++) {
        // From the first slash on, the exchange rate is not 1.
        await world.network.control.slash(validator, {
          fraction: `0.00${1 + r.below(999)}`,
          jail: false,
        });
        const amount = r.amount();
        const before = await world.view(
          staking,
          PRECOMPILES.staking.address,
          "delegation",
          [actor, validator],
        );
        const call = {
          to: PRECOMPILES.staking.address,
          data: staking.encodeFunctionData("delegate", [
            actor,
            validator,
            amount,
          ]),
        };
        assert.ok(await world.send(actor, call));
        const after = await world.view(
          staking,
          PRECOMPILES.staking.address,
          "delegation",
          [actor, validator],
        );
        const gain = after.balance.amount - before.balance.amount;
        // Two roundings down can differ by one base unit.
        assert.ok(gain <= amount + 1n, `${amount} became ${gain}`);
      }
      const owned = await world.view(
        staking,
        PRECOMPILES.staking.address,
        "delegation",
        [actor, validator],
      );
      const bonded = await world.balance(MODULE_ACCOUNTS.bondedPool);
      assert.ok(owned.balance.amount < bonded);
    } finally {
      await world.close();
    }
  });
});
