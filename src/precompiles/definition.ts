import type { Abi } from "abitype";

/** A precompile of the chain's family; each has a folder here and a line in registry.ts. */
export interface PrecompileDefinition {
  /** Its address on most chains of the family. */
  readonly address: `0x${string}`;
  readonly abi: Abi;
  /** Its purpose, for the table of docs/precompiles.md. */
  readonly about: string;
  /**
   * Which networks have it. `documented`: all, according to the network's own
   * document; `usual`: those that follow the family's defaults; `optional`:
   * those whose configuration says so.
   */
  readonly presence: "documented" | "usual" | "optional";
  /**
   * Whether it belongs to a module: its calls fail with a text and count
   * towards a transaction's limit of 20; the others only compute.
   */
  readonly isModule: boolean;
  /** A cheap call that returns data wherever the precompile is active. */
  readonly probe: {
    readonly method: string;
    readonly values: readonly unknown[];
  };
}
