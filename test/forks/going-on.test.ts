import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { Contract, getAddress, Interface, parseEther } from "ethers";

import { parseAddress } from "../../src/address/index.js";
import { PRECOMPILES } from "../../src/precompiles/catalog.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import { type ArchiveServer, serve } from "../servers/archive/archive.mjs";
import {
  ALL,
  ALL_PRECOMPILES,
  answerOf,
  archive,
  FACTS,
  type Fork,
  fork,
  viewsAt,
} from "./archive.js";
import {
  DELEGATOR,
  hasCompounded,
  HEIGHT,
  maturing,
  OPERATOR,
  restAt,
  UNBONDING_TIME,
  UNBONDS_FROM,
  VAULT,
  VAULT_ABI,
} from "./cast.js";

const TOKEN = 10n ** 18n;
const NOBODY = "0x00000000000000000000000000000000000000a1";
/** Stands for the native coin in the bank precompile. */
const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/**
 * Returns the precompile's signing infos, in the order of consensus addresses.
 */
const signingInfos = async (slashing: any): Promise<object[]> => {
  const page = ["0x", 0n, 0n, false, false];
  const [infos] = await slashing.getSigningInfos(page);
  return infos.map((info: any) => info.toObject());
};

/** Returns the signing infos that the REST endpoint recorded. */
const recordedInfos = (): object[] =>
  restAt("slashing/v1beta1/signing_infos", HEIGHT)
    .info.map((info: any) => ({
      validatorAddress: parseAddress(info.address, {
        prefix: `${FACTS.bech32Prefix}valcons`,
      }).hex,
      startHeight: BigInt(info.start_height),
      indexOffset: BigInt(info.index_offset),
      jailedUntil: BigInt(Math.floor(Date.parse(info.jailed_until) / 1000)),
      tombstoned: info.tombstoned,
      missedBlocksCounter: BigInt(info.missed_blocks_counter),
    }))
    .sort((a: any, b: any) =>
      BigInt(a.validatorAddress) < BigInt(b.validatorAddress) ? -1 : 1,
    );

