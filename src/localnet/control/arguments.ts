// Checks the numbers that tests give to the controls.

import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";

/** The year 5138: what lies beyond is in milliseconds, as `Date.now()` is. */
const LATEST = 100_000_000_000n;

/** Shows a value as it would be written, or names its type. */
function named(value: unknown): string {
  if (typeof value === "function") {
    return "a function";
  }
  if (typeof value === "object" && value !== null) {
    return "an object";
  }
  return cleanText(typeof value === "string" ? `"${value}"` : value, 40);
}

/** Plain JavaScript and values of type `any` bring more than the types allow. */
function wholeNumber(value: unknown, what: string): bigint {
  if (typeof value === "bigint") {
    return value;
  }
  if (
    (typeof value === "number" && Number.isInteger(value)) ||
    (typeof value === "string" && /^(?:0x[\da-f]+|\d+)$/i.test(value))
  ) {
    return BigInt(value);
  }
  throw new DualstackError(
    `${what} must be a whole number, but it is ${named(value)}`,
  );
}

/**
 * Reads a duration in seconds.
 *
 * @throws DualstackError if it is no whole number above 0
 */
export function toSeconds(value: number | bigint): bigint {
  const seconds = wholeNumber(value, "the number of seconds");
  if (seconds <= 0n) {
    throw new DualstackError(
      "time only goes forward: give a number of seconds above 0",
    );
  }
  return seconds;
}

/**
 * Reads a time in Unix seconds.
 *
 * @throws DualstackError if it is no whole number, or can only be milliseconds
 */
export function toTime(value: number | bigint): bigint {
  const time = wholeNumber(value, "the time in Unix seconds");
  if (time > LATEST) {
    throw new DualstackError(`the time ${time} is after the year 5000`, {
      fix: "Give seconds, not milliseconds.",
    });
  }
  return time;
}

/**
 * Reads the ID of a proposal.
 *
 * @throws DualstackError if it is no whole number
 */
export const toProposal = (value: number | bigint): bigint =>
  wholeNumber(value, "the proposal's ID");
