import type {
  DelegationResponse as ProtobufDelegation,
  RedelegationResponse as ProtobufRedelegation,
  UnbondingDelegation as ProtobufUnbonding,
  Validator as ProtobufValidator,
} from "cosmjs-types/cosmos/staking/v1beta1/staking";

import type { ChainFacts } from "../../chain/facts.js";
import type { stakingAbi } from "../../precompiles/index.js";
import type { ViewAnswer } from "../abi.js";
import {
  BOND_STATUSES,
  type Delegation,
  type Redelegation,
  type Unbonding,
  type Validator,
} from "./answers.js";
import {
  ed25519Key,
  type Fields,
  forms,
  fromBase64,
  named,
  oneOf,
  timeOf,
  timeOrNone,
  toInteger,
} from "./values.js";

export function restValidator(item: Fields, facts: ChainFacts): Validator {
  const description = item.object("description");
  const commission = item.object("commission");
  const rates = commission.object("commission_rates");
  return {
    operator: forms(item.text("operator_address"), facts.bech32Prefix),
    consensusKey: item.object("consensus_pubkey").bytes("key"),
    jailed: item.flag("jailed"),
    status: oneOf(BOND_STATUSES, item.text("status"), "validator.status"),
    tokens: item.integer("tokens"),
    delegatorShares: item.decimal("delegator_shares"),
    description: {
      moniker: description.text("moniker"),
      identity: description.text("identity"),
      website: description.text("website"),
      securityContact: description.text("security_contact"),
      details: description.text("details"),
    },
    unbondingHeight: item.integer("unbonding_height"),
    unbondingTime: item.time("unbonding_time"),
    commissionRate: rates.decimal("rate"),
    maxCommissionRate: rates.decimal("max_rate"),
    maxCommissionChangeRate: rates.decimal("max_change_rate"),
    commissionUpdateTime: commission.time("update_time"),
    minSelfDelegation: item.integer("min_self_delegation"),
  };
}

export function protobufValidator(
  item: ProtobufValidator,
  facts: ChainFacts,
): Validator {
  const { moniker, identity, website, securityContact, details } =
    item.description;
  const rates = item.commission.commissionRates;
  return {
    operator: forms(item.operatorAddress, facts.bech32Prefix),
    consensusKey: ed25519Key(
      item.consensusPubkey?.value ?? new Uint8Array(),
      "validator.consensusPubkey",
    ),
    jailed: item.jailed,
    status: named(BOND_STATUSES, item.status, "validator.status"),
    tokens: toInteger(item.tokens, "validator.tokens"),
    delegatorShares: toInteger(item.delegatorShares, "validator.shares"),
    description: { moniker, identity, website, securityContact, details },
    unbondingHeight: item.unbondingHeight,
    unbondingTime: timeOf(item.unbondingTime),
    commissionRate: toInteger(rates.rate, "validator.rate"),
    maxCommissionRate: toInteger(rates.maxRate, "validator.maxRate"),
    maxCommissionChangeRate: toInteger(
      rates.maxChangeRate,
      "validator.maxChangeRate",
    ),
    commissionUpdateTime: timeOf(item.commission.updateTime),
    minSelfDelegation: toInteger(
      item.minSelfDelegation,
      "validator.minSelfDelegation",
    ),
  };
}

export function precompileValidator(
  item: ViewAnswer<typeof stakingAbi, "validator">,
  facts: ChainFacts,
): Validator {
  return {
    operator: forms(item.operatorAddress, facts.bech32Prefix),
    consensusKey: fromBase64(item.consensusPubkey, "validator.consensusPubkey"),
    jailed: item.jailed,
    status: named(BOND_STATUSES, item.status, "validator.status"),
    tokens: item.tokens,
    delegatorShares: item.delegatorShares,
    description: describedBy(item.description),
    unbondingHeight: item.unbondingHeight,
    unbondingTime: timeOrNone(item.unbondingTime),
    commissionRate: item.commission,
    minSelfDelegation: item.minSelfDelegation,
  };
}

