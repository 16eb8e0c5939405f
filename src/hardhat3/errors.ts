import { HardhatPluginError } from "hardhat/plugins";

import { DualstackError } from "../support/errors.js";
import { errorText } from "../support/text.js";
import { PLUGIN_ID } from "./constants.js";

/** An error of the core as Hardhat shows errors of plugins; any other stays as it is. */
export function toPluginError(error: unknown): unknown {
  return DualstackError.is(error)
    ? new HardhatPluginError(PLUGIN_ID, errorText(error, 2_000), error)
    : error;
}
