// Reads amounts and rates of the configuration and of tests.

import { DualstackError } from "../../support/errors.js";

const ONE = 10n ** 18n;
const DECIMALS = 18;

function scaled(text: string): bigint | undefined {
  const match = /^\s*(\d[\d_]*)(?:\.(\d{1,18}))?\s*$/.exec(text);
  if (match === null) return undefined;
  const [, whole = "", fraction = ""] = match;
  return (
    BigInt(whole.replaceAll("_", "")) * ONE +
    BigInt(fraction.padEnd(DECIMALS, "0"))
  );
}

/** What is wrong with an amount: whole tokens as a text, base units as a bigint. */
export function amountText(value: string | bigint): string | undefined {
  if (typeof value === "bigint") {
    return value < 0n ? "must not be negative" : undefined;
  }
  if (/^\s*-/.test(value)) return "must not be negative";
  return scaled(value) === undefined
    ? 'must be whole tokens as a string ("1.5", at most 18 digits after the point) or base units as a bigint'
    : undefined;
}

/** Base units of a checked amount. */
export function toAmount(value: string | bigint): bigint {
  const wrong = amountText(value);
  const amount = typeof value === "bigint" ? value : scaled(value);
  if (wrong !== undefined || amount === undefined)
    throw new DualstackError(`the amount ${wrong ?? "is wrong"}`);
  return amount;
}

// Numbers are taken as they are written: 1e-7 has no exact decimal in scaled().
const decimal = (value: string | number) =>
  typeof value === "number"
    ? value.toFixed(DECIMALS).replace(/\.?0+$/, "")
    : value;

const written = (value: string | number) =>
  typeof value === "number" && /e/.test(String(value))
    ? decimal(value)
    : String(value);

/** What is wrong with a rate: 0.1 is 10 %. */
export function rateText(
  value: string | number,
  max: number,
): string | undefined {
  const text = written(value);
  if (/^\s*-/.test(text)) return "must not be negative";
  const amount = scaled(text);
  if (amount === undefined)
    return 'must be a number or a decimal string such as "0.1" for 10 %';
  return amount > BigInt(max) * ONE ? `must be at most ${max}` : undefined;
}

/** A checked rate; 10^18 is 100 %. */
export function toRate(value: string | number): bigint {
  const amount = scaled(written(value));
  if (amount === undefined)
    throw new DualstackError(
      `"${String(value).slice(0, 40)}" is not a decimal number`,
    );
  return amount;
}

/** Whether a text is 32 bytes in base64. */
export const isKey = (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text);
