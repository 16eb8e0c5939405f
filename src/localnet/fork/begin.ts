// When a fork's first block is the chain's own next one: what that begins with.

import type { NextBlock } from "../../live-state/next-block.js";
import type { LiveBase, LiveValidator } from "../../live-state/state.js";

/** What the chain's next block begins with. */
export type BlockBegin = NextBlock;

const ONE = 10n ** 18n;
const HALF = ONE / 2n;

/** The distribution module's tokens after the block's begin. */
export const fundsAfter = (
  funds: bigint,
  { minted, fees }: BlockBegin,
): bigint => funds + minted + fees;

/**
 * The state after a block's begin: what it mints and the fees of the block
 * before are shared out among the validators by their power, as the
 * framework's distribution module does it, to the last of 18 places. Rewards
 * by time there are none: {@link LiveBase.yearlyRewards} is 0.
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
  };
}

/** A product of two numbers of 18 places; halves are rounded to even ones. */
function rounded(product: bigint): bigint {
  const whole = product / ONE;
  const rest = product % ONE;
  const up = rest > HALF || (rest === HALF && whole % 2n === 1n);
  return up ? whole + 1n : whole;
}
