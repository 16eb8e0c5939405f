import type { AtBlock } from "./at-block.js";

/** What reading a part of the state needs. */
export interface ReadContext {
  readonly at: AtBlock;
  /** Of the block, as the fork has it. */
  readonly hash: string;
  /** Of account addresses. */
  readonly prefix: string;
  /** A path of the REST endpoint at the same block; `undefined`: it does not answer it. */
  readonly rest?: (path: string) => Promise<unknown>;
}
