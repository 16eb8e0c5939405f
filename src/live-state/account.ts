import { parseAddress } from "../address/codec.js";
import {
  type AtBlock,
  type Fields,
  needed,
  type Outcome,
  type View,
} from "./at-block.js";
import type { ReadContext } from "./context.js";
import { allPages, firstPageOf } from "./pages.js";
import type {
  Hex,
  LiveAccount,
  LiveBase,
  LiveDelegation,
  LiveRedelegation,
  LiveUnbondingEntry,
  Unread,
} from "./state.js";
import { DISTRIBUTION_KEYS, STAKING_KEYS } from "./store-keys.js";
import { UnreadError } from "./unreadable.js";
import * as values from "./values.js";

const REDELEGATIONS = (account: Hex): View => ({
  precompile: "staking",
  method: "redelegations",
  args: [account, "", ""],
});

/** Returns the state of an account without any stake. */
export const nothingOf = (address: Hex): LiveAccount => ({
  address,
  withdrawAddress: address,
  delegations: [],
  unbonding: new Map(),
  redelegations: [],
  unread: new Map(),
});

/**
 * Reads an account's delegations, unbonding, redelegations and withdraw
 * address: from the modules' stores where they can be read, else from views.
 *
 * @throws UnreadError when the delegations cannot be read
 */
export async function readAccount(
  context: ReadContext,
  account: Hex,
  base: LiveBase,
): Promise<LiveAccount> {
  const { at, prefix } = context;
  const [known, moving] = await Promise.all([
    at.hasStores
      ? fromStores(context, account, base)
      : fromViews(context, account, base),
    at.views([firstPageOf(REDELEGATIONS(account))]),
  ]);
  const unread = new Map<string, Unread>(known.unread);
  const first = tolerant(moving[0], "redelegations", unread, (page) => page);
  const redelegations =
    first === undefined
      ? undefined
      : (await allPages(at, REDELEGATIONS(account), first)).flatMap((page) =>
          redelegationsIn(page, prefix),
        );
  return {
    ...known,
    address: account,
    ...(redelegations === undefined ? {} : { redelegations }),
    unread,
  };
}

/**
 * Reads a list that few requests need. A failure is only noted in `unread`, for
 * the request that meets the list.
 */
function tolerant<T>(
  outcome: Outcome<Fields> | undefined,
  what: string,
  unread: Map<string, Unread>,
  read: (answer: Fields) => T,
): T | undefined {
  if (outcome !== undefined && "unread" in outcome) {
    unread.set(what, { what, error: outcome.unread });
    return undefined;
  }
  return read(needed(outcome));
}

function redelegationsIn(answer: Fields, prefix: string): LiveRedelegation[] {
  return values.list(answer.response).map(({ redelegation, entries }) => {
    const info = values.fields(redelegation);
    return {
      source: values.address(info.validatorSrcAddress, prefix),
      destination: values.address(info.validatorDstAddress, prefix),
      entries: values.list(entries).map(({ redelegationEntry }) => {
        const entry = values.fields(redelegationEntry);
        return {
          creationHeight: values.count(entry.creationHeight),
          completionTime: values.count(entry.completionTime),
          initialBalance: values.amount(entry.initialBalance),
          sharesDst: values.decimalAmount(entry.sharesDst),
        };
      }),
    };
  });
}

const ONE = 10n ** 18n;

type Known = Omit<LiveAccount, "address" | "redelegations">;

async function fromViews(
  { at, prefix }: ReadContext,
  account: Hex,
  { validators, denom }: LiveBase,
): Promise<Known> {
  const valopers = validators.map(
    ({ operator }) => parseAddress(operator, { prefix }).valoper,
  );
  const [withdraw, total, ...unbonding] = await at.views([
    {
      precompile: "distribution",
      method: "delegatorWithdrawAddress",
      args: [account],
    },
    {
      precompile: "distribution",
      method: "delegationTotalRewards",
      args: [account],
    },
    ...valopers.map((valoper) => ({
      precompile: "staking" as const,
      method: "unbondingDelegation",
      args: [account, valoper],
    })),
  ]);
  const unread = new Map<string, Unread>();
  const entries = new Map<Hex, readonly LiveUnbondingEntry[]>();
  validators.forEach(({ operator }, index) => {
    const list = tolerant(unbonding[index], operator, unread, entriesIn);
    if (list !== undefined) entries.set(operator, list);
  });
  const { rewards, total: sum } = needed(total);
  const earning = values.list(rewards).map(({ validatorAddress, reward }) => ({
    valoper: String(validatorAddress),
    operator: values.address(validatorAddress, prefix),
    rewards: values.coin(reward, denom, values.wholeAmount),
  }));
  return {
    withdrawAddress: values.address(needed(withdraw).withdrawAddress, prefix),
    delegations: await delegations(
      at,
      account,
      withParts(earning, values.coin(sum, denom, values.wholeAmount)),
    ),
    unbonding: entries,
    unread,
  };
}

/**
 * Adds back the fractions that views truncated from each reward. The total is
 * truncated only once, so that its excess over the sum is due to them.
 */
