import type { FrameworkClients, Way } from "../../src/framework/index.js";
import { ACCOUNTS, VALIDATOR, VALIDATOR_2 } from "../servers/recorded-state.js";

const { acc4, acc5, acc6, acc7, acc8 } = ACCOUNTS;
const ACC4_VALOPER = "cosmosvaloper1zhf54t65ye7m047rv7pe4tm35q9zc6n94j8jnh";

type Ask = (clients: FrameworkClients, via: Way) => Promise<unknown>;

/** The 28 questions of the recording, and the balance, as users ask them. */
export const questionsAt = (height: bigint): Readonly<Record<string, Ask>> => {
  const at = (via: Way) => ({ via, height });
  return {
    validators: (c, v) => c.query.staking.validators({}, at(v)),
    validator: (c, v) =>
      c.query.staking.validator({ validator: VALIDATOR }, at(v)),
    validator_unknown: (c, v) =>
      c.query.staking.validator({ validator: ACC4_VALOPER }, at(v)),
    delegation: (c, v) =>
      c.query.staking.delegation(
        { delegator: acc7, validator: VALIDATOR },
        at(v),
      ),
    delegation_none: (c, v) =>
      c.query.staking.delegation(
        { delegator: acc8, validator: VALIDATOR },
        at(v),
      ),
    unbonding: (c, v) =>
      c.query.staking.unbonding(
        { delegator: acc6, validator: VALIDATOR },
        at(v),
      ),
    unbonding_none: (c, v) =>
      c.query.staking.unbonding(
        { delegator: acc4, validator: VALIDATOR },
        at(v),
      ),
    redelegations: (c, v) =>
      c.query.staking.redelegations(
        { delegator: acc5, source: VALIDATOR, destination: VALIDATOR_2 },
        at(v),
      ),
    rewards: (c, v) =>
      c.query.distribution.rewards(
        { delegator: acc5, validator: VALIDATOR },
        at(v),
      ),
    rewards_none: (c, v) =>
      c.query.distribution.rewards(
        { delegator: acc8, validator: VALIDATOR },
        at(v),
      ),
    rewards_total: (c, v) =>
      c.query.distribution.totalRewards({ delegator: acc5 }, at(v)),
    commission: (c, v) =>
      c.query.distribution.commission({ validator: VALIDATOR }, at(v)),
    outstanding: (c, v) =>
      c.query.distribution.outstandingRewards({ validator: VALIDATOR }, at(v)),
    community_pool: (c, v) => c.query.distribution.communityPool({}, at(v)),
    withdraw_address: (c, v) =>
      c.query.distribution.withdrawAddress({ delegator: acc7 }, at(v)),
    proposals: (c, v) => c.query.governance.proposals({}, at(v)),
    proposal_deposit: (c, v) =>
      c.query.governance.proposal({ proposalId: 18n }, at(v)),
    proposal_voting: (c, v) =>
      c.query.governance.proposal({ proposalId: 17n }, at(v)),
    proposal_expedited: (c, v) =>
      c.query.governance.proposal({ proposalId: 19n }, at(v)),
    proposal_passed: (c, v) =>
      c.query.governance.proposal({ proposalId: 1n }, at(v)),
    proposal_rejected: (c, v) =>
      c.query.governance.proposal({ proposalId: 2n }, at(v)),
    proposal_failed: (c, v) =>
      c.query.governance.proposal({ proposalId: 3n }, at(v)),
    proposal_unknown: (c, v) =>
      c.query.governance.proposal({ proposalId: 9999n }, at(v)),
    votes: (c, v) => c.query.governance.votes({ proposalId: 17n }, at(v)),
    vote_weighted: (c, v) =>
      c.query.governance.vote({ proposalId: 17n, voter: acc6 }, at(v)),
    deposits: (c, v) => c.query.governance.deposits({ proposalId: 18n }, at(v)),
    tally: (c, v) => c.query.governance.tally({ proposalId: 17n }, at(v)),
    gov_params: (c, v) => c.query.governance.params({}, at(v)),
    balance: (c, v) => c.query.bank.balance({ address: acc4 }, at(v)),
  };
};

// Questions about coins with a fraction, which the precompiles cut off.
export const FRACTIONS = new Set([
  "rewards",
  "rewards_total",
  "commission",
  "outstanding",
  "community_pool",
]);
const ONE = 10n ** 18n;

/** Cuts off the fractions of coins. */
export const floored = (value: any): any =>
  Array.isArray(value)
    ? value.map(floored)
    : typeof value !== "object" || value === null
      ? value
      : typeof value.denom === "string"
        ? { ...value, amount: (value.amount / ONE) * ONE }
        : Object.fromEntries(
            Object.entries(value).map(([k, v]) => [k, floored(v)]),
          );

/** Returns the part of an answer that another way's answer has, too. */
export function commonPart(value: any, other: any): any {
  if (Array.isArray(value)) {
    return value.map((item, i) => commonPart(item, other?.[i]));
  }
  if (
    typeof value !== "object" ||
    value === null ||
    value instanceof Uint8Array
  ) {
    return value;
  }
  const known = Object.entries(value).filter(
    ([key]) => other != null && Object.hasOwn(other, key),
  );
  return Object.fromEntries(
    known.map(([key, item]) => [key, commonPart(item, other[key])]),
  );
}

/**
 * Reduces messages to their types: REST has them as JSON, protobuf as bytes.
 * Everything else is alike.
 */
export const withoutMessageBodies = (value: any): any =>
  JSON.parse(
    JSON.stringify(value, (key, item) =>
      key === "messages"
        ? item.map((m: any) => m.typeUrl)
        : typeof item === "bigint"
          ? `${item}n`
          : item instanceof Uint8Array
            ? Buffer.from(item).toString("hex")
            : item,
    ) ?? "null",
  );
