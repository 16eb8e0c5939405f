import { vars } from "hardhat/config";

import type { ConfigValue } from "../config/user-config.js";

/**
 * The value of a text or variable, from the environment or from Hardhat's
 * `vars`. An empty variable counts as unset.
 */
export function valueOf(value: ConfigValue): string | undefined {
  if (typeof value === "string") {
    return nonEmpty(value);
  }
  const { name, format = "{variable}", default: given } = value;
  const text =
    nonEmpty(process.env[name]) ??
    nonEmpty(vars.has(name) ? vars.get(name) : undefined) ??
    nonEmpty(given);
  return text === undefined ? undefined : format.replaceAll("{variable}", text);
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}
