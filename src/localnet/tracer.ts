import type { CallRequest, MinedTransaction, StateChanges } from "./node.js";
import type { Step } from "./struct-logs.js";
import type { Frame } from "./trace.js";

/** A way to look inside a call that a simulated network offers beside `debug_traceCall`. */
export interface Tracer {
  /** The frames of a call with their events; a failure of the call itself is in its frame. */
  frames(call: CallRequest, block: unknown): Promise<Frame>;
  /** The same, or `undefined` where a quicker look shows that it creates nothing and calls nobody without code. */
  framesBeyondCode(
    call: CallRequest,
    block: unknown,
  ): Promise<Frame | undefined>;
  /** What a successful call would change, of all accounts but the caller. */
  changes(call: CallRequest, block: unknown): Promise<StateChanges>;
  /** Every instruction of a call. */
  steps(call: CallRequest, block: unknown): Promise<readonly Step[]>;
  /** The frames of a transaction that is in a block. */
  framesOf(transaction: MinedTransaction): Promise<Frame>;
  /** Every instruction of such a transaction. */
  stepsOf(transaction: MinedTransaction): Promise<readonly Step[]>;
}
