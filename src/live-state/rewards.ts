import { type Fields, needed, type View } from "./at-block.js";
import type { ReadContext } from "./context.js";
import { allPages, firstPageOf } from "./pages.js";
import { parseAddress } from "../address/codec.js";
import type { Hex, LiveRewards, LiveSlash, LiveValidator } from "./state.js";
import {
  DISTRIBUTION_KEYS as KEYS,
  slashOf,
  STAKING_KEYS,
} from "./store-keys.js";
import { UnreadError } from "./unreadable.js";
import * as values from "./values.js";

const ONE = 10n ** 18n;
const LAST_HEIGHT = 2n ** 63n - 1n;
const NOTHING = new Uint8Array();

/** A validator's rewards and commission limits, which its view lacks. */
export interface Noted {
  readonly rewards: LiveRewards;
  readonly limits?: LiveValidator["limits"];
}

/** Reads the rewards of validators, in their order. @throws UnreadError */
export async function readRewards(
  context: ReadContext,
  operators: readonly Hex[],
  denom: string,
): Promise<Noted[]> {
  return context.at.hasStores
    ? await fromStores(context, operators, denom)
    : await fromViews(context, operators, denom);
}

/**
 * Reads rewards in whole base units. Views lack the periods' history, so that a
 * new period begins with the fork.
 */
async function fromViews(
  { at, prefix }: ReadContext,
  operators: readonly Hex[],
  denom: string,
): Promise<Noted[]> {
  const asked = operators.map((operator): [View, View, View] => {
    const { valoper } = parseAddress(operator, { prefix });
    const view = (method: string, ...more: bigint[]): View => ({
      precompile: "distribution",
      method,
      args: [valoper, ...more],
    });
    return [
      view("validatorCommission"),
      view("validatorOutstandingRewards"),
      view("validatorSlashes", 0n, LAST_HEIGHT),
    ];
  });
  const answers = await at.views(
    asked.flatMap(([commission, outstanding, slashes]) => [
      commission,
      outstanding,
      firstPageOf(slashes),
    ]),
  );
  return await Promise.all(
    asked.map(async ([, , view], index) => {
      const [commission, outstanding, first] = answers.slice(3 * index);
      const slashes = (await allPages(at, view, needed(first))).flatMap(
        slashesIn,
      );
      const last = slashes.at(-1)?.period ?? 0n;
      return {
        rewards: {
          period: last + 2n,
          ratio: 0n,
          current: 0n,
          commission: values.coin(
            needed(commission).commission,
            denom,
            values.wholeAmount,
          ),
          outstanding: ONE * values.coin(needed(outstanding).rewards, denom),
          slashes,
        },
      };
    }),
  );
}

const slashesIn = (page: Fields): LiveSlash[] =>
  values.list(page.slashes).map(({ validatorPeriod, fraction }) => ({
    height: 0n,
    period: values.count(validatorPeriod),
    fraction: values.rate(values.fields(fraction).value),
    ratio: 0n,
  }));

async function fromStores(
  { at }: ReadContext,
  operators: readonly Hex[],
  denom: string,
): Promise<Noted[]> {
  const [types, { Validator }] = await Promise.all([
    import("cosmjs-types/cosmos/distribution/v1beta1/distribution"),
    import("cosmjs-types/cosmos/staking/v1beta1/staking"),
  ]);
  const [noted, records, slashKeys] = await Promise.all([
    at.keys(
      "distribution",
      operators.flatMap((operator) => [
        KEYS.outstanding(operator),
        KEYS.current(operator),
        KEYS.commission(operator),
      ]),
    ),
    at.keys("staking", operators.map(STAKING_KEYS.validator)),
    Promise.all(
      operators.map(
        async (operator) =>
          await at.keysNow("distribution", KEYS.slashes(operator)),
      ),
    ),
  ]);
  const currents = operators.map((operator, index) =>
    values.stored(
      types.ValidatorCurrentRewards,
      stored(noted[3 * index + 1], operator),
    ),
  );
  const past = slashKeys.map((keys) =>
    keys.filter((key) => slashOf(key).height <= at.height).sort(),
  );
  const [ratios, slashValues, slashRatios] = await Promise.all([
    at.keys(
      "distribution",
      operators.map((operator, index) =>
        KEYS.historical(operator, (currents[index]?.period ?? 1n) - 1n),
      ),
    ),
    at.keys("distribution", past.flat()),
    at.keys(
      "distribution",
      past.flatMap((keys, index) =>
        keys.map((key) =>
          KEYS.historical(operators[index] ?? "0x", slashOf(key).period),
        ),
      ),
    ),
  ]);
  const decAmount = (coins: unknown) =>
    values.coin(coins, denom, values.decimalAmount);
  const ratioOf = (value: Uint8Array | undefined, operator: string) =>
    decAmount(
      values.stored(types.ValidatorHistoricalRewards, stored(value, operator))
        .cumulativeRewardRatio,
    );
  let slash = 0;
  return operators.map((operator, index) => {
    const { period, rewards } = currents[index] ?? {
      period: 0n,
      rewards: [],
    };
    const slashes = (past[index] ?? []).flatMap((key): LiveSlash[] => {
      const [value, ratio] = [slashValues[slash], slashRatios[slash]];
      slash++;
      if (value === undefined) return [];
      const { fraction } = values.stored(types.ValidatorSlashEvent, value);
      return [
        {
          ...slashOf(key),
          fraction: values.rate(fraction),
          ratio: ratioOf(ratio, operator),
        },
      ];
    });
    const { commission } = values.stored(
      Validator,
      stored(records[index], operator),
    );
    return {
      rewards: {
        period: values.count(period),
        ratio: ratioOf(ratios[index], operator),
        current: decAmount(rewards),
        // The node answers for an empty value, as of a new validator, as for
        // none.
        commission: decAmount(
          values.stored(
            types.ValidatorAccumulatedCommission,
            noted[3 * index + 2] ?? NOTHING,
          ).commission,
        ),
        outstanding: decAmount(
          values.stored(
            types.ValidatorOutstandingRewards,
            noted[3 * index] ?? NOTHING,
          ).rewards,
        ),
        slashes,
      },
      limits: {
        maxRate: values.rate(commission.commissionRates.maxRate),
        maxChangeRate: values.rate(commission.commissionRates.maxChangeRate),
        commissionTime: values.count(
          commission.updateTime.seconds < 0n
            ? 0n
            : commission.updateTime.seconds,
        ),
      },
    };
  });
}

function stored(value: Uint8Array | undefined, operator: string): Uint8Array {
  if (value === undefined) {
    throw new UnreadError("the node's stores do not have a validator", {
      address: operator,
      fix: "Check that the node RPC and the EVM endpoint are of the same chain.",
    });
  }
  return value;
}
