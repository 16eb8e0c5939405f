import type { Abi } from "abitype";

/** A precompile of the chain's family; each is a folder here and a line in registry.ts. */
export interface PrecompileDefinition {
  /** Where most chains of the family have it. */
  readonly address: `0x${string}`;
  readonly abi: Abi;
  /** What it is for, in the table of docs/precompiles.md. */
  readonly about: string;
  /**
   * Which networks have it: `documented` all, by the network's own document;
   * `usual` those that follow the family's defaults; `optional` those whose
   * configuration says so.
   */
  readonly presence: "documented" | "usual" | "optional";
  /** A module refuses with a text and counts to a transaction's 20 calls; the others only compute. */
  readonly isModule: boolean;
  /** A cheap call that answers with data wherever the precompile lives. */
  readonly probe: {
    readonly method: string;
    readonly values: readonly unknown[];
  };
}
