import { HardhatPluginError } from "hardhat/plugins";

import { DualstackError } from "../support/errors.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import { errorText } from "../support/text.js";

/** An error of the core as Hardhat 2 shows errors of plugins; any other stays as it is. */
export function toPluginError(error: unknown): unknown {
  if (!DualstackError.is(error)) {
    return error;
  }
  const shown = new HardhatPluginError(
    PLUGIN_ID,
    errorText(error, 2_000),
    error,
  );
  // Hardhat 2 calls it parent.
  shown.cause = error;
  return shown;
}
