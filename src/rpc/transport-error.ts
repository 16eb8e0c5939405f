import { DualstackError, type ErrorDetails } from "../support/errors.js";

/** What happened to a request without a JSON-RPC answer. */
export type TransportFault =
  /** No connection was made: the node cannot have received anything. */
  | "unreachable"
  /** The answer was lost, or was not JSON-RPC: the node may have acted. */
  | "lost"
  /** The node refused for now; it did not act. */
  | "busy"
  /** The node refused, and will do so again; it did not act. */
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

/** The answer did not come from a node, or not from this one; asking again may show from whom. */
export class ForeignAnswer extends TransportError {
  constructor(what: string, details: ErrorDetails = {}) {
    super("lost", what, details);
  }
}

/** The transport error behind an error, whichever copy of this package wrapped it. */
export function transportErrorOf(error: unknown): TransportError | undefined {
  const behind = error instanceof Error ? error.cause : undefined;
  return [error, behind].find((e) => e instanceof TransportError);
}
