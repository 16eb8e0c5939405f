import type { AtBlock } from "./at-block.js";

/** What the functions that read parts of the state share. */
export interface ReadContext {
  readonly at: AtBlock;
  /** Hash of the fork's block. */
  readonly hash: string;
  /** Bech32 prefix of account addresses. */
  readonly prefix: string;
  /**
   * Requests a path of the REST endpoint at the same block; the answer is
   * `undefined` if that fails.
   */
  readonly rest?: (path: string) => Promise<unknown>;
}
