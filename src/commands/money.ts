import type { ChainFacts, StableToken } from "../chain/index.js";
import { formatUnits } from "../support/units.js";

/** An amount of a token, exact, in both units. */
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
