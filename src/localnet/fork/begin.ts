// Applies the begin of the chain's own next block, where a fork's first block
// is that block.

import type { NextBlock } from "../../live-state/next-block.js";
import type { LiveBase, LiveValidator } from "../../live-state/state.js";

/** What happens at the begin of the chain's next block. */
export type BlockBegin = NextBlock;

const ONE = 10n ** 18n;
const HALF = ONE / 2n;

/**
 * Returns the balance of the distribution module's account after the block's
 * begin, in base units.
 */
export const fundsAfter = (
  funds: bigint,
  { minted, fees }: BlockBegin,
): bigint => funds + minted + fees;

/**
 * Returns the state after a block's begin. The minted tokens and the fees of
 * the block before are allocated to the validators by voting power, with the
 * rounding of the Cosmos SDK's distribution module. Rewards do not accrue by
 * time here: {@link LiveBase.yearlyRewards} is 0.
 */
export function begun(base: LiveBase, begin: BlockBegin): LiveBase {
  const { minted, fees, tax, powers } = begin;
  const collected = (minted + fees) * ONE;
  const total = [...powers.values()].reduce((sum, power) => sum + power, 0n);
  const shared = (collected * (ONE - tax)) / ONE;
  let left = collected;
  const validators = base.validators.map((validator): LiveValidator => {
    const power = powers.get(validator.operator) ?? 0n;
    if (power === 0n || total === 0n) return validator;
    const reward = (shared * ((power * ONE) / total)) / ONE;
    left -= reward;
    const commission = rounded(reward * validator.rate);
    const { rewards } = validator;
    return {
      ...validator,
      rewards: {
        ...rewards,
        current: rewards.current + reward - commission,
        commission: rewards.commission + commission,
        outstanding: rewards.outstanding + reward,
      },
    };
  });
  return {
    ...base,
    validators,
    communityPool: base.communityPool + left,
    yearlyRewards: 0n,
    fees: 0n,
  };
}

/**
 * Rescales a product of two numbers with 18 decimals; a half is rounded to the
 * even neighbour.
 */
function rounded(product: bigint): bigint {
  const whole = product / ONE;
  const rest = product % ONE;
  const up = rest > HALF || (rest === HALF && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}
