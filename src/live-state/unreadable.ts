import { HttpError } from "../support/http.js";
import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { errorText } from "../support/text.js";

/**
 * Thrown when a part of a chain's state cannot be read; no default replaces it.
 */
export class UnreadError extends DualstackError {}

/** Thrown when the node's block at the fork's height is not the fork's. */
export class OtherBlockError extends UnreadError {}

const PRUNED =
  /prun|version \S* ?(?:mismatch|does not exist)|does not exist at height|failed to load state|missing trie node|header not found|lowest height|not available/i;
const AHEAD = /height in the future|must be less than or equal|future block/i;
const UNKNOWN_METHOD =
  /method \S* ?(?:does not exist|not found|is not available)/i;

/**
 * Returns the error for a failed read, with the cause and a fix as far as
 * known.
 */
export function unreadable(
  what: string,
  height: bigint,
  cause: unknown,
  place: ErrorPlace = {},
): UnreadError {
  const text = errorText(cause ?? "it did not answer");
  const read = `${what} cannot be read at block ${height}`;
  const because = (why: string, fix: string) =>
    new UnreadError(`${read}: ${why}`, { ...place, fix, cause });
  if (cause instanceof HttpError && cause.fault === "busy") {
    return because(
      "the node takes no more requests for now",
      "Wait, or fork from a node with a higher limit.",
    );
  }
  if (/no such precompile/.test(text)) {
    return because(
      "there is no precompile at its address",
      "Check dualstack.precompiles and the fork's URL.",
    );
  }
  if (AHEAD.test(text)) {
    return because(
      "the node has no such block yet",
      "It lags behind the one that the fork began from, as behind a load balancer: pin an older block with forking.blockNumber.",
    );
  }
  if (PRUNED.test(text)) {
    return because(
      "the node no longer has that block's state",
      "Fork a newer block, or from a node that keeps the state (an archive node).",
    );
  }
  if (UNKNOWN_METHOD.test(text)) {
    return because(
      "the node does not offer that method",
      "Fork from a node that answers eth_call at past blocks.",
    );
  }
  return because(text, "Fork from a node that answers it.");
}
