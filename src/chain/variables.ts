import type { NetworkKind } from "./facts.js";

/**
 * The name of the variable (environment, keystore, vars) that sets a
 * configuration field.
 *
 * @example variableName("baseUrl", "testnet") // "DUALSTACK_TESTNET_BASE_URL"
 */
export function variableName(field: string, kind?: NetworkKind): string {
  const snake = field.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  return [
    "DUALSTACK",
    ...(kind === undefined ? [] : [kind.toUpperCase()]),
    snake,
  ].join("_");
}
