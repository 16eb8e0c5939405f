import type { Abi } from "abitype";

import { stakingAbiWithStringDescription } from "./staking/abi-v04.js";
import type { PrecompileName } from "./addresses.js";
import { PRECOMPILES } from "./catalog.js";

/** The ABI of a precompile: the configured one, or this package's. */
export function configuredAbi(
  name: PrecompileName,
  abi: "string-description" | Abi | undefined,
): Abi {
  return abi === "string-description"
    ? stakingAbiWithStringDescription
    : (abi ?? PRECOMPILES[name].abi);
}