for (const stores of [true, false]) {
  const source = stores ? "stores" : "views alone";
  describe(`a fork of the recorded chain goes on from its ${source}`, () => {
    let server: ArchiveServer;
    let network: Fork;
    let signer: any;
    let staking: any;
    let distribution: any;

    before(async () => {
      server = await serve(archive);
      network = await fork({
        url: server.url,
        height: HEIGHT,
        stores,
        // No view returns it.
        localnet: stores ? {} : { unbondingTime: UNBONDING_TIME },
        precompiles: ALL_PRECOMPILES,
      });
      await network.request("hardhat_impersonateAccount", DELEGATOR);
      const { ethers, precompiles } = network.connection;
      signer = await ethers.getSigner(DELEGATOR);
      staking = precompiles.staking.connect(signer);
      distribution = precompiles.distribution.connect(signer);
    });
    after(async () => {
      await network.close();
      await server.close();
    });

    const held = async () =>
      (await staking.delegation(DELEGATOR, OPERATOR)).shares;

    if (stores) {
      it("has what the chain's slashing and bank modules have", async () => {
        const { slashing, bank } = network.connection.precompiles;
        assert.deepEqual(await signingInfos(slashing), recordedInfos());
        const { params } = restAt("slashing/v1beta1/params", HEIGHT);
        const told = await slashing.getParams();
        assert.equal(
          told.signedBlocksWindow,
          BigInt(params.signed_blocks_window),
        );
        assert.equal(
          told.slashFractionDowntime.value,
          parseEther(params.slash_fraction_downtime),
        );
        const [{ amount }] = restAt("bank/v1beta1/supply", HEIGHT).supply;
        const [coin, ...others] = await bank.totalSupply();
        assert.deepEqual(others, []);
        assert.equal(coin.amount, BigInt(amount));
        // Balances that a test sets count, too.
        const more = async (balance: bigint) =>
          await network.request(
            "hardhat_setBalance",
            NOBODY,
            `0x${balance.toString(16)}`,
          );
        await more(TOKEN);
        assert.equal(
          await bank.supplyOf(coin.contractAddress),
          BigInt(amount) + TOKEN,
        );
        await more(0n);
        const [held] = await bank.balances(DELEGATOR);
        assert.equal(
          held.amount,
          BigInt(await network.request("eth_getBalance", DELEGATOR, "latest")),
        );
      });
    } else {
      it("says that the state of slashing and bank cannot be read", async () => {
        const { slashing, bank } = network.connection.precompiles;
        await assert.rejects(
          slashing.getParams(),
          /slashing\.getParams cannot be read at block \d+/,
        );
        await assert.rejects(
          bank.totalSupply(),
          /supply cannot be read at block \d+/,
        );
      });
    }

    it("begins with the chain's delegations", async () => {
      const before = await held();
      assert.ok(before > 0n);
      const sent = await staking.delegate(DELEGATOR, OPERATOR, TOKEN);
      assert.equal((await sent.wait()).logs.length, 1);
      assert.equal((await held()) - before, TOKEN * TOKEN);
    });

    it("pays rewards, the chain's and its own", async () => {
      const rewards = async () => {
        const [coin] = await distribution.delegationRewards(
          DELEGATOR,
          OPERATOR,
        );
        return BigInt(coin?.amount ?? 0n);
      };
      await network.connection.dualstack.localnet.advance(50);
      const earned = await rewards();
      assert.ok(earned > 0n);
      const sent = await distribution.withdrawDelegatorRewards(
        DELEGATOR,
        OPERATOR,
      );
      const [log] = (await sent.wait()).logs;
      const { args } = distribution.interface.parseLog(log);
      assert.ok(args.amount >= earned);
      assert.ok((await rewards()) < earned);
    });

    /** By index, since every array has a method called `entries`. */
    const unbonding = async (operator: string) =>
      (await staking.unbondingDelegation(DELEGATOR, operator))[2];

    it("unbonds in the chain's unbonding time, and then pays", async () => {
      const sent = await staking.undelegate(DELEGATOR, OPERATOR, TOKEN);
      const { blockNumber } = await sent.wait();
      const provider = network.connection.ethers.provider;
      const { timestamp } = await provider.getBlock(blockNumber);
      const entries = await unbonding(OPERATOR);
      const last = entries[entries.length - 1];
      assert.equal(last.completionTime, BigInt(timestamp + UNBONDING_TIME));
      let due = 0n;
      for (const operator of UNBONDS_FROM)
        for (const { balance } of await unbonding(operator)) due += balance;
      const before = await provider.getBalance(DELEGATOR);
      await network.connection.dualstack.localnet.advance(2 * UNBONDING_TIME);
      assert.equal((await provider.getBalance(DELEGATOR)) - before, due);
      assert.equal((await unbonding(OPERATOR)).length, 0);
    });

    it("runs the chain's contracts, with the stake that they have there", async () => {
      const vault = new Contract(VAULT, VAULT_ABI, signer);
      const sent = await vault.getFunction("compound")();
      const receipt = await sent.wait();
      assert.equal(receipt.status, 1);
      assert.ok(hasCompounded(receipt));
    });

    it("goes back to its earlier state with a snapshot", async () => {
      const before = await held();
      const id = await network.request("evm_snapshot");
      await (await staking.delegate(DELEGATOR, OPERATOR, TOKEN)).wait();
      await network.request("evm_revert", id);
      assert.equal(await held(), before);
    });

    if (stores) {
      it("goes on counting signatures, and releases from jail", async (t) => {
        const { ethers, precompiles, dualstack } = network.connection;
        const { slashing } = precompiles;
        const { number } = await ethers.provider.getBlock("latest");
        const before: any[] = recordedInfos();
        const bonded = restAt(
          "staking/v1beta1/validators",
          HEIGHT,
        ).validators.filter(
          ({ status }: any) => status === "BOND_STATUS_BONDED",
        );
        const grown = ((await signingInfos(slashing)) as any[]).filter(
          ({ indexOffset }: any, index: number) =>
            indexOffset === before[index].indexOffset + BigInt(number - HEIGHT),
        );
        assert.equal(grown.length, bonded.length);

        const jailed = restAt(
          "staking/v1beta1/validators",
          HEIGHT,
        ).validators.find((one: any) => one.jailed);
        if (jailed === undefined)
          return t.skip("the archive has nobody in jail");
        const operator = parseAddress(jailed.operator_address, {
          prefix: FACTS.bech32Prefix,
        }).hex;
        await network.request("hardhat_impersonateAccount", operator);
        await network.request(
          "hardhat_setBalance",
          operator,
          `0x${TOKEN.toString(16)}`,
        );
        const { params } = restAt("slashing/v1beta1/params", HEIGHT);
        await dualstack.localnet.advance(
          parseInt(params.downtime_jail_duration),
        );
        const free = slashing.connect(await ethers.getSigner(operator));
        const receipt = await (await free.unjail(operator)).wait();
        assert.equal(receipt.logs.length, 1);
        const validator = await staking.validator(operator);
        assert.equal(validator.jailed, false);
        const after = await signingInfos(slashing);
        assert.ok(
          after.some(
            ({ startHeight }: any) =>
              startHeight === BigInt(receipt.blockNumber),
          ),
        );
      });
    }

    it("knows nothing about the past that it did not read", async () => {
      // An account that never voted: votes that ended meanwhile have read the
      // voters.
      const stranger = `0x${"a1".padStart(40, "0")}`;
      const { number } =
        await network.connection.ethers.provider.getBlock("latest");
      const data = staking.interface.encodeFunctionData("delegation", [
        stranger,
        OPERATOR,
      ]);
      const call = { to: await staking.getAddress(), data };
      const past = `0x${(number - 1).toString(16)}`;
      await assert.rejects(
        network.request("eth_call", call, past),
        /was not read at block \d+ of the fork/,
      );
    });
  });
}

