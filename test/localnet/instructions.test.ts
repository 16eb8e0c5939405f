import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { PRECOMPILE_ADDRESSES } from "../../src/precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../src/precompiles/module-accounts.js";
import { RESERVE } from "../../src/localnet/modules/accounts.js";
import { LocalNode } from "../../src/localnet/node/node.js";
import { inspect } from "../../src/localnet/foresight/trace.js";
import {
  balanceOf,
  delegateRequest,
  deploy,
  STAKING,
  staking,
  stakeOf,
  token,
  using,
  VALOPER,
} from "./actions.js";

const modules = new Set([
  PRECOMPILE_ADDRESSES.staking,
  PRECOMPILE_ADDRESSES.distribution,
  PRECOMPILE_ADDRESSES.governance,
] as string[]);
const accounts = new Set([
  ...modules,
  ...Object.values(MODULE_ACCOUNTS),
  RESERVE,
] as string[]);

const SETTINGS = { settings: { rewardRate: 0, unbondingTime: 1000 } } as const;

describe("a node whose traces have only instructions", () => {
  it("gives the same findings and the same changes", async () => {
    await using(SETTINGS, async (network) => {
      const { rpc, connection } = network;
      const [, alice = ""] = network.accounts;
      const vault = await deploy(network, "Vault", [VALOPER]);
      const factory = await deploy(network, "Factory");
      await rpc("eth_sendTransaction", delegateRequest(alice, token("1")));
      await vault.send("deposit", [], token("1"));
      const calls = [
        delegateRequest(alice, token("2")),
        vault.request("deposit", [], token("2")),
        vault.request("tryDelegate", [token("1")], token("3")),
        vault.request("undelegate", [token("0.5")]),
        vault.request("passOn", [vault.address], token("1")),
        factory.request(
          "make",
          [VALOPER, token("1"), `0x${"22".repeat(32)}`],
          token("2"),
        ),
        { from: alice, to: network.accounts[2], value: "0x5", data: "0x" },
      ];
      const provider = connection.provider as never;
      const [traced, told] = [
        new LocalNode(provider),
        new LocalNode(provider, true),
      ];
      for (const call of calls) {
        // A trace starts with the previous one's payers: now both start alike.
        await traced.frames(call as never, "latest");
        const [a, b] = [
          await traced.frames(call as never, "latest"),
          await told.frames(call as never, "latest"),
        ];
        const found = (frames: typeof a) => {
          const { deferred, paying, born, called, touched } = inspect(frames, {
            modules,
            staking: STAKING,
            all: accounts,
          });
          return { deferred, paying, born, called, touched };
        };
        assert.deepEqual(found(b), found(a));
        const [mine, theirs] = [
          await told.changes(call as never),
          await traced.changes(call as never),
        ];
        // The other tracer does not report writes that change nothing.
        for (const [account, words] of theirs.storage) {
          for (const [slot, word] of words)
            assert.equal(
              mine.storage.get(account)?.get(slot),
              word,
              `${account} ${slot}`,
            );
        }
        for (const [account, balance] of theirs.balances) {
          if (account !== "0x0000000000000000000000000000000000000000")
            assert.equal(mine.balances.get(account), balance, account);
        }
      }
    });
  });

  it("has working precompiles: payments, maturity, slashes", async () => {
    await using({ ...SETTINGS, onlyInstructions: true }, async (network) => {
      const { rpc, control } = network;
      const [, alice = ""] = network.accounts;
      const vault = await deploy(network, "Vault", [VALOPER]);
      await rpc("eth_sendTransaction", delegateRequest(alice, token("5")));
      await vault.send("delegateAndLook", [token("1")], token("3"));
      assert.equal((await vault.call("seen"))[0], token("2"));
      assert.equal(await stakeOf(network, alice), token("5"));
      const was = await balanceOf(network, alice);
      const data = staking.encodeFunctionData("undelegate", [
        alice,
        VALOPER,
        token("2"),
      ]);
      const hash = await rpc("eth_sendTransaction", {
        from: alice,
        to: STAKING,
        data,
      });
      const receipt = await rpc("eth_getTransactionReceipt", hash);
      await control.advanceToNextDue();
      const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
      assert.equal((await balanceOf(network, alice)) - was + fee, token("2"));
      await control.slash(VALOPER, { fraction: "0.5", jail: false });
      assert.equal(await stakeOf(network, alice), token("1.5") * 1n);
      assert.equal(
        await balanceOf(network, MODULE_ACCOUNTS.bondedPool),
        token("2502"),
      );
    });
  });
});
