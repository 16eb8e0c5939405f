/** 1 as a decimal of the chain: 18 places. */
export const ONE = 10n ** 18n;

/** Drops 18 places; halves are rounded to even numbers. */
function rounded(value: bigint): bigint {
  const [whole, rest] = [value / ONE, value % ONE];
  const up = rest * 2n > ONE || (rest * 2n === ONE && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}

/** Of decimals, as is {@link quotient}. */
export const product = (a: bigint, b: bigint) => rounded(a * b);

/** With 36 places at first, the rest cut, and rounded to 18, as on the chain. */
export const quotient = (a: bigint, b: bigint) => rounded((a * ONE * ONE) / b);
