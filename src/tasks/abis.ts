import type { Abi } from "abitype";

import type { DualstackConfig } from "../config/resolve.js";
import {
  PRECOMPILE_NAMES,
  type PrecompileName,
} from "../precompiles/addresses.js";
import { configuredAbi } from "../precompiles/configured.js";

/** The ABIs of the precompiles, by the configuration. */
export function precompileAbis({
  precompiles,
}: Pick<DualstackConfig, "precompiles">): {
  readonly [name in PrecompileName]: Abi;
} {
  return Object.fromEntries(
    PRECOMPILE_NAMES.map((name) => [
      name,
      configuredAbi(name, precompiles[name].abi),
    ]),
  ) as unknown as { [name in PrecompileName]: Abi };
}