function withParts<T extends { readonly rewards: bigint }>(
  earning: readonly T[],
  total: bigint,
): T[] {
  const whole = earning.reduce((sum, { rewards }) => sum + rewards, 0n);
  // A reward of 0 has no coin, and lost no fraction.
  const parts = BigInt(earning.filter(({ rewards }) => rewards > 0n).length);
  const missing = total - whole;
  if (missing <= 0n || missing >= parts * ONE) return [...earning];
  // Rounded up, so that the sum is not below the total.
  const part = (missing + parts - 1n) / parts;
  return earning.map((one) =>
    one.rewards > 0n ? { ...one, rewards: one.rewards + part } : one,
  );
}

async function delegations(
  at: AtBlock,
  account: Hex,
  earning: readonly { valoper: string; operator: Hex; rewards: bigint }[],
): Promise<LiveDelegation[]> {
  const answers = await at.views(
    earning.map(({ valoper }) => ({
      precompile: "staking",
      method: "delegation",
      args: [account, valoper],
    })),
  );
  return earning.map(({ operator, rewards }, index) => ({
    operator,
    rewards,
    shares: values.decimalAmount(needed(answers[index]).shares),
  }));
}

/**
 * Reads when an account's unbonding entries complete, in Unix seconds. Lists
 * that cannot be read are left out; they are read again when a request meets
 * the account.
 */
export async function readCompletionTimes(
  { at, prefix }: ReadContext,
  account: Hex,
  { validators }: LiveBase,
): Promise<bigint[]> {
  const lists = await at.views(
    validators.map(({ operator }) => ({
      precompile: "staking",
      method: "unbondingDelegation",
      args: [account, parseAddress(operator, { prefix }).valoper],
    })),
  );
  return lists.flatMap((list) =>
    "value" in list
      ? entriesIn(list.value).map(({ completionTime }) => completionTime)
      : [],
  );
}

const entriesIn = (answer: Fields): LiveUnbondingEntry[] =>
  values
    .list(values.fields(answer.unbondingDelegation).entries)
    .map((entry) => ({
      creationHeight: values.count(entry.creationHeight),
      completionTime: values.count(entry.completionTime),
      initialBalance: values.amount(entry.initialBalance),
      balance: values.amount(entry.balance),
      unbondingId: values.count(entry.unbondingId),
    }));

async function fromStores(
  { at }: ReadContext,
  account: Hex,
  { validators }: LiveBase,
): Promise<Known> {
  const operators = validators.map(({ operator }) => operator);
  const [staking, distribution, held, unbonding, [withdraw], starts] =
    await Promise.all([
      import("cosmjs-types/cosmos/staking/v1beta1/staking"),
      import("cosmjs-types/cosmos/distribution/v1beta1/distribution"),
      at.keys(
        "staking",
        operators.map((operator) => STAKING_KEYS.delegation(account, operator)),
      ),
      at.keys(
        "staking",
        operators.map((operator) => STAKING_KEYS.unbonding(account, operator)),
      ),
      at.keys("distribution", [DISTRIBUTION_KEYS.withdrawAddress(account)]),
      at.keys(
        "distribution",
        operators.map((operator) => DISTRIBUTION_KEYS.start(operator, account)),
      ),
    ]);
  const begun = operators.flatMap((operator, index) => {
    const [delegation, start] = [held[index], starts[index]];
    if (delegation === undefined) return [];
    if (start === undefined) {
      throw new UnreadError(
        "the node's stores do not have a delegation's start",
        {
          address: account,
          fix: "Check that the node RPC and the EVM endpoint are of the same chain.",
        },
      );
    }
    const { shares } = values.stored(staking.Delegation, delegation);
    const { previousPeriod, stake, height } = values.stored(
      distribution.DelegatorStartingInfo,
      start,
    );
    return [{ operator, shares, period: previousPeriod, stake, height }];
  });
  const ratios = await at.keys(
    "distribution",
    begun.map(({ operator, period }) =>
      DISTRIBUTION_KEYS.historical(operator, period),
    ),
  );
  return {
    withdrawAddress:
      withdraw === undefined
        ? account
        : values.address(`0x${Buffer.from(withdraw).toString("hex")}`),
    delegations: begun.map(({ operator, shares, ...start }, index) => {
      const ratio = ratios[index];
      if (ratio === undefined) {
        throw new UnreadError(
          "the node's stores do not have a period's rewards",
          {
            address: operator,
            fix: "Fork from a node that keeps the state (an archive node).",
          },
        );
      }
      const { cumulativeRewardRatio } = values.stored(
        distribution.ValidatorHistoricalRewards,
        ratio,
      );
      return {
        operator,
        shares: values.decimalAmount(shares),
        start: {
          period: values.count(start.period),
          height: values.count(start.height),
          stake: values.decimalAmount(start.stake),
          ratio: values.decimalAmount(cumulativeRewardRatio[0]?.amount ?? "0"),
        },
      };
    }),
    unbonding: new Map(
      operators.map((operator, index) => {
        const value = unbonding[index];
        const entries =
          value === undefined
            ? []
            : values.stored(staking.UnbondingDelegation, value).entries;
        return [
          operator,
          entries.map((entry) => ({
            creationHeight: values.count(entry.creationHeight),
            completionTime: values.count(entry.completionTime.seconds),
            initialBalance: values.amount(entry.initialBalance),
            balance: values.amount(entry.balance),
            unbondingId: values.count(entry.unbondingId),
          })),
        ];
      }),
    ),
    unread: new Map(),
  };
}
