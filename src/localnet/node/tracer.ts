// The interface of a tracer that a node may offer besides its default one.

import type {
  CallRequest,
  MinedTransaction,
  StateChanges,
} from "../request/calls.js";
import type { Step } from "./struct-logs.js";
import type { Called, Frame } from "../foresight/trace.js";

/** Traces that a simulated network offers besides `debug_traceCall`. */
export interface Tracer {
  /**
   * Traces a call's frames with their logs; the outermost frame tells whether
   * the call failed.
   */
  frames(call: CallRequest, block: unknown): Promise<Frame>;
  /**
   * Lists all calls that a call makes, including itself, at much less cost than
   * frames; `undefined` where that is not possible.
   */
  calls(
    call: CallRequest,
    block: unknown,
  ): Promise<readonly Called[] | undefined>;
  /**
   * Runs a request for a call to `to` and lists all calls that it makes. Calls
   * of other requests that run meanwhile may be among them.
   *
   * @param isInVain whether the run will not count if it calls an account; what
   * it logs is not shown then
   */
  callsDuring(
    to: string,
    request: () => Promise<unknown>,
    isInVain?: (account: string) => boolean,
  ): Promise<readonly Called[] | undefined>;
  /**
   * Returns what a successful call would change. Of the caller it has at most
   * the balance, and only if `withCaller` is set.
   */
  changes(
    call: CallRequest,
    block: unknown,
    withCaller: boolean,
  ): Promise<StateChanges>;
  /** Traces every instruction of a call. */
  steps(call: CallRequest, block: unknown): Promise<readonly Step[]>;
  /** Traces the frames of a mined transaction. */
  framesOf(transaction: MinedTransaction): Promise<Frame>;
  /** Traces every instruction of a mined transaction. */
  stepsOf(transaction: MinedTransaction): Promise<readonly Step[]>;
}
