import { parseAddress } from "../address/codec.js";
import { MODULE_ACCOUNTS } from "../precompiles/module-accounts.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import { type AtBlock, type Fields, needed, type View } from "./at-block.js";
import type { ReadContext } from "./context.js";
import { allPages, pageOf } from "./pages.js";
import { readRewards } from "./rewards.js";
import type {
  LiveBase,
  LiveGovernanceParams,
  LiveStakingParams,
  LiveValidator,
} from "./state.js";
import { isBondStatus } from "./statuses.js";
import { DISTRIBUTION_KEYS, MINT_KEYS, STAKING_KEYS } from "./store-keys.js";
import { DualstackError } from "../support/errors.js";
import { OtherBlockError, UnreadError } from "./unreadable.js";
import * as values from "./values.js";

const ONE = 10n ** 18n;
const YEAR = 365n * 86_400n;
/** Number of blocks over which rewards are measured if they cannot be read. */
const MEASURED = 10n;

const VALIDATORS: View = {
  precompile: "staking",
  method: "validators",
  args: [""],
};
const POOL: View = { precompile: "distribution", method: "communityPool" };

type Validator = Omit<LiveValidator, "rewards" | "limits">;

/**
 * Reads the state that concerns all accounts: parameters, validators and pools.
 *
 * @throws UnreadError when a part cannot be read
 * @throws OtherBlockError when the node has another block at the fork's height
 */
export async function readBase(context: ReadContext): Promise<LiveBase> {
  const { at } = context;
  const past = at.height > MEASURED ? at.height - MEASURED : 1n;
  const heights = Array.from(
    { length: Number(at.height - past) + 1 },
    (_, index) => past + BigInt(index),
  );
  const headers = at.ask([header(at.height), header(past)]);
  // Only the last balance is required: a pruned node may lack the earlier ones.
  const measure = async () =>
    await at
      .ask(heights.map(distributionBalance))
      .catch(async () => await at.ask([distributionBalance(at.height)]));
  // Where stores can be read, they have the rewards.
  const measuring = at.hasStores ? undefined : measure();
  measuring?.catch(() => undefined);
  const rest = Promise.all([
    at.views([
      pageOf(VALIDATORS, "0x"),
      POOL,
      { ...POOL, height: past },
      { precompile: "governance", method: "getParams" },
      { precompile: "governance", method: "getConstitution" },
    ]),
    readStores(at).catch((error: unknown) => {
      // Only a node RPC that does not answer is given up, not one with bad
      // answers.
      if (error instanceof UnreadError || !DualstackError.is(error))
        throw error;
      at.giveUpStores(error);
      return undefined;
    }),
    at.ask([balanceAt(MODULE_ACCOUNTS.feeCollector, at.height)]),
  ]);
  // Another block than the fork's explains all other errors, so it goes first.
  rest.catch(() => undefined);
  const { time, timeBefore } = times(context, await headers);
  const [views, stores, [fees]] = await rest;
  const balances =
    stores === undefined ? await (measuring ?? measure()) : undefined;
  const [page, pool, poolBefore, params, constitution] = views;
  const validators = (await allPages(at, VALIDATORS, needed(page)))
    .flatMap((one) => values.list(one.validators))
    .map((one) => validator(one, context.prefix));
  const governance = values.fields(needed(params).params);
  const denom =
    stores?.denom ??
    (await denomIn(context, validators, [
      needed(pool).coins,
      governance.minDeposit,
    ]));
  const known = await readRewards(
    context,
    validators.map(({ operator }) => operator),
    denom,
  );
  const whole = values.coin(needed(pool).coins, denom);
  const elapsed = time - timeBefore;
  const span = { blocks: at.height - past, seconds: elapsed };
  const wholeBefore =
    poolBefore !== undefined && "value" in poolBefore
      ? values.coin(poolBefore.value.coins, denom)
      : whole;
  const measured =
    balances === undefined
      ? NOT_MEASURED
      : yearlyInflow(
          balances.map((balance) => fromQuantity(balance, "a balance")),
          whole - wholeBefore,
          span,
        );
  return {
    height: at.height,
    denom,
    time,
    staking: stores?.staking ?? {},
    communityPool:
      stores === undefined
        ? whole * ONE
        : values.coin(stores.feePool, denom, values.decimalAmount),
    exact: at.hasStores,
    ...(stores === undefined ? measured : minted(stores, span)),
    fees: fromQuantity(fees, "a balance"),
    validators: validators.map((one, index) => {
      const { rewards, limits } = known[index] ?? {};
      if (rewards === undefined) throw new UnreadError("rewards were not read");
      return { ...one, rewards, ...(limits === undefined ? {} : { limits }) };
    }),
    governance: governanceParams(
      governance,
      needed(constitution).constitution,
      denom,
    ),
  };
}

/**
 * Finds the staked denomination. Where amounts have several, it is the one of a
 * delegation's balance.
 */
