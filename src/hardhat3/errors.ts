import { HardhatPluginError } from "hardhat/plugins";

import { DualstackError } from "../support/errors.js";
import { errorText } from "../support/text.js";
import { PLUGIN_ID } from "./constants.js";

/** Turns an error of the core into Hardhat's error for plugins; returns any other as it is. */
export function toPluginError(error: unknown): unknown {
  return DualstackError.is(error)
    ? new HardhatPluginError(PLUGIN_ID, errorText(error, 2_000), error)
    : error;
}
