import type { Abi } from "abitype";

/** A precompile of a network. */
export interface Precompile<A extends Abi> {
  readonly address: string;
  readonly abi: A;
  /** Calldata of a call that answers with data wherever the precompile lives. */
  readonly probe: string;
  /** Prefix of account addresses, to check the ones that are given. */
  readonly prefix: string;
  /** The network's name, for errors. */
  readonly network?: string;
}