describe("a chain that has the slashing and bank precompiles", () => {
  let server: ArchiveServer;
  const { calls } = archive.data;
  const added = new Set<string>();
  const folders: string[] = [];

  before(async () => {
    server = await serve(archive);
    const infos = recordedInfos();
    const nobody = { ...infos[0], validatorAddress: NOBODY, tombstoned: true };
    const dec = (text: string) => ({ value: parseEther(text), precision: 18n });
    const { params } = restAt("slashing/v1beta1/params", HEIGHT);
    const [{ amount }] = restAt("bank/v1beta1/supply", HEIGHT).supply;
    answer(
      "slashing",
      "getParams",
      [],
      [
        {
          signedBlocksWindow: params.signed_blocks_window,
          minSignedPerWindow: dec(params.min_signed_per_window),
          downtimeJailDuration: parseInt(params.downtime_jail_duration),
          slashFractionDoubleSign: dec(params.slash_fraction_double_sign),
          slashFractionDowntime: dec(params.slash_fraction_downtime),
        },
      ],
    );
    answer(
      "slashing",
      "getSigningInfos",
      [["0x", 0n, 100n, false, false]],
      [
        [nobody, ...infos],
        ["0x", 0n],
      ],
    );
    answer("bank", "totalSupply", [], [[[NATIVE, amount]]]);
  });
  after(async () => {
    for (const key of added) delete calls[key];
    for (const folder of folders)
      await rm(folder, { recursive: true, maxRetries: 5 });
    await server.close();
  });

  /** Has the archive answer a view from now on. */
  function answer(
    name: "slashing" | "bank",
    method: string,
    args: unknown[],
    results: unknown[],
  ) {
    const { address, abi } = PRECOMPILES[name];
    const codec = new Interface(abi);
    const key = `${address} ${codec.encodeFunctionData(method, args)}`;
    added.add(key);
    calls[key] = {
      method,
      args,
      at: [[1, codec.encodeFunctionResult(method, results)]],
    };
  }

  const open = async () => {
    // A separate cache, since other forks must not see these answers.
    const cache = await mkdtemp(path.join(tmpdir(), "going-on-"));
    folders.push(cache);
    return await fork({
      url: server.url,
      height: HEIGHT,
      stores: false,
      precompiles: ALL_PRECOMPILES,
      cache,
    });
  };

  it("is forked by their views, too", async () => {
    const network = await open();
    await network.request("hardhat_mine", "0x2");
    const { slashing, bank } = network.connection.precompiles;
    const [first, ...others] = (await signingInfos(slashing)) as any[];
    assert.equal(first.validatorAddress, getAddress(NOBODY));
    assert.equal(first.tombstoned, true);
    const jailed = (list: any[]) => list.map(({ jailedUntil }) => jailedUntil);
    assert.deepEqual(jailed(others), jailed(recordedInfos()));
    const [{ amount }] = restAt("bank/v1beta1/supply", HEIGHT).supply;
    assert.ok((await bank.supplyOf(NATIVE)) >= BigInt(amount));
    await network.close();
  });

  it("is not forked halfway where it has other coins", async () => {
    const coins = [
      [NATIVE, 1n],
      [NOBODY, 5n],
    ];
    answer("bank", "totalSupply", [], [coins]);
    const network = await open();
    await network.request("hardhat_mine");
    const { slashing, bank } = network.connection.precompiles;
    await assert.rejects(bank.totalSupply(), /coins besides the native one/);
    assert.ok(await slashing.getParams());
    await network.close();
  });
});

