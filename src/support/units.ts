import { DualstackError } from "./errors.js";
import { cleanText } from "./text.js";

/** The largest amount that the EVM can represent. */
const MOST = 2n ** 256n - 1n;

/**
 * Base units as whole tokens, exact, without trailing zeros.
 *
 * @param amount in base units
 * @example formatUnits(1500000000000000000n, 18) // "1.5"
 */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount)
    .toString()
    .padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${negative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * An amount that a person wrote, in base units: whole tokens by default
 * (`1.5`), base units if it ends with the base denomination, `base` or `wei`
 * (`15base`). A symbol after whole tokens (`1.5 TOKEN`) is accepted.
 *
 * @throws DualstackError for anything else, for negative amounts, for more
 * digits after the point than the token has decimals, and for more than the
 * 256 bits of an amount in the EVM
 */
export function parseAmount(
  text: string,
  currency: {
    readonly symbol: string;
    readonly decimals: number;
    readonly baseDenom: string;
  },
): bigint {
  const match =
    /^\s*([0-9][0-9_]*)(?:\.([0-9]+))?\s*([A-Za-z][A-Za-z0-9/]*)?\s*$/.exec(
      text,
    );
  const fix = `Write whole tokens ("1.5") or base units ("1500${currency.baseDenom}").`;
  if (match === null) {
    throw new DualstackError(`"${text.slice(0, 60)}" is not an amount`, {
      fix,
    });
  }
  const [, whole = "", fraction = "", unit] = match;
  const digits = whole.replaceAll("_", "");
  if (
    unit !== undefined &&
    ["base", "wei", currency.baseDenom.toLowerCase()].includes(
      unit.toLowerCase(),
    )
  ) {
    if (fraction !== "") {
      throw new DualstackError(
        `"${text.trim()}" has a fraction of a base unit`,
        { fix },
      );
    }
    return within(BigInt(digits), text);
  }
  if (
    unit !== undefined &&
    unit.toLowerCase() !== currency.symbol.toLowerCase()
  ) {
    if (/^e\d+$/i.test(unit)) {
      throw new DualstackError(
        `"${text.trim()}" is not an amount: exponents are not supported`,
        { fix },
      );
    }
    throw new DualstackError(
      `the unit "${unit}" is neither ${currency.symbol} nor ${currency.baseDenom}`,
      { fix },
    );
  }
  if (fraction.length > currency.decimals) {
    throw new DualstackError(
      `"${text.trim()}" has ${fraction.length} digits after the point, but ${currency.symbol} has ${currency.decimals} decimals`,
      { fix },
    );
  }
  return within(BigInt(digits + fraction.padEnd(currency.decimals, "0")), text);
}

function within(amount: bigint, text: string): bigint {
  if (amount > MOST) {
    throw new DualstackError(
      `"${cleanText(text, 60)}" is more than any account can have: amounts have 256 bits, in base units`,
      { fix: "Write a smaller one." },
    );
  }
  return amount;
}
