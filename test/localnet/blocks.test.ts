import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import {
  balanceOf,
  delegateRequest,
  deploy,
  NO_REWARDS,
  STAKING,
  staking,
  stakeOf,
  token,
  using,
  VALOPER,
} from "./actions.js";
import type { LocalNetwork } from "./network.js";

const WEEK = 7 * 86_400;
const SETTINGS = { settings: { rewardRate: 0, unbondingTime: WEEK } } as const;

const undelegateRequest = (from: string | undefined, amount: bigint) => ({
  from,
  to: STAKING,
  data: staking.encodeFunctionData("undelegate", [from, VALOPER, amount]),
});

const hex = (value: number | bigint) => `0x${value.toString(16)}`;

const succeeded = async ({ rpc }: LocalNetwork, hash: unknown) =>
  (await rpc("eth_getTransactionReceipt", hash))?.status === "0x1";

describe("ends of blocks", () => {
  it("unbonding tokens come back when their time has come, without a transaction", async () => {
    await using(SETTINGS, async (network) => {
      const { rpc, accounts, control } = network;
      const [, alice = ""] = accounts;
      await rpc("eth_sendTransaction", delegateRequest(alice, token("5")));
      await rpc("eth_sendTransaction", undelegateRequest(alice, token("2")));
      const was = await balanceOf(network, alice);
      const { nextDue, time } = await control.state();
      assert.equal(nextDue, time + BigInt(WEEK));
      await rpc("evm_setNextBlockTimestamp", [hex(Number(nextDue) - 1)][0]);
      await rpc("evm_mine");
      assert.equal(await balanceOf(network, alice), was);
      await rpc("evm_increaseTime", 5);
      await rpc("evm_mine");
      assert.equal((await balanceOf(network, alice)) - was, token("2"));
      assert.equal((await control.state()).nextDue, undefined);
    });
  });

  it("a transfer's block and hardhat_mine of many blocks do the same", async () => {
    for (const mine of [
      async ({ rpc, accounts }: LocalNetwork) => {
        await rpc("evm_increaseTime", WEEK + 10);
        await rpc("eth_sendTransaction", {
          from: accounts[3],
          to: accounts[4],
          value: "0x1",
        });
      },
      async ({ rpc }: LocalNetwork) =>
        await rpc("hardhat_mine", hex(1000), hex(1000)),
    ]) {
      await using(SETTINGS, async (network) => {
        const [, alice = ""] = network.accounts;
        await network.rpc(
          "eth_sendTransaction",
          delegateRequest(alice, token("5")),
        );
        await network.rpc(
          "eth_sendTransaction",
          undelegateRequest(alice, token("2")),
        );
        const was = await balanceOf(network, alice);
        await mine(network);
        assert.equal((await balanceOf(network, alice)) - was, token("2"));
      });
    }
  });

  it("unbonding tokens come back in time after blocks that came faster than real time", async () => {
    const settings = { ...SETTINGS.settings, unbondingTime: 6 };
    await using({ settings }, async (network) => {
      const { rpc, accounts, control } = network;
      const [, alice = "", from, to] = accounts;
      const pay = async () =>
        await rpc("eth_sendTransaction", { from, to, value: "0x1" });
      await rpc("eth_sendTransaction", delegateRequest(alice, token("5")));
      // While nothing is due, nothing reads these blocks' times, a second each.
      for (let block = 0; block < 40; block++) await pay();
      await rpc("eth_sendTransaction", undelegateRequest(alice, token("2")));
      const was = await balanceOf(network, alice);
      const { nextDue = 0n } = await control.state();
      while ((await control.state()).time < nextDue) await pay();
      assert.equal((await balanceOf(network, alice)) - was, token("2"));
    });
  });

  it("a jailed validator unbonds at the block's end and is unbonded a period later", async () => {
    await using(SETTINGS, async ({ rpc, control }) => {
      const status = async () => {
        const [operator] = staking.decodeFunctionResult(
          "validators",
          await rpc(
            "eth_call",
            {
              to: STAKING,
              data: staking.encodeFunctionData("validators", [
                "",
                ["0x", 0, 0, false, false],
              ]),
            },
            "latest",
          ),
        )[0] as { operatorAddress: string; status: bigint; jailed: boolean }[];
        return [operator?.status, operator?.jailed];
      };
      const { valoper } = await firstValidator(rpc);
      await control.slash(valoper, { fraction: "0.1" });
      assert.deepEqual(await status(), [2n, true]);
      assert.equal((await control.state()).burnt, token("100"));
      assert.equal(await control.advanceToNextDue(), BigInt(await timeOf(rpc)));
      assert.deepEqual(await status(), [1n, true]);
      await control.unjail(valoper);
      assert.deepEqual(await status(), [3n, false]);
    });
  });

  it("rewards grow from one block to the next at the configured rate", async () => {
    await using({ settings: { rewardRate: "0.5" } }, async (network) => {
      const { rpc, control, accounts } = network;
      await rpc(
        "eth_sendTransaction",
        delegateRequest(accounts[1], token("1000")),
      );
      const first = await control.state();
      await control.advance(31_536_000);
      const second = await control.state();
      const minted = second.accrued - first.accrued;
      // A year and a few seconds, on 4,000 bonded tokens.
      assert.ok(
        minted >= token("1999.9") && minted < token("2000.1"),
        `minted ${minted}`,
      );
      await control.setRewardRate("0");
      await control.advance(1000);
      assert.equal(
        (await control.state()).accrued,
        (await control.state()).accrued,
      );
      const still = (await control.state()).accrued;
      await control.advance(1000);
      assert.equal((await control.state()).accrued, still);
    });
  });
});

