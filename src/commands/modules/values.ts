import type { ChainFacts } from "../../chain/index.js";
import type {
  AddressForms,
  Coin,
  DecCoin,
  Validator,
} from "../../framework/query/answers.js";
import { cleanText } from "../../support/text.js";
import { isoTime } from "../../support/time.js";
import { formatUnits } from "../../support/units.js";
import { type Money, money, nativeMoney, tokens } from "../shared/money.js";

/** How commands format the modules' values. */

export const ONE = 10n ** 18n;
const MAX_NAME = 70;

/** A coin of any denomination; an unknown one is counted in base units. */
export function coinMoney({ denom, amount }: Coin, facts: ChainFacts): Money {
  if (denom === facts.baseDenom) {
    return nativeMoney(amount, facts);
  }
  const { stableToken } = facts;
  return money(
    amount,
    stableToken?.denom === denom
      ? stableToken
      : { symbol: cleanText(denom, 128), decimals: 0 },
  );
}

/** Rewards in whole base units; fractions below one are never paid out. */
export const rewardMoney = (
  coins: readonly DecCoin[],
  facts: ChainFacts,
): Money[] =>
  coins
    .map(({ denom, amount }) =>
      coinMoney({ denom, amount: amount / ONE }, facts),
    )
    .filter(({ baseUnits }) => baseUnits > 0n);

/** A time as ISO 8601 in UTC, to the second. */
export function instant(seconds: bigint | null): string | undefined {
  // Later years need more digits, and no chain means them.
  return seconds === null || seconds <= 0n || seconds > 253_402_300_799n
    ? undefined
    : isoTime(seconds);
}

/** @example percent(10n ** 17n) // "10" */
export const percent = (rate: bigint): string => formatUnits(rate, 16);

/** `part` of `whole` in percent, rounded to two digits. */
export const shareOf = (part: bigint, whole: bigint): string =>
  whole === 0n ? "0" : formatUnits((part * 20_000n + whole) / (whole * 2n), 2);

/** A validator as reports name it. */
export interface ValidatorName {
  readonly moniker: string;
  readonly valoper: string;
  /** The operator as 0x…. */
  readonly operator: string;
}

export const nameOf = (
  { hex, valoper }: AddressForms,
  description?: Pick<Validator["description"], "moniker">,
): ValidatorName => ({
  moniker: cleanText(description?.moniker ?? "", MAX_NAME),
  valoper,
  operator: hex,
});

/** A validator for people; anybody can take any moniker, so the address is shown too. */
export const validatorText = ({ moniker, valoper }: ValidatorName): string =>
  moniker === "" ? valoper : `${moniker} (${valoper})`;

/** Amounts on one line, for sentences. */
export const moneyText = (amounts: readonly Money[]): string =>
  amounts.length === 0 ? "nothing" : amounts.map(tokens).join(", ");

/** Adds up coins of the same denomination, in the order in which they first occur. */
export function addedCoins(coins: readonly DecCoin[]): DecCoin[] {
  const sums = new Map<string, bigint>();
  for (const { denom, amount } of coins) {
    sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  }
  return [...sums].map(([denom, amount]) => ({ denom, amount }));
}

/** A ratio from the chain's decimal text. @example partOf("0.334") // 334_000_000_000_000_000n */
export function partOf(ratio: string): bigint {
  const [whole = "0", digits = ""] = ratio.split(".");
  return BigInt(whole) * ONE + BigInt(digits.padEnd(18, "0").slice(0, 18));
}

/** A ratio as a percentage. @example percentOf("0.334") // "33.4 %" */
export const percentOf = (ratio: string): string =>
  `${percent(partOf(ratio))} %`;
