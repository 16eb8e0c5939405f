import { distributionAbi } from "../precompiles/abi/distribution.js";
import { stakingAbi } from "../precompiles/abi/staking.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import { selectorOf, topicOf } from "../precompiles/selector.js";

/**
 * Gas that an estimate lacks for each validator whose rewards a call settles.
 *
 * The node estimates on the end state of a block. If the same delegation was
 * touched in that block its rewards are zero there, but not in the block that
 * will hold the transaction: one more payment for each validator, measured at
 * 20,781 to 20,784 gas on a real node, plus what the payment itself costs to
 * meter.
 */
export const REWARD_PAYOUT_GAS = 22_300n;

/** Roughly what claiming from one validator costs, to tell how many a claim reaches. */
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

/** How many validators' rewards a direct call of a precompile settles; 0 for any other call. */
export function settledRewards(
  call: { readonly to?: string; readonly data?: string },
  estimate: bigint,
  addresses: Pick<PrecompileAddresses, "staking" | "distribution">,
): bigint {
  const to = call.to?.toLowerCase();
  const data = call.data ?? "0x";
  const counts =
    to === addresses.staking.toLowerCase()
      ? STAKING_COUNTS
      : to === addresses.distribution.toLowerCase()
        ? DISTRIBUTION_COUNTS
        : undefined;
  return counts?.get(data.slice(0, 10).toLowerCase())?.(data, estimate) ?? 0n;
}

const SETTLING_EVENTS: ReadonlyMap<string, bigint> = new Map(
  [...stakingAbi, ...distributionAbi].flatMap((entry): [string, bigint][] => {
    if (entry.type !== "event") {
      return [];
    }
    switch (entry.name) {
      case "Delegate":
      case "Unbond":
      case "CancelUnbondingDelegation":
      case "WithdrawDelegatorReward":
      case "ClaimRewards":
        return [[topicOf(entry), 1n]];
      case "Redelegate":
        return [[topicOf(entry), 2n]];
      default:
        return [];
    }
  }),
);

/** How many validators' rewards the transaction behind these logs settled, as far as logs tell. */
export function settledByLogs(
  logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
  }[],
  addresses: Pick<PrecompileAddresses, "staking" | "distribution">,
): bigint {
  const ours = [
    addresses.staking.toLowerCase(),
    addresses.distribution.toLowerCase(),
  ];
  return logs
    .filter((log) => ours.includes(log.address.toLowerCase()))
    .reduce(
      (sum, log) => sum + (SETTLING_EVENTS.get(log.topics[0] ?? "") ?? 0n),
      0n,
    );
}
