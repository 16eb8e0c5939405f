import type { Abi } from "abitype";

import type { PrecompileName } from "../addresses.js";

/** A precompile of a network. */
export interface Precompile<A extends Abi> {
  readonly address: string;
  readonly abi: A;
  /** Calldata of a call that answers with data wherever the precompile lives. */
  readonly probe: string;
  /** Prefix of account addresses, to check the ones that are given. */
  readonly prefix: string;
  /** Its name, where not every chain has it. */
  readonly optional?: PrecompileName;
  /** The network's name, for errors. */
  readonly network?: string;
}