async function denomIn(
  { at, prefix }: ReadContext,
  [validator]: readonly Validator[],
  lists: readonly unknown[],
): Promise<string> {
  const found = new Set(
    lists.flatMap(values.list).map(({ denom }) => values.text(denom, 128)),
  );
  const [only] = found;
  if (only !== undefined && found.size === 1) return only;
  if (validator === undefined) {
    throw new UnreadError(`the chain has no validators at block ${at.height}`);
  }
  const { hex, valoper } = parseAddress(validator.operator, { prefix });
  const { balance } = await at.view({
    precompile: "staking",
    method: "delegation",
    args: [hex, valoper],
  });
  return values.text(values.fields(balance).denom, 128);
}

/** Returns the request for a block without its transactions. */
export const header = (height: bigint) => ({
  method: "eth_getBlockByNumber",
  params: [toQuantity(height), false],
});

/** Reads the time of a block, in Unix seconds. */
export async function readTime(
  { at }: ReadContext,
  height: bigint,
): Promise<bigint> {
  const [block] = await at.ask([header(height)]);
  return fromQuantity(
    isRecord(block) ? block.timestamp : undefined,
    "a block's time",
  );
}

/** Returns the request for the balance of an account at a block. */
export const balanceAt = (account: string, height: bigint) => ({
  method: "eth_getBalance",
  params: [account, toQuantity(height)],
});

const distributionBalance = (height: bigint) =>
  balanceAt(MODULE_ACCOUNTS.distribution, height);

/** @throws OtherBlockError when the node's block at the fork's height is not the fork's */
export function requireForkBlock(
  { at, hash }: ReadContext,
  block: Readonly<Record<string, unknown>>,
): void {
  if (String(block["hash"]).toLowerCase() !== hash.toLowerCase()) {
    throw new OtherBlockError(
      `block ${at.height} of the node is another than the fork's`,
      {
        fix: "The chain was reorganized or began anew, or nodes behind a balancer disagree: fork again, or pin an older block with forking.blockNumber.",
      },
    );
  }
}

/** Parses the blocks' times, and checks that the node has the fork's block. */
function times(
  context: ReadContext,
  [now, before]: readonly unknown[],
): { time: bigint; timeBefore: bigint } {
  if (!isRecord(now)) {
    throw new UnreadError(`the node does not have block ${context.at.height}`, {
      fix: "It lags behind the one that the fork began from, as behind a load balancer: pin an older block with forking.blockNumber.",
    });
  }
  requireForkBlock(context, now);
  const time = fromQuantity(now.timestamp, "a block's time");
  const timeBefore = isRecord(before)
    ? fromQuantity(before.timestamp, "a block's time")
    : time;
  return { time, timeBefore };
}

function validator(info: Fields, prefix: string): Validator {
  const pubkey = Buffer.from(String(info.consensusPubkey), "base64");
  const status = Number(info.status);
  if (pubkey.length !== 32 || !isBondStatus(status)) {
    throw new UnreadError("the node answered a validator that no chain has");
  }
  const description = values.fields(info.description);
  return {
    operator: values.address(info.operatorAddress, prefix),
    pubkey: `0x${pubkey.toString("hex")}`,
    jailed: info.jailed === true,
    status,
    tokens: values.amount(info.tokens),
    shares: values.decimalAmount(info.delegatorShares),
    description: {
      moniker: values.text(description.moniker, 70),
      identity: values.text(description.identity, 3000),
      website: values.text(description.website, 140),
      securityContact: values.text(description.securityContact, 140),
      details: values.text(description.details, 280),
    },
    unbondingHeight: values.count(info.unbondingHeight),
    // Some nodes return a time before 1970 for a validator that never unbonded.
    unbondingTime: values.count(
      typeof info.unbondingTime === "bigint" && info.unbondingTime < 0n
        ? 0n
        : info.unbondingTime,
    ),
    rate: values.rate(info.commission),
    minSelfDelegation: values.amount(info.minSelfDelegation),
  };
}

function governanceParams(
  params: Fields,
  constitution: unknown,
  denom: string,
): LiveGovernanceParams {
  const period = (value: unknown) =>
    values.seconds(typeof value === "bigint" ? value : -1n);
  return {
    votingPeriod: period(params.votingPeriod),
    expeditedVotingPeriod: period(params.expeditedVotingPeriod),
    depositPeriod: period(params.maxDepositPeriod),
    minDeposit: values.coin(params.minDeposit, denom),
    expeditedMinDeposit: values.coin(params.expeditedMinDeposit, denom),
    quorum: values.decimal(params.quorum),
    threshold: values.decimal(params.threshold),
    expeditedThreshold: values.decimal(params.expeditedThreshold),
    vetoThreshold: values.decimal(params.vetoThreshold),
    minInitialDepositRatio: values.decimal(params.minInitialDepositRatio),
    minDepositRatio: values.decimal(params.minDepositRatio),
    proposalCancelRatio: values.decimal(params.proposalCancelRatio),
    proposalCancelDest: values.text(params.proposalCancelDest, 100),
    burnVoteQuorum: params.burnVoteQuorum === true,
    burnProposalDepositPrevote: params.burnProposalDepositPrevote === true,
    burnVoteVeto: params.burnVoteVeto === true,
    constitution: values.text(constitution, 100_000),
  };
}

