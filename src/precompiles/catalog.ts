import {
  DEFINITIONS,
  ofPrecompiles,
  type PrecompileName,
} from "./addresses.js";
import type * as registry from "./registry.js";

/** Every precompile that this package knows: its default address and its ABI. */
export const PRECOMPILES = ofPrecompiles((name) => {
  const { address, abi } = DEFINITIONS[name];
  return { address, abi };
}) as {
  readonly [name in PrecompileName]: Pick<
    (typeof registry)[name],
    "address" | "abi"
  >;
};
