import { scope, types } from "hardhat/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/runtime";

import { taskName } from "../support/major.js";
import { QUIET_FLAG } from "../tasks/entry.js";
import { ROOT, type TaskEntry, TASKS } from "../tasks/table.js";

/** Defines the tasks of the table in the scope `dualstack`. */
export function defineTasks(): void {
  const tasks = scope(ROOT.name, ROOT.description);
  for (const entry of TASKS) {
    defineTask(tasks, entry);
  }
}

function defineTask(tasks: ReturnType<typeof scope>, entry: TaskEntry): void {
  const { path, description, arguments: given = [], options = [] } = entry;
  const task = tasks.task(taskName(path), description);
  for (const argument of given) {
    const { name, optional = false, variadic = false } = argument;
    if (variadic) {
      task.addVariadicPositionalParam(
        name,
        argument.description,
        optional ? [] : undefined,
        types.string,
        optional,
      );
    } else {
      task.addPositionalParam(
        name,
        argument.description,
        undefined,
        types.string,
        optional,
      );
    }
  }
  for (const option of options) {
    if (option.type === "flag") {
      task.addFlag(option.name, option.description);
    } else {
      task.addOptionalParam(
        option.name,
        option.description,
        option.defaultValue,
        types.string,
      );
    }
  }
  task.addFlag(QUIET_FLAG.name, QUIET_FLAG.description);
  task.setAction(
    async (
      args: Record<string, unknown>,
      hre: HardhatRuntimeEnvironment,
    ): Promise<unknown> => {
      const { isFailed, runTask } = await import("./host.js");
      const outcome = await runTask(entry, args, hre);
      if (isFailed(outcome)) {
        // The error is printed already.
        process.exitCode = 1;
      }
      return outcome;
    },
  );
}