/** Number and duration of the blocks over which rewards are measured. */
interface Span {
  readonly blocks: bigint;
  readonly seconds: bigint;
}

const perYear = (perBlock: bigint, { blocks, seconds }: Span) =>
  (perBlock * blocks * YEAR) / seconds;

/** Yearly rewards, and the community pool's part of them. */
type Inflow = Pick<LiveBase, "yearlyRewards" | "tax">;

const NOT_MEASURED: Inflow = { yearlyRewards: undefined, tax: 0n };

/**
 * Estimates the yearly rewards, in base units, from what the distribution
 * module's account receives in a block, and the tax from the average growth of
 * the community pool. Takes the median, since withdrawals lower single blocks,
 * and single deposits raise them.
 */
function yearlyInflow(
  balances: readonly bigint[],
  poolGrowth: bigint,
  span: Span,
): Inflow {
  if (span.blocks < 1n || span.seconds < 1n || balances.length < 2) {
    return NOT_MEASURED;
  }
  const inflows = balances
    .slice(1)
    .map((balance, index) => balance - (balances[index] ?? 0n))
    .filter((inflow) => inflow >= 0n)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const inflow = inflows[Math.floor(inflows.length / 2)] ?? 0n;
  const shared = poolGrowth / span.blocks;
  const tax = shared > 0n && shared < inflow ? (shared * ONE) / inflow : 0n;
  return { yearlyRewards: perYear(inflow, span), tax };
}

interface Stores {
  readonly staking: LiveStakingParams;
  readonly feePool: readonly { denom: string; amount: string }[];
  /** The community tax, scaled by 10^18. */
  readonly tax: bigint;
  /** Minted per year, in base units scaled by 10^18. */
  readonly provisions: bigint;
  readonly blocksPerYear: bigint;
  readonly denom: string;
}

/**
 * Computes the yearly rewards, in base units, and the tax on them. Every block
 * mints the same share of the yearly provisions, however long it takes.
 */
function minted(
  { provisions, blocksPerYear, tax }: Stores,
  span: Span,
): Inflow {
  const perBlock =
    provisions / (blocksPerYear === 0n ? 1n : blocksPerYear) / ONE;
  return {
    yearlyRewards:
      span.blocks < 1n || span.seconds < 1n
        ? perBlock * blocksPerYear
        : perYear(perBlock, span),
    tax,
  };
}

async function readStores(at: AtBlock): Promise<Stores | undefined> {
  if (!at.hasStores) return undefined;
  const [
    [stakingParams, lastId],
    [feePool, distributionParams],
    [minter, mintParams],
    staking,
    distribution,
    mint,
  ] = await Promise.all([
    at.keys("staking", [STAKING_KEYS.params, STAKING_KEYS.lastUnbondingId]),
    at.keys("distribution", [
      DISTRIBUTION_KEYS.feePool,
      DISTRIBUTION_KEYS.params,
    ]),
    at.keys("mint", [MINT_KEYS.minter, MINT_KEYS.params]),
    import("cosmjs-types/cosmos/staking/v1beta1/staking"),
    import("cosmjs-types/cosmos/distribution/v1beta1/distribution"),
    import("cosmjs-types/cosmos/mint/v1beta1/mint"),
  ]);
  const params = values.stored(
    staking.Params,
    stored(stakingParams, "staking's"),
  );
  const { annualProvisions } = values.stored(
    mint.Minter,
    stored(minter, "mint's"),
  );
  const { blocksPerYear } = values.stored(
    mint.Params,
    stored(mintParams, "mint's"),
  );
  const { communityTax } = values.stored(
    distribution.Params,
    stored(distributionParams, "distribution's"),
  );
  return {
    staking: {
      unbondingTime: values.count(params.unbondingTime.seconds),
      maxValidators: values.count(BigInt(params.maxValidators)),
      maxEntries: values.count(BigInt(params.maxEntries)),
      lastUnbondingId: lastId === undefined ? 0n : values.counter(lastId),
    },
    feePool: values.stored(
      distribution.FeePool,
      stored(feePool, "distribution's"),
    ).communityPool,
    tax: values.rate(communityTax),
    provisions: values.decimalAmount(annualProvisions),
    blocksPerYear,
    denom: values.text(params.bondDenom, 128),
  };
}

function stored(value: Uint8Array | undefined, whose: string): Uint8Array {
  if (value === undefined) {
    throw new UnreadError(`the node has no parameters in ${whose} store`, {
      fix: "Check that the node RPC and the EVM endpoint are of the same chain.",
    });
  }
  return value;
}