describe("blocks with several transactions", () => {
  it("automine off: payers stay until their block, and are gone after it", async () => {
    await using(NO_REWARDS, async (network) => {
      const { rpc, accounts } = network;
      const [, alice = "", bob = ""] = accounts;
      const vault = await deploy(network, "Vault", [VALOPER]);
      const code = await rpc("eth_getCode", vault.address, "latest");
      await rpc("evm_setAutomine", false);
      const hashes = [
        await rpc("eth_sendTransaction", {
          ...delegateRequest(alice, token("1")),
          gas: hex(1_000_000),
        }),
        await rpc("eth_sendTransaction", {
          ...vault.request("deposit", [], token("2"), bob),
          gas: hex(1_500_000),
        }),
        await rpc("eth_sendTransaction", {
          from: bob,
          to: accounts[5],
          value: hex(7),
          gas: hex(21_000),
        }),
        await rpc("eth_sendTransaction", {
          ...delegateRequest(alice, token("3")),
          gas: hex(1_000_000),
        }),
        await rpc("eth_sendTransaction", {
          ...vault.request("delegateAndLook", [token("1")], token("4")),
          gas: hex(1_500_000),
        }),
      ];
      assert.equal(await rpc("eth_getCode", vault.address, "latest"), code);
      assert.equal(await rpc("eth_getCode", alice, "latest"), "0x");
      const height = BigInt(await rpc("eth_blockNumber"));
      await rpc("evm_mine");
      assert.equal(BigInt(await rpc("eth_blockNumber")), height + 1n);
      for (const hash of hashes) assert.ok(await succeeded(network, hash));
      assert.equal(await stakeOf(network, alice), token("4"));
      assert.equal(await stakeOf(network, vault.address), token("3"));
      assert.equal(await balanceOf(network, vault.address), token("3"));
      await rpc("evm_setAutomine", true);
      // No payer's code is left: the contract's own code runs at its own price.
      const cost = async () =>
        BigInt(await rpc("eth_estimateGas", vault.request("bump")));
      const other = await deploy(network, "Vault", [VALOPER]);
      await other.send("bump");
      assert.equal(
        await cost(),
        BigInt(await rpc("eth_estimateGas", vault.request("bump"))),
      );
      assert.equal(
        await balanceOf(network, MODULE_ACCOUNTS.bondedPool),
        token("3007"),
      );
    });
  });

  it("interval mining: the timer's blocks pay and mature as well", async () => {
    await using(
      { settings: { rewardRate: 0, unbondingTime: 2 } },
      async (network) => {
        const { rpc, accounts } = network;
        const [, alice = ""] = accounts;
        await rpc("eth_sendTransaction", delegateRequest(alice, token("5")));
        await rpc("evm_setAutomine", false);
        await rpc("evm_setIntervalMining", 50);
        const hash = await rpc("eth_sendTransaction", {
          ...undelegateRequest(alice, token("2")),
          gas: hex(1_000_000),
        });
        await until(async () => await succeeded(network, hash));
        const was = await balanceOf(network, alice);
        await until(async () => (await balanceOf(network, alice)) > was);
        assert.equal((await balanceOf(network, alice)) - was, token("2"));
        await rpc("evm_setIntervalMining", 0);
      },
    );
  });

  it("a snapshot brings back everything, including what is due", async () => {
    await using(SETTINGS, async (network) => {
      const { rpc, accounts, control } = network;
      const [, alice = ""] = accounts;
      const untouched = await rpc("evm_snapshot");
      await rpc("eth_sendTransaction", delegateRequest(alice, token("5")));
      await rpc("eth_sendTransaction", undelegateRequest(alice, token("2")));
      const saved = await control.state();
      const id = await rpc("evm_snapshot");
      await control.advanceToNextDue();
      assert.equal((await control.state()).unbondingTokens, 0n);
      assert.equal(await rpc("evm_revert", id), true);
      assert.deepEqual(await control.state(), saved);
      await control.advanceToNextDue();
      assert.equal((await control.state()).unbondingTokens, 0n);
      // Back to before the modules were first needed.
      assert.equal(await rpc("evm_revert", untouched), true);
      assert.equal((await control.state()).bondedTokens, token("3000"));
      assert.equal(await rpc("eth_blockNumber"), "0x0");
      await rpc("eth_sendTransaction", delegateRequest(alice, token("1")));
      assert.equal(await stakeOf(network, alice), token("1"));
    });
  });

  it("a snapshot with waiting transactions brings their payers back", async () => {
    await using(NO_REWARDS, async (network) => {
      const { rpc, accounts } = network;
      const [, alice = ""] = accounts;
      await rpc("evm_setAutomine", false);
      const hash = await rpc("eth_sendTransaction", {
        ...delegateRequest(alice, token("1")),
        gas: hex(1_000_000),
      });
      const id = await rpc("evm_snapshot");
      await rpc("evm_mine");
      assert.ok(await succeeded(network, hash));
      await rpc("evm_revert", id);
      await rpc("evm_mine");
      assert.ok(await succeeded(network, hash));
      assert.equal(await stakeOf(network, alice), token("1"));
      assert.equal(await rpc("eth_getCode", alice, "latest"), "0x");
    });
  });
});

