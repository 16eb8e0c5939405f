import { HardhatPluginError } from "hardhat/plugins";

import { errorToJson, ReportedError, toJson } from "../../commands/output.js";
import type { Ui } from "../../commands/ui.js";
import { DualstackError } from "../../support/errors.js";
import { toPluginError } from "../errors.js";
import { createTerminalUi } from "./terminal-ui.js";

/** What ends with an error that is printed already; Hardhat then exits with 1. */
export interface Failed {
  readonly success: false;
  readonly error: unknown;
}

/**
 * Runs a command for a task: with `--json` an error is JSON too, else it is
 * one that Hardhat prints as a plugin's. The exit code is 0 only on success.
 */
export async function runCommand(
  { json }: { readonly json: boolean },
  command: (ui: Ui) => Promise<void>,
): Promise<Failed | undefined> {
  const ui = createTerminalUi(json);
  try {
    await command(ui);
    return undefined;
  } catch (error) {
    ui.progress(undefined);
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

// The plugin's hooks throw errors of the core in Hardhat's wrapping.
function originOf(error: unknown): unknown {
  return HardhatPluginError.isHardhatPluginError(error) &&
    DualstackError.is(error.cause)
    ? error.cause
    : error;
}
