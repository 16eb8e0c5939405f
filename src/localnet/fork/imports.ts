// Turns state that was read from the chain into the calls that import it.

import { consensusOf } from "../../live-state/slashing.js";
import type {
  Hex,
  LiveAccount,
  LiveBase,
  LiveSlashing,
  LiveValidator,
} from "../../live-state/state.js";
import { BONDED } from "../../live-state/statuses.js";
import { UnreadError } from "../../live-state/unreadable.js";
import { POWER_DELAY } from "../../live-state/next-block.js";
import type { LocalnetSettings } from "../settings/settings.js";
import type { ImportCall } from "./importer.js";

const ONE = 10n ** 18n;

/**
 * First ID of the fork's unbonding entries where the chain's last ID is
 * unknown, high enough to collide with none of the chain's own.
 */
const IDS_OF_THE_FORK = 2n ** 30n;

/** Replaces parameters that cannot be read. */
export interface Instead {
  readonly settings: LocalnetSettings;
  /** Which of the settings the user configured. */
  readonly given: {
    readonly unbondingTime: boolean;
    readonly rewardRate: boolean;
  };
}

/**
 * Returns the calls that import parameters, validators and pools.
 *
 * @param funds balance of the distribution module's account, in base units
 * @throws UnreadError when the reward rate is unknown, or the rewards do not
 * match `funds`
 */
export function baseImport(
  base: LiveBase,
  funds: bigint,
  { settings, given }: Instead,
): ImportCall[] {
  const { staking, validators } = base;
  const { communityPool, outstanding } = balancedRewards(base, funds);
  const fees = feesOf(base);
  return [
    {
      module: "staking",
      method: "importStaking",
      args: [
        {
          // 0 until an unbonding begins: see LiveBooks.
          unbondingTime:
            staking.unbondingTime ??
            (given.unbondingTime ? settings.unbondingTime : 0n),
          maxValidators: staking.maxValidators ?? fullSet(base, settings),
          maxEntries: staking.maxEntries ?? settings.maxEntries,
          lastUnbondingId: staking.lastUnbondingId ?? IDS_OF_THE_FORK,
        },
        validators.map((validator) => ({
          ...validator,
          ...(validator.limits ?? {
            maxRate: validator.rate,
            maxChangeRate: 0n,
            commissionTime: base.time,
          }),
        })),
      ],
    },
    {
      module: "distribution",
      method: "importDistribution",
      args: [
        {
          // What the configuration says is left after a tax.
          ...(given.rewardRate
            ? { rewardRate: settings.rewardRate, communityTax: 0n }
            : { rewardRate: rateOf(base, fees), communityTax: base.tax }),
          time: base.time,
          height: base.height,
        },
        communityPool,
        validators.map(({ operator, rewards }, index) => ({
          operator,
          ...rewards,
          outstanding: outstanding[index],
          fees: fees[index],
        })),
      ],
    },
    {
      module: "governance",
      method: "importGovernance",
      args: [{ ...base.governance, ignoreUnknownMessages: true }],
    },
  ];
}

/**
 * Infers the maximum number of validators. The set is full if an eligible
 * validator is not bonded; otherwise its size is unknown, and the configured
 * one is taken.
 */
function fullSet({ validators }: LiveBase, settings: LocalnetSettings): bigint {
  const waits = ({ jailed, status, tokens }: LiveValidator) =>
    !jailed && status !== BONDED && tokens >= ONE;
  const bonded = BigInt(
    validators.filter(({ status }) => status === BONDED).length,
  );
  if (validators.some(waits)) return bonded;
  return settings.maxValidators > bonded ? settings.maxValidators : bonded;
}

/**
 * Splits the fees that the chain's last block paid among the validators, by
 * their power: the next block distributes them. In base units.
 */
function feesOf({ validators, fees, height }: LiveBase): bigint[] {
  // A validator that has just left the set still signed the last block.
  const signed = ({ status, unbondingHeight }: LiveValidator) =>
    status === BONDED || unbondingHeight + POWER_DELAY > height;
  const powers = validators.map((one) => (signed(one) ? one.tokens / ONE : 0n));
  const total = powers.reduce((sum, power) => sum + power, 0n);
  if (total === 0n) return validators.map(() => 0n);
  const shares = powers.map((power) => (fees * power) / total);
  const rest = fees - shares.reduce((sum, share) => sum + share, 0n);
  const first = powers.findIndex((power) => power > 0n);
  return shares.map((share, index) => (index === first ? share + rest : share));
}

/** Infers the yearly reward rate, scaled by 10^18. */
function rateOf(
  { yearlyRewards, validators, height }: LiveBase,
  fees: readonly bigint[],
): bigint {
  if (yearlyRewards === undefined) {
    throw new UnreadError(
      `what validators earn cannot be measured at block ${height}: the blocks before it cannot be read`,
      {
        fix: "Configure the network's node RPC (nodeRpcUrl), or set dualstack.localnet.rewardRate.",
      },
    );
  }
  const bonded = validators.reduce(
    (sum, { status, tokens }) => (status === BONDED ? sum + tokens : sum),
    0n,
  );
  const rate = bonded === 0n ? 0n : (yearlyRewards * ONE) / bonded;
  // Without any rewards of time nothing would be settled.
  return rate === 0n && fees.some((share) => share > 0n) ? 1n : rate;
}

