import { DualstackError, type ErrorDetails } from "../support/errors.js";

/** What became of an exchange that brought no JSON-RPC answer. */
export type TransportFault =
  /** No connection stood: the node cannot have received anything. */
  | "unreachable"
  /** The answer was lost, or was no JSON-RPC: the node may have acted. */
  | "lost"
  /** The node refused for now; it did not act. */
  | "busy"
  /** The node refused, and will again; it did not act. */
  | "refused";

/** A request that got no JSON-RPC answer. */
export class TransportError extends DualstackError {
  readonly fault: TransportFault;

  constructor(fault: TransportFault, what: string, details: ErrorDetails = {}) {
    super(what, details);
    this.name = "TransportError";
    this.fault = fault;
  }
}

/** What answered is no node, or the answer is none of its own; who gave it may be seen by looking again. */
export class ForeignAnswer extends TransportError {
  constructor(what: string, details: ErrorDetails = {}) {
    super("lost", what, details);
  }
}

/** The transport error behind an error, whichever entry of this package wrapped it. */
export function transportErrorOf(error: unknown): TransportError | undefined {
  const behind = error instanceof Error ? error.cause : undefined;
  return [error, behind].find((e) => e instanceof TransportError);
}
