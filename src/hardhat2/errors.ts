import { HardhatPluginError } from "hardhat/plugins";

import { DualstackError } from "../support/errors.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import { errorText } from "../support/text.js";

/** Turns an error of the core into Hardhat 2's error for plugins; returns any other as it is. */
export function toPluginError(error: unknown): unknown {
  if (!DualstackError.is(error)) {
    return error;
  }
  const shown = new HardhatPluginError(
    PLUGIN_ID,
    errorText(error, 2_000),
    error,
  );
  // Hardhat 2's own field for it is called parent.
  shown.cause = error;
  return shown;
}
