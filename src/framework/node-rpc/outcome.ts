import { HttpError } from "../../support/http.js";
import { FrameworkError } from "../errors.js";

/** Whether a failure says that nothing can have reached the node. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof HttpError && error.fault === "unreachable";

/** Whether the node may have acted all the same: neither it nor the way to it said no. */
export const isLost = (error: unknown): error is FrameworkError =>
  error instanceof FrameworkError && error.fault === "unknown";

/**
 * Whether an answer is missing, or is somebody else's in the node's name: a
 * gateway's page, a proxy's error.
 */
export const isNotOfTheNode = (error: unknown): boolean =>
  error instanceof HttpError ||
  (error instanceof FrameworkError && error.fault === "malformed");
