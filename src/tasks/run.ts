import {
  errorToJson,
  Interrupted,
  ReportedError,
  toJson,
} from "../commands/output.js";
import type { Ui } from "../commands/ui.js";
import { DualstackError } from "../support/errors.js";
import type { TaskHost } from "./host.js";
import type { TaskEntry } from "./table.js";
import { createTerminalUi } from "./terminal-ui.js";

/** What ends with an error that is printed already; the exit code is then 1. */
export interface Failed {
  readonly success: false;
  readonly error: unknown;
}

/**
 * Runs a task: with `--json` an error is JSON too, else it is thrown as
 * Hardhat shows those of plugins.
 *
 * @param toPluginError makes an error of the core one of Hardhat's plugins
 */
export async function runTask(
  { load }: TaskEntry,
  args: Readonly<Record<string, unknown>>,
  createHost: (ui: Ui) => TaskHost,
  toPluginError: (error: unknown) => unknown,
): Promise<Failed | undefined> {
  const json = args["json"] === true;
  const ui = createTerminalUi(json);
  try {
    const { default: action } = await load();
    await action(args, createHost(ui));
    return undefined;
  } catch (error) {
    ui.progress(undefined);
    if (error instanceof Interrupted) {
      return { success: false, error };
    }
    if (error instanceof ReportedError) {
      return { success: false, error: error.cause };
    }
    if (json) {
      ui.line(toJson({ error: errorToJson(originOf(error)) }, 2));
      return { success: false, error };
    }
    throw toPluginError(error);
  }
}

// Hardhat may have wrapped an error of the core on its way.
const originOf = (error: unknown): unknown =>
  error instanceof Error &&
  !DualstackError.is(error) &&
  DualstackError.is(error.cause)
    ? error.cause
    : error;
