import type { Abi } from "abitype";

import type { PrecompileName } from "../addresses.js";

/** A precompile of a network. */
export interface Precompile<A extends Abi> {
  readonly address: string;
  readonly abi: A;
  /** Calldata of a call that returns data wherever the precompile is active. */
  readonly probe: string;
  /** Prefix of account addresses, to check the given ones. */
  readonly prefix: string;
  /** Its name, if not every chain has it. */
  readonly optional?: PrecompileName;
  /** The network's name, for errors. */
  readonly network?: string;
}
