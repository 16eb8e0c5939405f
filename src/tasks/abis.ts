import type { Abi } from "abitype";

import type { DualstackConfig } from "../config/resolve.js";
import {
  ofPrecompiles,
  type PrecompileName,
} from "../precompiles/addresses.js";
import { configuredAbi } from "../precompiles/configured.js";

/** The configured ABIs of the precompiles. */
export const precompileAbis = ({
  precompiles,
}: Pick<DualstackConfig, "precompiles">): {
  readonly [name in PrecompileName]: Abi;
} => ofPrecompiles((name) => configuredAbi(name, precompiles[name].abi));
