// What a node may offer beside its default tracer.

import type {
  CallRequest,
  MinedTransaction,
  StateChanges,
} from "../request/calls.js";
import type { Step } from "./struct-logs.js";
import type { Called, Frame } from "../foresight/trace.js";

/** A way to look inside a call that a simulated network offers beside `debug_traceCall`. */
export interface Tracer {
  /** The frames of a call with their events; a failure of the call itself is in its frame. */
  frames(call: CallRequest, block: unknown): Promise<Frame>;
  /**
   * All calls that a call makes, its own among them, for much less than its
   * frames; `undefined` where that cannot be told.
   */
  calls(
    call: CallRequest,
    block: unknown,
  ): Promise<readonly Called[] | undefined>;
  /**
   * All calls that a request for a call at an account makes, in the same way;
   * others' that run meanwhile may be among them.
   */
  callsDuring(
    to: string,
    request: () => Promise<unknown>,
  ): Promise<readonly Called[] | undefined>;
  /** What a successful call would change; of the caller only its balance, and that `withCaller`. */
  changes(
    call: CallRequest,
    block: unknown,
    withCaller: boolean,
  ): Promise<StateChanges>;
  /** Every instruction of a call. */
  steps(call: CallRequest, block: unknown): Promise<readonly Step[]>;
  /** The frames of a transaction that is in a block. */
  framesOf(transaction: MinedTransaction): Promise<Frame>;
  /** Every instruction of such a transaction. */
  stepsOf(transaction: MinedTransaction): Promise<readonly Step[]>;
}
