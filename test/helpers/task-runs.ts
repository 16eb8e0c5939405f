import assert from "node:assert/strict";

import type { DualstackUserConfig } from "../../src/config/user-config.js";
import { TASKS, type TaskEntry } from "../../src/tasks/table.js";
import {
  createProject as createHardhat3,
  runTask,
} from "../commands/helpers.js";
import { createProject, type Hardhat2, loadHardhat2 } from "./hardhat2.js";

export type Args = Readonly<Record<string, unknown>>;

/** What a task prints, on both streams, and how it ends. */
export interface Printed {
  readonly out: string;
  readonly err: string;
  readonly error: string | undefined;
}

/** Runs a task on one major of Hardhat, on its test network unless another is named. */
export type RunTask = (
  entry: TaskEntry,
  args: Args,
  dualstack: DualstackUserConfig,
  network?: string,
) => Promise<Printed>;

/** A task by its name below `dualstack`, such as `staking validators`. */
export function taskNamed(name: string): TaskEntry {
  const entry = TASKS.find((task) => task.path.join(" ") === name);
  assert.ok(entry, name);
  return entry;
}

/** The arguments of a task as Hardhat 3 fills them in where they are not given. */
function complete(
  { arguments: given = [], options = [] }: TaskEntry,
  args: Args,
): Args {
  const all: Record<string, unknown> = {};
  for (const { name, variadic } of given) {
    all[name] = variadic === true ? [] : undefined;
  }
  for (const { name, type, defaultValue } of options) {
    all[name] = type === "flag" ? false : defaultValue;
  }
  return { ...all, ...args };
}

/** What is printed while something runs. */
export async function printed(run: () => Promise<unknown>): Promise<Printed> {
  const { log, error } = console;
  const out: string[] = [];
  const err: string[] = [];
  console.log = (text: unknown = "") => void out.push(String(text));
  console.error = (text: unknown = "") => void err.push(String(text));
  let failed: string | undefined;
  try {
    await run();
  } catch (cause) {
    failed = (cause as Error).message;
  } finally {
    console.log = log;
    console.error = error;
  }
  return { out: out.join("\n"), err: err.join("\n"), error: failed };
}

export const onHardhat3: RunTask = async (
  entry,
  args,
  dualstack,
  network = "testnet",
) => {
  const hre = await createHardhat3({ dualstack }, { network });
  return await printed(async () => {
    const { stdout } = await runTask(
      hre,
      [...entry.path],
      complete(entry, args),
    );
    console.log(stdout);
  });
};

let folder: Promise<string> | undefined;

export const onHardhat2: RunTask = async (
  entry,
  args,
  dualstack,
  network = "testnet",
) => {
  const hre: Hardhat2 = await loadHardhat2({
    network,
    config: { dualstack },
    root: await (folder ??= createProject()),
  });
  // Hardhat 2's tasks tell by the exit code that they failed.
  const { exitCode } = process;
  try {
    return await printed(() =>
      hre.run({ scope: "dualstack", task: entry.path.join(":") }, { ...args }),
    );
  } finally {
    process.exitCode = exitCode;
  }
};
