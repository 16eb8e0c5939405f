/**
 * Compiled by types.test.ts, never run: tasks that code runs take the same
 * arguments as on the command line, and return their reports.
 */
import type { TaskManager } from "hardhat/types/tasks";

import type {} from "../../src/index.js";

declare const tasks: TaskManager;

export async function reports(): Promise<void> {
  const { balances, chainId } = await tasks
    .getTask(["dualstack", "balance"])
    .run({ addresses: ["0x…"] });
  balances.map(({ native }): bigint => native.baseUnits);
  chainId satisfies number;
  const balance = tasks.getTask(["dualstack", "balance"]);
  // @ts-expect-error a list of addresses
  await balance.run({ addresses: "0x…" });
  // @ts-expect-error no such option
  await balance.run({ adresses: ["0x…"] });

  const { healthy, checks } = await tasks
    .getTask(["dualstack", "doctor"])
    .run();
  healthy satisfies boolean;
  checks.map(({ status }): "green" | "red" | "skipped" => status);

  const { validators } = await tasks
    .getTask(["dualstack", "staking", "validators"])
    .run({ status: "bonded" });
  validators.map(({ tokens }): bigint => tokens.baseUnits);

  const delegated = await tasks
    .getTask(["dualstack", "staking", "delegate"])
    .run({ validator: "0x…", amount: "1.5", dryRun: true });
  delegated.amount.baseUnits satisfies bigint;
  const delegate = tasks.getTask(["dualstack", "staking", "delegate"]);
  // @ts-expect-error an amount is needed
  await delegate.run({ validator: "0x…" });
  // @ts-expect-error a validator and an amount are needed
  await delegate.run();

  const { withdrawAccount } = await tasks
    .getTask(["dualstack", "rewards", "withdraw-address"])
    .run({});
  withdrawAccount satisfies string;

  // Other tasks keep their types.
  await tasks.getTask("build").run({ quiet: true });
  await tasks.getTask(["test", "solidity"]).run({});
}
