import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { LocalChainControl } from "../../src/commands/local/control.js";
import type { RpcProvider } from "../../src/rpc/provider.js";
import { parseDuration } from "../../src/support/duration.js";
import { loadHardhat2 } from "../helpers/hardhat2.js";
import { startHardhatNode } from "./hardhat-node.js";
import { createProject, describedNetwork } from "./helpers.js";
import { LOCALNET } from "./modules.js";

const DAY = 86_400;
const OPERATOR = "0x976EA74026E726554dB657fA54763abd0C3a0aa9";
type Run = (task: string, args?: Record<string, unknown>) => Promise<any>;

const seconds = ({ time }: { time: string }) => Date.parse(time) / 1000;

/** Does all that tasks can do to a chain. */
async function walk(run: Run): Promise<void> {
  const before = await run("local state");
  assert.ok(before.validators >= 3n);
  assert.equal(before.nextDue, undefined);

  assert.equal((await run("local next")).moved, false, "nothing is due");

  const { snapshot } = await run("local snapshot");
  const advanced = await run("local advance", { by: "10d" });
  assert.equal(seconds(advanced) - seconds(before) >= 10 * DAY, true);
  assert.equal(advanced.height, before.height + 1n);
  assert.ok(
    (await run("local state")).accrued.baseUnits > before.accrued.baseUnits,
  );

  const { validators } = await run("staking validators", {
    status: undefined,
  });
  const [first] = validators;
  // By its moniker, as in every task.
  const slashed = await run("local slash", {
    validator: first.moniker,
    fraction: "10%",
    noJail: true,
  });
  assert.equal(slashed.validator.valoper, first.valoper);
  assert.equal(slashed.jailed, false);
  assert.equal(
    slashed.tokens.baseUnits,
    (slashed.tokensBefore.baseUnits * 9n) / 10n,
  );
  const jail = { validator: first.operator };
  assert.equal((await run("local jail", jail)).jailed, true);
  assert.equal((await run("local unjail", jail)).jailed, false);

  const rate = await run("local reward-rate", { rate: "12.5%" });
  assert.equal(rate.rewardRate, "12.5");
  assert.equal((await run("local reward-rate", { rate: "0" })).before, "12.5");

  const added = await run("local add-validator", {
    operator: OPERATOR,
    moniker: "mine",
    stake: "500",
  });
  assert.equal(added.tokens.tokens, "500");
  const due = await run("local state");
  await run("local deposit-rewards", { validator: "mine", amount: "7" });
  const paid = await run("local state");
  assert.equal(
    paid.outstandingRewards.baseUnits - due.outstandingRewards.baseUnits,
    7n * 10n ** 18n,
  );

  await run("staking delegate", { validator: first.valoper, amount: "3" });
  await run("staking undelegate", { validator: first.valoper, amount: "1" });
  const waiting = await run("local state");
  const next = await run("local next");
  assert.equal(next.moved, true);
  assert.equal(next.time, waiting.nextDue);

  const restored = await run("local restore", { snapshot });
  assert.equal(restored.height, before.height);
  const after = await run("local state");
  assert.equal(after.validators, before.validators);
  assert.equal(after.bonded.baseUnits, before.bonded.baseUnits);
  // Restoring took a new snapshot, which can be restored again.
  await run("local advance", { by: "1d" });
  const again = await run("local restore", { snapshot: restored.snapshot });
  assert.equal(again.height, before.height);

  await assert.rejects(
    run("local restore", { snapshot: "0x77" }),
    /there is no snapshot "0x77"/,
  );
  await assert.rejects(run("local advance", { by: "soon" }), /not a period/);
  await assert.rejects(
    run("local advance", { by: "2001-01-01T00:00:00Z" }),
    /time only goes forward/,
  );
  await assert.rejects(
    run("local slash", { validator: "Nobody" }),
    /no validator is called "Nobody"/,
  );
  await assert.rejects(
    run("local vote-end", { proposal: "77" }),
    /^\w+: there is no proposal 77 \(network [^()]*\)\.$/,
  );
  await assert.rejects(
    run("local reward-rate", { rate: "lots" }),
    /: the reward rate must be [^()]* \(network [^()]*\)\.$/,
  );
}

const on3 =
  (hre: HardhatRuntimeEnvironment): Run =>
  async (task, args = {}) => {
    const id: string[] = ["dualstack", ...task.split(" ")];
    return await hre.tasks.getTask(id).run({ ...args, quiet: true });
  };

describe("tasks that control a local chain", () => {
  it("do everything to a running hardhat node, from Hardhat 3 and from Hardhat 2", async () => {
    await using node = await startHardhatNode();
    await walk(
      on3(
        await createProject(
          { networks: { devnet: { type: "http", url: node.url } } },
          { network: "devnet" },
        ),
      ),
    );
    const hardhat2 = await loadHardhat2({
      network: "devnet",
      config: { networks: { devnet: { url: node.url } } },
    });
    await walk(
      async (task, args = {}) =>
        await hardhat2.run(
          { scope: "dualstack", task: task.replace(" ", ":") },
          { ...args, quiet: true },
        ),
    );
  });

  it("do the same to Hardhat 2's own network", async () => {
    const hre = await loadHardhat2({
      config: { dualstack: { localnet: LOCALNET } },
    });
    await walk(
      async (task, args = {}) =>
        await hre.run(
          { scope: "dualstack", task: task.replace(" ", ":") },
          { ...args, quiet: true },
        ),
    );
  });

  it("refuse other networks, and nodes that emulate nothing", async () => {
    const provider = (error: unknown): RpcProvider => ({
      request: async () => await Promise.reject(error),
    });
    assert.throws(
      () =>
        new LocalChainControl({
          network: describedNetwork(),
          provider: provider(new Error()),
        }),
      /only a local chain can be controlled.*dualstack node.*--network localnode/,
    );
    const local = describedNetwork({ kind: "local", name: "localhost" });
    for (const [code, message] of [
      [-32601, "whatever"],
      [-32004, "Method dualstack_state is not supported"],
    ] as const) {
      const error = Object.assign(new Error(message), { code });
      await assert.rejects(
        new LocalChainControl({
          network: local,
          provider: provider(error),
        }).state(),
        /does not emulate the chain.*hardhat-dualstack/,
      );
    }
  });

  it("read periods as people write them", () => {
    for (const [text, expected] of [
      ["10d", 864_000n],
      ["1d12h", 129_600n],
      ["1w 2d", 777_600n],
      ["30min", 1_800n],
      ["5m 3s", 303n],
      ["90", 90n],
    ] as const) {
      assert.equal(parseDuration(text), expected, text);
    }
    for (const text of ["", "d", "-5d", "1.5d", "10 apples", "1dx"]) {
      assert.throws(() => parseDuration(text), /is not a period/, text);
    }
  });
});
