// Parses the amounts and rates that the configuration and tests give.

import { DualstackError } from "../../support/errors.js";

const ONE = 10n ** 18n;
const DECIMALS = 18;
/** What the books can count, as StakingStore.MOST_TOKENS. */
const MOST = 2n ** 104n - 1n;
const TOO_MUCH = `must be at most ${MOST / ONE} tokens, the most that a local chain can count`;

function scaled(text: string): bigint | undefined {
  const match = /^\s*(\d[\d_]*)(?:\.(\d{1,18}))?\s*$/.exec(text);
  if (match === null) return undefined;
  const [, whole = "", fraction = ""] = match;
  return (
    BigInt(whole.replaceAll("_", "")) * ONE +
    BigInt(fraction.padEnd(DECIMALS, "0"))
  );
}

/** How an amount is written; the end of an error message. */
export const AMOUNT_FORMS =
  'must be whole tokens as a string ("1.5", at most 18 digits after the point) or base units as a bigint';

/** How a rate is written; the end of an error message. */
export const RATE_FORMS =
  'must be a number or a decimal string such as "0.1" for 10 %';

/**
 * Checks an amount: whole tokens as a string, or base units as a bigint.
 *
 * @returns the end of an error message, or `undefined` if the amount is valid
 */
export function amountText(value: string | bigint): string | undefined {
  const isNegative =
    typeof value === "bigint" ? value < 0n : /^\s*-/.test(value);
  if (isNegative) return "must not be negative";
  const amount = typeof value === "bigint" ? value : scaled(value);
  if (amount === undefined) return AMOUNT_FORMS;
  return amount > MOST ? TOO_MUCH : undefined;
}

/**
 * Converts an amount to base units.
 *
 * @throws DualstackError if {@link amountText} rejects it
 */
export function toAmount(value: string | bigint): bigint {
  const wrong = amountText(value);
  const amount = typeof value === "bigint" ? value : scaled(value);
  if (wrong !== undefined || amount === undefined)
    throw new DualstackError(`the amount ${wrong ?? "is wrong"}`);
  return amount;
}

// scaled() does not parse exponents: 1e-7 becomes 0.0000001 first.
const decimal = (value: string | number) =>
  typeof value === "number"
    ? value.toFixed(DECIMALS).replace(/\.?0+$/, "")
    : value;

const written = (value: string | number) =>
  typeof value === "number" && /e/.test(String(value))
    ? decimal(value)
    : String(value);

/**
 * Checks a rate between 0 and `max`; 0.1 is 10 %.
 *
 * @returns the end of an error message, or `undefined` if the rate is valid
 */
export function rateText(
  value: string | number,
  max: number,
): string | undefined {
  const text = written(value);
  if (/^\s*-/.test(text)) return "must not be negative";
  const amount = scaled(text);
  if (amount === undefined) return RATE_FORMS;
  return amount > BigInt(max) * ONE ? `must be at most ${max}` : undefined;
}

/**
 * Scales a rate by 10^18.
 *
 * @throws DualstackError if it is no decimal number; the range is not checked
 */
export function toRate(value: string | number): bigint {
  const amount = scaled(written(value));
  if (amount === undefined)
    throw new DualstackError(
      `"${String(value).slice(0, 40)}" is not a decimal number`,
    );
  return amount;
}

/** Returns whether a string is 32 bytes in base64. */
export const isKey = (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text);