describe("requests at the same time", () => {
  it("50 at once, half of them touching precompiles", async () => {
    await using(NO_REWARDS, async (network) => {
      const { rpc, accounts } = network;
      const vault = await deploy(network, "Vault", [VALOPER]);
      const counter = await deploy(network, "Counter");
      const work = Array.from({ length: 50 }, async (_, index) => {
        const from = accounts[1 + (index % 15)];
        switch (index % 6) {
          case 0:
            return await rpc(
              "eth_sendTransaction",
              delegateRequest(from, token("1")),
            );
          case 1:
            return await rpc("eth_sendTransaction", {
              from,
              to: accounts[0],
              value: hex(1),
            });
          case 2:
            return await vault.send("deposit", [], token("1"), from);
          case 3:
            return await counter.send("increment", [], 0n, from);
          case 4: {
            const [before, later] = await vault.call(
              "delegateAndLook",
              [0n + token("0.5")],
              token("0.5"),
            );
            assert.equal(before - later, token("0.5"));
            return undefined;
          }
          default:
            assert.equal(
              await rpc("eth_getCode", vault.address, "latest"),
              await rpc("eth_getCode", vault.address, "latest"),
            );
            return await rpc(
              "eth_estimateGas",
              vault.request("deposit", [], token("1"), from),
            );
        }
      });
      for (const result of await Promise.all(work)) {
        if (typeof result === "string" && result.length === 66)
          assert.ok(await succeeded(network, result));
      }
      assert.equal((await counter.call("count"))[0], 8n);
      assert.equal((await vault.call("staked"))[0], token("8"));
      assert.equal((await network.control.state()).bondedTokens, token("3017"));
      assert.equal(await balanceOf(network, vault.address), 0n);
    });
  });

  it("closing in the middle refuses what waits and leaves nothing running", async () => {
    await using(NO_REWARDS, async (network) => {
      const { rpc, accounts } = network;
      const vault = await deploy(network, "Vault", [VALOPER]);
      const work = Array.from({ length: 20 }, (_, index) =>
        vault.send("deposit", [], token("1"), accounts[index % 10]),
      );
      const settled = Promise.allSettled(work);
      await network.close();
      const results = await settled;
      assert.ok(results.some(({ status }) => status === "rejected"));
      for (const result of results) {
        if (result.status === "rejected")
          assert.match(String(result.reason), /closed/i);
      }
      await assert.rejects(rpc("eth_chainId"), /closed/i);
    });
  });
});

async function firstValidator(rpc: LocalNetwork["rpc"]) {
  const { addressForms } = await import("../../src/address/codec.js");
  const data = staking.encodeFunctionData("validators", [
    "",
    ["0x", 0, 0, false, false],
  ]);
  const answer = await rpc("eth_call", { to: STAKING, data }, "latest");
  const [first] = staking.decodeFunctionResult("validators", answer)[0] as {
    operatorAddress: string;
  }[];
  return addressForms(
    Buffer.from((first?.operatorAddress ?? "0x").slice(2), "hex"),
    "hex",
    "cosmos",
  );
}

const timeOf = async (rpc: LocalNetwork["rpc"]) =>
  Number((await rpc("eth_getBlockByNumber", "latest", false)).timestamp);

async function until(reached: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (await reached()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("that never came");
}
