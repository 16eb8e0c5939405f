import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Localnet } from "../../src/testing/types.js";
import { ACCOUNTS } from "../helpers/chain.js";
import type { Client, Major, Started } from "../helpers/majors.js";
import { PERIODS, shortPeriods } from "../servers/short-periods.js";

const [SENDER, RECIPIENT] = ACCOUNTS;

/**
 * Opens a connection to the network in this process, with emulated precompiles.
 */
export type OpenLocal = () => Promise<Client>;

/** A test runner's `it` that records what it is asked to run and to skip. */
function notingTest() {
  const ran: string[] = [];
  const skipped: string[] = [];
  const test = Object.assign((title: string) => void ran.push(title), {
    skip: (title: string) => void skipped.push(title),
  });
  return { test, ran, skipped };
}

/**
 * Tests how tests control local networks and chains, on one major of Hardhat.
 */
export function testTesting<C extends Client>(
  { name: major, start }: Major<C>,
  openLocal: OpenLocal,
): void {
  describe(`tests on a chain on ${major}`, () => {
    let started: Started<C>;
    let c: C;
    let localnet: Localnet;

    before(async () => {
      started = await start(shortPeriods());
      c = await started.connect();
      ({ localnet } = c.dualstack);
    });
    after(async () => {
      await c.close();
      await started.close();
    });

    const time = async () =>
      BigInt((await c.ethers.provider.getBlock("latest")).timestamp);

    it("time is waited for", async () => {
      assert.equal(localnet.available, false);
      const begin = await time();
      await localnet.advance(5);
      assert.ok((await time()) >= begin + 5n);
      await localnet.advanceTo(begin + 20n);
      const then = await time();
      assert.ok(then >= begin + 20n);
      await localnet.advanceTo(begin);
      await assert.rejects(localnet.advance(0), /time only goes forward/);
      assert.equal(started.node.count("evm_increaseTime"), 0);
    });

    it("time is waited for no longer than the configuration says", async () => {
      await assert.rejects(
        localnet.advance(7 * 24 * 3600),
        /would wait 604800 s .*longest wait is 600 s.*network testnet.*dualstack\.localnet\.longestWait/s,
      );
    });

    it("the end of an unbonding and of a vote are found", async () => {
      const { staking, governance } = c.precompiles;
      assert.equal(await localnet.advanceToNextDue(), undefined);

      const [bonded] = await staking.validators("BOND_STATUS_BONDED", {
        key: "0x",
        offset: 0,
        limit: 0,
        countTotal: false,
        reverse: false,
      });
      const validator = c.dualstack.valoper(bonded[0].operatorAddress);
      await (await staking.delegate(SENDER, validator, 1000n)).wait();
      await (await staking.undelegate(SENDER, validator, 400n)).wait();
      const begun = await time();
      const due = await localnet.advanceToNextDue();
      assert.ok(due !== undefined && due > begun);
      assert.ok(due <= begun + BigInt(PERIODS.unbonding));
      assert.ok((await time()) >= due);
      const { entries } = await staking.unbondingDelegation(SENDER, validator);
      assert.equal(entries.length, 0);

      const { minDeposit } = await governance.getParams();
      const text = {
        messages: [],
        metadata: "ipfs://text",
        title: "A title",
        summary: "A summary",
        expedited: false,
      };
      const proposal = new TextEncoder().encode(JSON.stringify(text));
      await (
        await governance.submitProposal(
          SENDER,
          proposal,
          minDeposit.map(({ denom, amount }: any) => ({ denom, amount })),
        )
      ).wait();
      const end = await localnet.advanceToVoteEnd(1);
      assert.ok((await time()) >= end);
      const { status } = await governance.getProposal(1);
      assert.ok(Number(status) > 2, `status ${status}`);
      await assert.rejects(localnet.advanceToVoteEnd(99), /99/);
    });

    it("a fixture runs every time", async () => {
      let runs = 0;
      const fixture = async () => await Promise.resolve(++runs);
      const { loadFixture } = localnet;
      assert.deepEqual(
        [await loadFixture(fixture), await loadFixture(fixture)],
        [1, 2],
      );
    });

    it("what a chain cannot do for tests is refused, and tests of it are skipped with the reason", async () => {
      for (const act of [
        () => localnet.slash(RECIPIENT),
        () => localnet.setRewardRate(0),
        () => localnet.state(),
      ]) {
        await assert.rejects(
          act,
          /localnet\.\w+ needs a local network.*network testnet.*localnet\.only\(it\)/s,
        );
      }
      const { test, ran, skipped } = notingTest();
      localnet.only(test)("slashes");
      localnet.only(test, "needs a slash")("slashes");
      assert.deepEqual(ran, []);
      assert.deepEqual(skipped, [
        "slashes (only on a local network)",
        "slashes (needs a slash)",
      ]);
    });
  });

  describe(`tests on a local network on ${major}`, () => {
    let c: Client;
    let localnet: Localnet;

    before(async () => {
      c = await openLocal();
      ({ localnet } = c.dualstack);
    });
    after(async () => await c.close());

    const balance = async () =>
      (await c.ethers.provider.getBalance(RECIPIENT)) as bigint;
    const pay = async (value: bigint) => {
      const signer = await c.ethers.getSigner(SENDER);
      await (await signer.sendTransaction({ to: RECIPIENT, value })).wait();
    };

    it("time is set, and nothing is skipped", async () => {
      assert.equal(localnet.available, true);
      const { time } = await localnet.state();
      await localnet.advanceTo(time + 3600n);
      await localnet.advanceTo(time);
      assert.equal((await localnet.state()).time, time + 3600n);
      const { test, ran } = notingTest();
      localnet.only(test)("slashes");
      assert.deepEqual(ran, ["slashes"]);
    });

    it("a fixture is restored", async () => {
      const begin = await balance();
      let runs = 0;
      const base = async () => {
        await pay(1n);
        return await Promise.resolve(++runs);
      };
      const more = async () => {
        await localnet.loadFixture(base);
        await pay(10n);
        return "more";
      };
      const { loadFixture } = localnet;
      assert.equal(await loadFixture(base), 1);
      await pay(5n);
      assert.equal(await loadFixture(base), 1);
      assert.equal(await balance(), begin + 1n);
      assert.equal(await loadFixture(more), "more");
      await pay(5n);
      assert.equal(await loadFixture(more), "more");
      assert.equal(await balance(), begin + 11n);
      // Going back to the first undoes the second's snapshot.
      assert.equal(await loadFixture(base), 1);
      assert.equal(await loadFixture(more), "more");
      assert.equal(await balance(), begin + 11n);
      assert.equal(runs, 1);
    });

    it("a fixture runs again if something went back further", async () => {
      const snapshot = await c.provider.request({
        method: "evm_snapshot",
        params: [],
      });
      let runs = 0;
      const fixture = async () => await Promise.resolve(++runs);
      await localnet.loadFixture(fixture);
      await c.provider.request({ method: "evm_revert", params: [snapshot] });
      assert.equal(await localnet.loadFixture(fixture), 2);
    });
  });
}