/**
 * Returns the amounts of the distribution module, adjusted so that they add up
 * to its account's balance.
 */
function balancedRewards(
  { communityPool, validators, exact, height }: LiveBase,
  funds: bigint,
): { communityPool: bigint; outstanding: readonly bigint[] } {
  const outstanding = validators.map(({ rewards }) => rewards.outstanding);
  const booked = outstanding.reduce((sum, one) => sum + one, communityPool);
  // Views truncate every amount to whole base units.
  const rest = funds * ONE - booked;
  // An amount of 0 was not truncated.
  const cut = outstanding.filter((amount) => amount > 0n).length;
  const places = BigInt(cut + 1);
  const agrees = exact
    ? rest <= 0n && rest > -ONE
    : rest >= 0n && rest < places * ONE;
  if (!agrees) {
    throw new UnreadError(
      `the rewards that were read at block ${height} are not what the distribution module's account has`,
      {
        fix: "Nodes behind a balancer may disagree: fork again, or from one node.",
      },
    );
  }
  if (exact) return { communityPool, outstanding };
  const share = rest / places;
  return {
    communityPool: communityPool + rest - share * (places - 1n),
    outstanding: outstanding.map((amount) =>
      amount > 0n ? amount + share : amount,
    ),
  };
}

/**
 * Returns the call that imports the slashing module. From the fork on every
 * bonded validator signs all blocks; what it missed before stays as it was.
 */
export function slashingImport(
  { params, signers }: LiveSlashing,
  { validators, height }: LiveBase,
): ImportCall {
  const byConsensus = new Map(
    validators.map((one) => [consensusOf(one.pubkey), one]),
  );
  // Of a validator that left the set, two more blocks are counted.
  const lastOf = (validator: LiveValidator | undefined) => {
    if (validator?.status === BONDED) return 0n;
    const last = (validator?.unbondingHeight ?? 0n) + POWER_DELAY;
    return last > height ? last : height;
  };
  return {
    module: "staking",
    method: "importSlashing",
    args: [
      params,
      signers.map(({ consensus, startHeight, ...signer }) => {
        // The first one that counts is the third after it was bonded.
        const first = startHeight === 0n ? 0n : startHeight + POWER_DELAY + 1n;
        return {
          ...signer,
          consensus,
          startHeight,
          firstCounted: first > height ? first : height + 1n,
          lastCounted: lastOf(byConsensus.get(consensus)),
        };
      }),
    ],
  };
}

/** Returns the call that imports how much there is of the native coin. */
export const supplyImport = (supply: bigint): ImportCall => ({
  module: "staking",
  method: "importSupply",
  args: [supply],
});

/**
 * Returns the calls that import an account's delegations, unbonding,
 * redelegations and withdraw address.
 *
 * @throws UnreadError when a delegation has neither its start nor its rewards
 */
export function accountImport(
  account: LiveAccount,
  { validators }: LiveBase,
): ImportCall[] {
  const byOperator = new Map(validators.map((one) => [one.operator, one]));
  const known = ({ operator }: { readonly operator: Hex }) =>
    byOperator.has(operator);
  const delegations = account.delegations.filter(known);
  const unbonding = [...account.unbonding]
    .map(([operator, entries]) => ({ operator, entries }))
    .filter((one) => known(one) && one.entries.length > 0);
  const moving = account.redelegations ?? [];
  const redirected = account.withdrawAddress !== account.address;
  const calls: ImportCall[] = [];
  if (delegations.length + unbonding.length + moving.length > 0) {
    calls.push({
      module: "staking",
      method: "importDelegator",
      args: [
        account.address,
        delegations,
        unbonding.map(({ operator, entries }) => ({
          operator,
          entries: entries.map((entry) => ({
            ...entry,
            unbondingOnHoldRefCount: 0n,
          })),
        })),
        moving,
      ],
    });
  }
  if (delegations.length > 0 || redirected) {
    calls.push({
      module: "distribution",
      method: "importDelegator",
      args: [
        account.address,
        redirected,
        account.withdrawAddress,
        delegations.map((delegation) =>
          startOf(delegation, byOperator.get(delegation.operator)),
        ),
      ],
    });
  }
  return calls;
}

function startOf(
  { operator, shares, start, rewards }: LiveAccount["delegations"][number],
  validator: LiveValidator | undefined,
) {
  if (start !== undefined) return { operator, shares, ...start, carried: 0n };
  if (validator === undefined || rewards === undefined) {
    throw new UnreadError("a delegation was read without its rewards", {
      address: operator,
    });
  }
  // The delegation starts anew at the fork with its present value; height 0 is
  // before every block.
  return {
    operator,
    shares,
    ratio: validator.rewards.ratio,
    period: validator.rewards.period - 1n,
    height: 0n,
    stake: worth(shares, validator),
    carried: rewards,
  };
}

const worth = (shares: bigint, { tokens, shares: all }: LiveValidator) =>
  all === tokens * ONE || all === 0n ? shares : (shares * tokens * ONE) / all;
