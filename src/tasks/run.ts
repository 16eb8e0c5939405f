import {
  errorToJson,
  Interrupted,
  ReportedError,
  toJson,
} from "../commands/shared/output.js";
import type { Ui } from "../commands/shared/ui.js";
import { isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import type { TaskHost } from "./host.js";
import type { TaskEntry } from "./table.js";
import { createTerminalUi } from "./terminal-ui.js";

/**
 * The outcome of a task whose error is printed already, with its report if
 * there is one; the exit code is then 1.
 */
export interface Failed {
  readonly success: false;
  readonly error: unknown;
}

/** Whether a task's outcome is a failure that is printed already. */
export const isFailed = (outcome: unknown): outcome is Failed =>
  isRecord(outcome) && outcome["success"] === false && "error" in outcome;

const SILENT: Ui = {
  json: false,
  line: () => undefined,
  note: () => undefined,
  progress: () => undefined,
  confirm: () => Promise.resolve(false),
};

/**
 * Runs a task. With `--json` an error is printed as JSON; otherwise it is
 * thrown as an error of the plugin.
 *
 * @returns the task's report, or a failure (see {@link isFailed})
 * @param toPluginError turns an error of the core into Hardhat's plugin error
 */
export async function runTask(
  { load }: TaskEntry,
  { quiet, ...args }: Readonly<Record<string, unknown>>,
  createHost: (ui: Ui) => TaskHost,
  toPluginError: (error: unknown) => unknown,
): Promise<unknown> {
  const json = args["json"] === true && quiet !== true;
  const ui = quiet === true ? SILENT : createTerminalUi(json);
  try {
    const { default: action } = await load();
    return await action(args, createHost(ui));
  } catch (error) {
    ui.progress(undefined);
    if (error instanceof Interrupted) {
      return { success: false, error };
    }
    if (error instanceof ReportedError) {
      return { ...error.report, success: false, error: error.cause };
    }
    if (json) {
      ui.line(toJson({ error: errorToJson(originOf(error)) }, 2));
      return { success: false, error };
    }
    throw toPluginError(error);
  }
}

// Hardhat may have wrapped an error of the core.
const originOf = (error: unknown): unknown =>
  error instanceof Error &&
  !DualstackError.is(error) &&
  DualstackError.is(error.cause)
    ? error.cause
    : error;
