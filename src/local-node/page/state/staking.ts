import {
  BondStatus,
  type Validator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

import type { Books } from "../../books/books.js";
import type { DualChain } from "../../chain.js";
import { parseAddress } from "../../../address/index.js";
import { told } from "../../fault.js";
import { DUE, STATUS } from "../texts.js";
import { amountText, foreign, rateText, share } from "./display.js";
import type { Names } from "./names.js";
import type { StakeRow, ValidatorRow } from "./types.js";

const UNBONDING = 2;
const ONE = 10n ** 18n;
/**
 * Most delegators that the page reads; fewer with many validators, since each
 * pair takes a query.
 */
const MOST_DELEGATORS = 100;
const FEWEST_DELEGATORS = 10;
const MOST_PAIRS = 1_000;

/**
 * Something with an end, before it has its place on the time line; times are
 * Unix times in seconds.
 */
export interface Due {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly amount: string;
  readonly from: bigint;
  readonly until: bigint;
}

/** The staking state of the validators and delegators shown. */
export interface Stakes {
  readonly validators: readonly ValidatorRow[];
  readonly stakes: readonly StakeRow[];
  readonly due: readonly Due[];
}

/**
 * Reads the validators, delegations with their rewards, unbondings and
 * redelegations.
 */
export async function readStakes(
  chain: DualChain,
  books: Books,
  names: Names,
): Promise<Stakes> {
  const { prefix } = chain;
  const [validators, period, pool, delegators] = await Promise.all([
    books.staking.validators(),
    told(periodOf(books), 0n),
    books.staking.pool(),
    chain.delegators(),
  ]);
  for (const { operatorAddress, description } of validators) {
    const { hex } = parseAddress(operatorAddress, { prefix });
    const moniker = foreign(description.moniker);
    if (moniker !== "") names.setMoniker(hex, moniker);
  }
  // The not-bonded pool also holds what is unbonding: when it is empty, nothing
  // is.
  const unbonds = BigInt(pool.notBondedTokens) > 0n;
  const own = new Set(chain.genesisAccounts);
  const [first, others] = [true, false].map((isOwn) =>
    delegators.filter((hex) => own.has(hex) === isOwn),
  );
  const most = Math.max(
    FEWEST_DELEGATORS,
    Math.min(MOST_DELEGATORS, Math.floor(MOST_PAIRS / validators.length)),
  );
  const some = [...(first ?? []), ...(others ?? [])].slice(0, most);
  const all = await Promise.all(
    some.map(async (hex) => {
      const { account } = parseAddress(hex, { prefix });
      return await readDelegator(account, books, names, {
        period,
        unbonds,
        prefix,
      });
    }),
  );
  const bonded = BigInt(pool.bondedTokens);
  return {
    validators: [...validators]
      .sort((a, b) => Number(BigInt(b.tokens) - BigInt(a.tokens)))
      .map((one) => validatorRow(one, bonded)),
    stakes: all.flatMap((one) => one.stakes),
    due: all.flatMap((one) => one.due),
  };
}

/** Returns the unbonding time in seconds. */
async function periodOf(books: Books): Promise<bigint> {
  return (await books.staking.params()).unbondingTime.seconds;
}

function validatorRow(
  {
    operatorAddress,
    description,
    tokens,
    status,
    jailed,
    commission,
  }: Validator,
  bonded: bigint,
): ValidatorRow {
  const stake = BigInt(tokens);
  return {
    operator: operatorAddress,
    moniker: foreign(description.moniker) || operatorAddress,
    stake: amountText(stake, 18),
    ...(status === BondStatus.BOND_STATUS_BONDED
      ? share(stake, bonded)
      : { share: "–", part: 0 }),
    commission: rateText(BigInt(commission.commissionRates.rate)),
    status: jailed
      ? STATUS.jailed
      : status === BondStatus.BOND_STATUS_BONDED
        ? STATUS.bonded
        : status === UNBONDING
          ? STATUS.unbonding
          : STATUS.unbonded,
    mood: jailed
      ? "bad"
      : status === BondStatus.BOND_STATUS_BONDED
        ? "good"
        : "warm",
    jailed,
  };
}

async function readDelegator(
  account: string,
  books: Books,
  names: Names,
  {
    period,
    unbonds,
    prefix,
  }: {
    readonly period: bigint;
    readonly unbonds: boolean;
    readonly prefix: string;
  },
): Promise<{
  readonly stakes: readonly StakeRow[];
  readonly due: readonly Due[];
}> {
  const [delegations, rewards, unbondings, redelegations] = await Promise.all([
    books.staking.delegationsOf(account),
    books.distribution.rewardsOf(account),
    unbonds ? books.staking.unbondingsOf(account) : [],
    books.staking.redelegationsOf(account),
  ]);
  const delegator = names.of(account);
  const rewardFrom = (validator: string) =>
    rewards
      .filter((one) => one.validator === validator)
      .flatMap(({ reward }) => reward)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n) / ONE;
  return {
    stakes: delegations.map(({ delegation, balance }) => ({
      id: `${account} ${delegation.validatorAddress}`,
      delegator:
        parseAddress(delegation.validatorAddress, { prefix }).account ===
        account
          ? DUE.itself(delegator)
          : delegator,
      validator: names.of(delegation.validatorAddress),
      amount: amountText(BigInt(balance.amount), 18),
      rewards: amountText(rewardFrom(delegation.validatorAddress), 18),
    })),
    due: [
      ...unbondings.flatMap(({ validatorAddress, entries }) =>
        entries.map(
          ({ completionTime, balance, unbondingId }, i): Due => ({
            id: `unbonding ${account} ${validatorAddress} ${unbondingId} ${i}`,
            kind: DUE.unbonding,
            what: DUE.from(delegator, names.of(validatorAddress)),
            amount: amountText(BigInt(balance), 18),
            from: completionTime.seconds - period,
            until: completionTime.seconds,
          }),
        ),
      ),
      ...redelegations.flatMap(({ redelegation, entries }) =>
        entries.map(
          ({ redelegationEntry: { completionTime }, balance }, i): Due => ({
            id: `redelegation ${account} ${redelegation.validatorSrcAddress} ${redelegation.validatorDstAddress} ${i}`,
            kind: DUE.redelegation,
            what: DUE.over(
              delegator,
              names.of(redelegation.validatorSrcAddress),
              names.of(redelegation.validatorDstAddress),
            ),
            amount: amountText(BigInt(balance), 18),
            from: completionTime.seconds - period,
            until: completionTime.seconds,
          }),
        ),
      ),
    ],
  };
}
