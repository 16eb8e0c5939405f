import { HttpError } from "../../support/http.js";
import { FrameworkError } from "../errors.js";

/** Whether a failure means that nothing can have reached the node. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof HttpError && error.fault === "unreachable";

/**
 * Whether the node may have acted in spite of a failure: neither it nor the
 * connection to it refused.
 */
export const isLost = (error: unknown): error is FrameworkError =>
  error instanceof FrameworkError && error.fault === "unknown";

/**
 * Whether an answer is missing, or comes from something in front of the node: a
 * gateway's page, a proxy's error.
 */
export const isNotOfTheNode = (error: unknown): boolean =>
  error instanceof HttpError ||
  (error instanceof FrameworkError && error.fault === "malformed");
