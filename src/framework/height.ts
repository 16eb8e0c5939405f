import { cleanText } from "../support/text.js";
import { FrameworkError } from "./errors.js";

/**
 * Refuses anything that is not a block height. 0 means the newest block to some
 * endpoints, and the first one to others. @throws DualstackError
 */
export function checkHeight(height: bigint | undefined): void {
  if (
    height !== undefined &&
    (typeof height !== "bigint" ||
      height < 1n ||
      height > BigInt(Number.MAX_SAFE_INTEGER))
  ) {
    throw new FrameworkError(
      `${cleanText(String(height), 40)} is not a block height`,
      {
        fault: "invalid-request",
        fix: "Give a bigint from 1n on, or none for the newest block.",
      },
    );
  }
}
