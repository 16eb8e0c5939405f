import { emptyTask, task } from "hardhat/config";
import { ArgumentType } from "hardhat/types/arguments";
import type { TaskDefinition } from "hardhat/types/tasks";

import { QUIET_FLAG } from "../../tasks/entry.js";
import { GROUPS, ROOT, type TaskEntry, TASKS } from "../../tasks/table.js";

const { STRING, STRING_WITHOUT_DEFAULT, FILE_WITHOUT_DEFAULT } = ArgumentType;

/** The tasks of the table, all under `dualstack`. */
export const tasks: TaskDefinition[] = [
  emptyTask(ROOT.name, ROOT.description).build(),
  ...GROUPS.map(({ path, description }) =>
    emptyTask([ROOT.name, ...path], description).build(),
  ),
  ...TASKS.map(toTask),
];

function toTask(entry: TaskEntry): TaskDefinition {
  const { path, description, arguments: given = [], options = [] } = entry;
  const builder = task([ROOT.name, ...path], description);
  for (const { optional = false, variadic = false, ...argument } of given) {
    if (variadic) {
      builder.addVariadicArgument({
        ...argument,
        ...(optional ? { defaultValue: [] } : {}),
      });
    } else if (optional) {
      builder.addPositionalArgument({
        ...argument,
        type: STRING_WITHOUT_DEFAULT,
        defaultValue: undefined,
      });
    } else {
      builder.addPositionalArgument(argument);
    }
  }
  for (const { type, defaultValue, ...option } of options) {
    if (type === "flag") {
      builder.addFlag(option);
    } else if (defaultValue === undefined) {
      builder.addOption({
        ...option,
        type: type === "file" ? FILE_WITHOUT_DEFAULT : STRING_WITHOUT_DEFAULT,
        defaultValue,
      });
    } else {
      builder.addOption({ ...option, type: STRING, defaultValue });
    }
  }
  return builder
    .addFlag({
      name: QUIET_FLAG.name,
      description: QUIET_FLAG.description,
      hidden: true,
    })
    .setAction(async () => ({
      default: async (args: Record<string, unknown>, hre) => {
        const { runTask } = await import("./host.js");
        return await runTask(entry, args, hre);
      },
    }))
    .build();
}