/** The most of the chain's next blocks that are mined. */
const MOST_BLOCKS = 10;
/** The fewest that show anything. */
const LEAST_BLOCKS = 5;
/**
 * The first height at which the reward rate can be measured over ten blocks.
 */
const FIRST = 13;

/**
 * Returns where the chain went on without transactions: after which height, and
 * until which one.
 */
function quietTimes(): { from: number; to: number }[] {
  const times: { from: number; to: number }[] = [];
  let from: number | undefined;
  for (let height = FIRST; height <= archive.head + 1; height++) {
    const block = archive.data.blocks[height - 1];
    const isQuiet = block?.transactions.length === 0;
    // The fees of a block with transactions are distributed in the next one.
    if (isQuiet) from ??= setChanged(height - 1) ? height : height - 1;
    else if (from !== undefined) {
      const to = Math.min(height - 1, from + MOST_BLOCKS);
      if (to - from >= LEAST_BLOCKS) times.push({ from, to });
      from = undefined;
    }
  }
  return times;
}

/**
 * Whether a validator left the set shortly before. It keeps its power for two
 * more blocks, of which a fork knows less.
 */
const setChanged = (height: number): boolean =>
  restAt("staking/v1beta1/validators", height).validators.some(
    (one: any) => Number(one.unbonding_height) + 2 > height,
  );

/**
 * Views of rewards. A fork accrues them by time, at the rate of its first
 * block; the chain does by block, at a rate that varies.
 */
const OF_REWARDS =
  /^distribution\.(?:communityPool|delegation|validator(?:Commission|Distri|Outst))/;

const wordsOf = (answer: string) =>
  (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));

/**
 * Whether amounts grew in this many blocks as on the chain, give or take one
 * block's share, since a fork counts whole seconds.
 */
function grewAlike(
  before: string,
  after: string,
  got: unknown,
  blocks: number,
): boolean {
  const [was, is, found] = [before, after, String(got)].map(wordsOf);
  const size = (amount: bigint) => (amount < 0n ? -amount : amount);
  return (
    is?.length === found?.length &&
    is?.every((word, index) => {
      const off = size(word - (found?.[index] ?? 0n));
      const grown = size(word - (was?.[index] ?? 0n));
      return off * BigInt(blocks) <= grown + grown / 10n;
    }) === true
  );
}

