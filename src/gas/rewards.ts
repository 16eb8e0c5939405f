import { distributionAbi } from "../precompiles/distribution/abi.js";
import { stakingAbi } from "../precompiles/staking/abi.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import { selectorOf, topicOf } from "../precompiles/selector.js";

/**
 * Gas that an estimate lacks for each validator whose rewards a call settles.
 *
 * The node estimates on the state at the end of a block. If the same delegation
 * was touched in that block, its rewards are zero there, but not in the block
 * that will hold the transaction: one more payment for each validator, measured
 * at 20,781 to 20,784 gas on a real node, plus the gas of metering the payment.
 */
export const REWARD_PAYOUT_GAS = 22_300n;

/**
 * Less gas than any contract call needs that settles a validator's rewards: the
 * cheapest, a withdrawal that pays nothing, was measured at 81,000, of which
 * 21,000 are for the transaction itself.
 */
export const MIN_SETTLING_GAS = 70_000n;

/**
 * The approximate gas of claiming from one validator, from which the number of
 * validators follows.
 */
const CLAIM_GAS_PER_VALIDATOR = 50_000n;

type MethodName = Extract<
  (typeof stakingAbi)[number] | (typeof distributionAbi)[number],
  { readonly type: "function" }
>["name"];

/** How many validators' rewards a call settles. */
type Count = (data: string, estimate: bigint) => bigint;

const one: Count = () => 1n;

const STAKING: { readonly [name in MethodName]?: Count } = {
  delegate: one,
  undelegate: one,
  cancelUnbondingDelegation: one,
  redelegate: () => 2n,
};

const DISTRIBUTION: { readonly [name in MethodName]?: Count } = {
  withdrawDelegatorRewards: one,
  claimRewards: (data, estimate) => {
    // claimRewards(address, uint32 maxRetrieve)
    const maxRetrieve =
      data.length >= 2 + 8 + 128
        ? BigInt(`0x${data.slice(2 + 8 + 64, 2 + 8 + 128)}`)
        : 0n;
    const reached = estimate / CLAIM_GAS_PER_VALIDATOR;
    const most = reached > 1n ? reached : 1n;
    return maxRetrieve < most ? maxRetrieve : most;
  },
};

function bySelector(
  abi: typeof stakingAbi | typeof distributionAbi,
  counts: { readonly [name in MethodName]?: Count },
): ReadonlyMap<string, Count> {
  const map = new Map<string, Count>();
  for (const entry of abi) {
    const count = entry.type === "function" ? counts[entry.name] : undefined;
    if (count !== undefined) {
      map.set(selectorOf(entry), count);
    }
  }
  return map;
}

const STAKING_COUNTS = bySelector(stakingAbi, STAKING);
const DISTRIBUTION_COUNTS = bySelector(distributionAbi, DISTRIBUTION);

interface Call {
  readonly to?: string;
  readonly data?: string;
}

type Addresses = Pick<PrecompileAddresses, "staking" | "distribution">;

/** How many validators' rewards a direct call of a precompile settles; 0 for any other call. */
export const settledRewards = (
  call: Call,
  estimate: bigint,
  addresses: Addresses,
): bigint => countOf(call, addresses)?.(call.data ?? "0x", estimate) ?? 0n;

/** Whether a call of a precompile settles rewards. */
export const isSettlingCall = (call: Call, addresses: Addresses): boolean =>
  countOf(call, addresses) !== undefined;

function countOf(
  { to: callee, data = "0x" }: Call,
  addresses: Addresses,
): Count | undefined {
  const to = callee?.toLowerCase();
  const counts =
    to === addresses.staking.toLowerCase()
      ? STAKING_COUNTS
      : to === addresses.distribution.toLowerCase()
        ? DISTRIBUTION_COUNTS
        : undefined;
  return counts?.get(data.slice(0, 10).toLowerCase());
}

/**
 * Topics of the events of calls that settle rewards, and whether the delegator
 * may have one more validator afterwards.
 */
export const SETTLING_EVENTS: ReadonlyMap<string, boolean> = new Map(
  [...stakingAbi, ...distributionAbi].flatMap((entry): [string, boolean][] => {
    if (entry.type !== "event") {
      return [];
    }
    switch (entry.name) {
      case "Delegate":
      case "Redelegate":
      case "CancelUnbondingDelegation":
        return [[topicOf(entry), true]];
      case "Unbond":
      case "WithdrawDelegatorReward":
      case "ClaimRewards":
        return [[topicOf(entry), false]];
      default:
        return [];
    }
  }),
);
