import type { ChainFacts, StableToken } from "../../chain/index.js";
import { DualstackError } from "../../support/errors.js";
import { formatUnits, parseAmount } from "../../support/units.js";

/** An exact amount of a token, in both units. */
export interface Money {
  readonly baseUnits: bigint;
  /** Whole tokens. */
  readonly tokens: string;
  readonly symbol: string;
}

/** Symbol and decimals of a token. */
export type Unit = Pick<StableToken, "symbol" | "decimals">;

/** @param baseUnits the amount in base units */
export const money = (
  baseUnits: bigint,
  { symbol, decimals }: Unit,
): Money => ({
  baseUnits,
  tokens: formatUnits(baseUnits, decimals),
  symbol,
});

/** @param baseUnits the amount in base units of the native token */
export const nativeMoney = (
  baseUnits: bigint,
  facts: Pick<ChainFacts, "currency">,
): Money => money(baseUnits, facts.currency);

/** An amount in whole tokens, as text. */
export const tokens = ({ tokens, symbol }: Money): string =>
  `${tokens} ${symbol}`;

/**
 * An amount of the native token as people write it: whole tokens, or base units
 * with their denomination.
 *
 * @returns base units
 * @throws DualstackError for any other text
 */
export const parseNative = (
  text: string,
  { currency, baseDenom }: ChainFacts,
): bigint =>
  parseAmount(text, {
    symbol: currency.symbol,
    decimals: currency.decimals,
    baseDenom,
  });

/**
 * Like `parseNative`.
 *
 * @throws DualstackError also for an amount of 0
 */
export function parseSomeNative(text: string, facts: ChainFacts): bigint {
  const amount = parseNative(text, facts);
  if (amount === 0n) {
    throw new DualstackError("the amount is 0", {
      fix: "Give an amount above 0.",
    });
  }
  return amount;
}
