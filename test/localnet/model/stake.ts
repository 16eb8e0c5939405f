import { ONE, quotient } from "./decimals.js";
import { Refused } from "./model.js";

/** How many unbondings or redelegations a delegation may have at a time. */
export const MOST_ENTRIES = 7;

export const NO_VALIDATOR = "validator does not exist";
export const NO_DELEGATION = "no delegation for (address, validator) tuple";

/** All tokens that were delegated to a validator, and their shares. */
export interface Stake {
  tokens: bigint;
  shares: bigint;
}

/** What some of the shares are worth, with 18 places. */
export const worthOf = ({ tokens, shares }: Stake, some: bigint) =>
  quotient(some * tokens, shares);

/** Shares cannot be bought where a slash left no tokens. */
export function requireRate({ tokens, shares }: Stake): void {
  if (tokens === 0n && shares > 0n)
    throw new Refused(
      "cannot delegate to validators with invalid (zero) ex-rate",
    );
}

/** Returns the shares that the amount buys. */
export function addTokens(stake: Stake, amount: bigint): bigint {
  requireRate(stake);
  const { tokens, shares } = stake;
  const added = shares === 0n ? amount * ONE : (shares * amount) / tokens;
  stake.tokens += amount;
  stake.shares += added;
  return added;
}

/** Returns the shares that an amount is, of a delegation's. */
export function sharesFor(
  { tokens, shares }: Stake,
  held: bigint,
  amount: bigint,
): bigint {
  if (tokens === 0n) throw new Refused("insufficient delegation shares");
  const some = (shares * amount) / tokens;
  if (some > held) throw new Refused("invalid shares amount: invalid request");
  return some;
}

/** Returns the tokens that go with shares: with the last ones all. */
export function removeShares(stake: Stake, some: bigint): bigint {
  const taken =
    some === stake.shares ? stake.tokens : worthOf(stake, some) / ONE;
  stake.tokens -= taken;
  stake.shares -= some;
  return taken;
}