describe("what happens on a fork by itself", () => {
  let server: ArchiveServer;

  before(async () => {
    server = await serve(archive);
  });
  after(async () => await server.close());

  /** Mines empty blocks at the times of the chain's next ones. */
  const goOn = async (network: Fork, from: number, to: number) => {
    for (let height = from + 1; height <= to; height++) {
      const { timestamp } = archive.data.blocks[height - 1];
      await network.request(
        "evm_setNextBlockTimestamp",
        Number(BigInt(timestamp)),
      );
      await network.request("evm_mine");
    }
  };

  it("pays unbonding tokens when the chain did", async (t) => {
    const found = maturing();
    if (found === undefined) return t.skip("the archive has none");
    const { from, to, delegator, operator } = found;
    const network = await fork({ url: server.url, height: from, stores: true });
    const { staking } = network.connection.precompiles;
    const data = staking.interface.encodeFunctionData("unbondingDelegation", [
      delegator,
      operator,
    ]);
    const call = { to: await staking.getAddress(), data };
    const entries = async () => {
      const answer = await network.request("eth_call", call, "latest", {});
      const [[, , list]] = staking.interface.decodeFunctionResult(
        "unbondingDelegation",
        answer,
      );
      return list;
    };
    const waiting = await entries();
    assert.ok(waiting.length > 0);
    const due = waiting.reduce((sum: bigint, e: any) => sum + e.balance, 0n);
    const balance = async () =>
      BigInt(await network.request("eth_getBalance", delegator, "latest"));
    const before = await balance();
    await goOn(network, from, to);
    // Asking for the balance is enough to read the account's entries.
    assert.equal((await balance()) - before, due);
    assert.equal((await entries()).length, 0);
    await network.close();
    const other = await fork({ url: server.url, height: from, stores: false });
    await goOn(other, from, to);
    assert.equal(
      BigInt(await other.request("eth_getBalance", delegator, "latest")),
      before + due,
    );
    await other.close();
  });

  it("does not take what a single block paid for a rate", async () => {
    const { distribution } = MODULE_ACCOUNTS;
    // A chain without inflation: only the fork's block has a deposit of rewards.
    const calm = Object.create(archive, {
      state: {
        value: (kind: string, account: string, block: unknown, none: string) =>
          kind === "balance" &&
          account.toLowerCase() === distribution &&
          archive.height(block) < HEIGHT
            ? "0x1"
            : archive.state(kind, account, block, none),
      },
    });
    const calmServer = await serve(calm);
    const cache = await mkdtemp(path.join(tmpdir(), "dualstack-fork-"));
    const network = await fork({
      url: calmServer.url,
      height: HEIGHT,
      stores: false,
      cache,
    });
    const { precompiles, dualstack } = network.connection;
    const outstanding = async () =>
      (await precompiles.distribution.validatorOutstandingRewards(OPERATOR))[0]
        .amount;
    const before = await outstanding();
    await dualstack.localnet.advance(1_000);
    assert.equal(await outstanding(), before);
    await network.close();
    await calmServer.close();
    await rm(cache, { recursive: true, force: true });
  });

  for (const stores of [true, false]) {
    const source = stores ? "its stores" : "views alone";
    it(`reaches what the chain recorded in its next blocks, from ${source}`, async (t) => {
      let same = 0;
      let others = 0;
      const times = quietTimes();
      assert.ok(times.length > 0);
      for (const { from, to } of ALL ? times : times.slice(0, 3)) {
        const network = await fork({ url: server.url, height: from, stores });
        await goOn(network, from, to);
        const [before, next] = [from, to + 1].map(
          (height) =>
            new Map(
              viewsAt(height).map((view) => [view.to + view.data, view.answer]),
            ),
        ) as [Map<string, string>, Map<string, string>];
        for (const { to: address, data, name, answer } of viewsAt(to)) {
          const old = before.get(address + data) ?? answer;
          // Of unchanged views, a sample is enough.
          if (old === answer && !ALL && Number(`0x${data.slice(-2)}`) % 7 > 0)
            continue;
          const got = await answerOf(
            network.request("eth_call", { to: address, data }, "latest", {}),
          );
          // The emulation counts whole seconds, so it may be one block ahead.
          if (
            got === answer ||
            (!OF_REWARDS.test(name) && got === next.get(address + data))
          )
            same++;
          else {
            assert.match(name, OF_REWARDS, `${name}, from ${from} to ${to}`);
            // From views alone, the rate is what the last ten blocks paid, fees
            // included.
            if (stores)
              assert.ok(
                grewAlike(old, answer, got, to - from),
                `${name} at ${to}: ${got}`,
              );
            others++;
          }
        }
        await network.close();
      }
      t.diagnostic(
        `${same} views are as recorded, ${others} amounts of rewards are others${stores ? " by less than what comes in a block" : ""}`,
      );
      assert.ok(same > 0);
    });
  }
});