// Releases before v0.5 return only the details, as a string.
const describedBy = (
  description: Validator["description"] | string,
): Validator["description"] =>
  typeof description === "string"
    ? {
        moniker: "",
        identity: "",
        website: "",
        securityContact: "",
        details: description,
      }
    : { ...description };

export function restDelegation(item: Fields, facts: ChainFacts): Delegation {
  const entry = item.object("delegation");
  return {
    delegator: forms(entry.text("delegator_address"), facts.bech32Prefix),
    validator: forms(entry.text("validator_address"), facts.bech32Prefix),
    shares: entry.decimal("shares"),
    balance: item.object("balance").coin(),
  };
}

export function protobufDelegation(
  { delegation: entry, balance }: ProtobufDelegation,
  facts: ChainFacts,
): Delegation {
  return {
    delegator: forms(entry.delegatorAddress, facts.bech32Prefix),
    validator: forms(entry.validatorAddress, facts.bech32Prefix),
    shares: toInteger(entry.shares, "delegation.shares"),
    balance: {
      denom: balance.denom,
      amount: toInteger(balance.amount, "delegation.balance"),
    },
  };
}

export function restUnbonding(item: Fields, facts: ChainFacts): Unbonding {
  return {
    delegator: forms(item.text("delegator_address"), facts.bech32Prefix),
    validator: forms(item.text("validator_address"), facts.bech32Prefix),
    entries: item.objects("entries").map((entry) => ({
      creationHeight: entry.integer("creation_height"),
      completionTime: entry.time("completion_time"),
      initialBalance: entry.integer("initial_balance"),
      balance: entry.integer("balance"),
      unbondingId: entry.integer("unbonding_id"),
      onHoldReferences: entry.integer("unbonding_on_hold_ref_count"),
    })),
  };
}

export function protobufUnbonding(
  item: ProtobufUnbonding,
  facts: ChainFacts,
): Unbonding {
  return {
    delegator: forms(item.delegatorAddress, facts.bech32Prefix),
    validator: forms(item.validatorAddress, facts.bech32Prefix),
    entries: item.entries.map((entry) => ({
      creationHeight: entry.creationHeight,
      completionTime: timeOf(entry.completionTime),
      initialBalance: toInteger(entry.initialBalance, "entry.initialBalance"),
      balance: toInteger(entry.balance, "entry.balance"),
      unbondingId: entry.unbondingId,
      onHoldReferences: entry.unbondingOnHoldRefCount,
    })),
  };
}

export function restRedelegation(
  item: Fields,
  facts: ChainFacts,
): Redelegation {
  const between = item.object("redelegation");
  return {
    delegator: forms(between.text("delegator_address"), facts.bech32Prefix),
    source: forms(between.text("validator_src_address"), facts.bech32Prefix),
    destination: forms(
      between.text("validator_dst_address"),
      facts.bech32Prefix,
    ),
    entries: item.objects("entries").map((entry) => {
      const inner = entry.object("redelegation_entry");
      return {
        creationHeight: inner.integer("creation_height"),
        completionTime: inner.time("completion_time"),
        initialBalance: inner.integer("initial_balance"),
        shares: inner.decimal("shares_dst"),
        balance: entry.integer("balance"),
        unbondingId: inner.optionalInteger("unbonding_id"),
      };
    }),
  };
}

export function protobufRedelegation(
  { redelegation, entries }: ProtobufRedelegation,
  facts: ChainFacts,
): Redelegation {
  return {
    delegator: forms(redelegation.delegatorAddress, facts.bech32Prefix),
    source: forms(redelegation.validatorSrcAddress, facts.bech32Prefix),
    destination: forms(redelegation.validatorDstAddress, facts.bech32Prefix),
    entries: entries.map(({ redelegationEntry: entry, balance }) => ({
      creationHeight: entry.creationHeight,
      completionTime: timeOf(entry.completionTime),
      initialBalance: toInteger(entry.initialBalance, "entry.initialBalance"),
      shares: toInteger(entry.sharesDst, "entry.sharesDst"),
      balance: toInteger(balance, "entry.balance"),
      unbondingId: entry.unbondingId,
    })),
  };
}
