import {
  BOND_STATUSES,
  type BondStatus,
  type Validator,
} from "../../framework/query/answers.js";
import {
  commission as commissionQuestion,
  outstandingRewards,
} from "../../framework/query/distribution.js";
import { validators as validatorsQuestion } from "../../framework/query/staking.js";
import type { ChainFacts } from "../../chain/index.js";
import { DualstackError } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import { type Money, nativeMoney } from "../shared/money.js";
import type { ModuleReader } from "../modules/reader.js";
import { requireValidator } from "../modules/validators.js";
import {
  instant,
  nameOf,
  percent,
  rewardMoney,
  shareOf,
  type ValidatorName,
} from "../modules/values.js";

/** A validator's status, without the chain's prefix. */
export const VALIDATOR_STATUSES = ["bonded", "unbonding", "unbonded"] as const;
export type ValidatorStatus = (typeof VALIDATOR_STATUSES)[number];

export interface ValidatorRow extends ValidatorName {
  readonly status: ValidatorStatus | "unspecified";
  readonly jailed: boolean;
  readonly tokens: Money;
  /** Percent of all bonded tokens; absent for validators that are not bonded. */
  readonly share?: string;
  /** Percent of the rewards. */
  readonly commission: string;
}

export interface ValidatorsReport {
  readonly network: string;
  readonly chainId: number;
  /** The one with the most tokens first. */
  readonly validators: readonly ValidatorRow[];
}

export interface ValidatorReport extends ValidatorRow {
  readonly network: string;
  readonly chainId: number;
  readonly minSelfDelegation: Money;
  readonly website: string;
  readonly identity: string;
  readonly securityContact: string;
  readonly details: string;
  /** Commission that is due to the operator. */
  readonly commissionDue: readonly Money[];
  /** All rewards that are due, to delegators and as commission. */
  readonly rewardsDue: readonly Money[];
  /** The key with which it signs blocks, base64. */
  readonly consensusKey: string;
  /** The block since which it is unbonding, if it is. */
  readonly unbondingSince?: bigint;
  readonly unbondingTime?: string;
}

/**
 * All validators, or those with one status.
 *
 * @throws DualstackError for an unknown status
 */
export async function listValidators(
  reader: ModuleReader,
  { status }: { readonly status?: string } = {},
): Promise<ValidatorsReport> {
  const { name, chainId, facts } = reader.network;
  const wanted = status === undefined ? undefined : parseStatus(status);
  const found = await reader.all(
    validatorsQuestion,
    wanted === undefined ? {} : { status: wanted },
  );
  const bonded = found
    .filter((validator) => validator.status === "BOND_STATUS_BONDED")
    .reduce((sum, validator) => sum + validator.tokens, 0n);
  return {
    network: name,
    chainId,
    validators: found
      .sort(byTokens)
      .map((validator) => toRow(validator, facts, bonded)),
  };
}

/** @throws DualstackError if there is no such validator */
export async function showValidator(
  reader: ModuleReader,
  { validator: text }: { readonly validator: string },
): Promise<ValidatorReport> {
  const { name, chainId, facts } = reader.network;
  const validator = await requireValidator(reader, text);
  const of = { validator: validator.operator.valoper };
  const [commissionDue, rewardsDue] = await Promise.all([
    reader.ask(commissionQuestion, of),
    reader.ask(outstandingRewards, of),
  ]);
  const { website, identity, securityContact, details } = validator.description;
  const unbondingTime = instant(validator.unbondingTime);
  return {
    network: name,
    chainId,
    ...toRow(validator, facts),
    minSelfDelegation: nativeMoney(validator.minSelfDelegation, facts),
    website: cleanText(website, 140),
    identity: cleanText(identity, 300),
    securityContact: cleanText(securityContact, 140),
    details: cleanText(details, 280),
    commissionDue: rewardMoney(commissionDue, facts),
    rewardsDue: rewardMoney(rewardsDue, facts),
    consensusKey: Buffer.from(validator.consensusKey).toString("base64"),
    ...(validator.status === "BOND_STATUS_BONDED" || unbondingTime === undefined
      ? {}
      : { unbondingSince: validator.unbondingHeight, unbondingTime }),
  };
}

/** The status without its prefix. */
export const shortStatus = (status: BondStatus): ValidatorRow["status"] =>
  status.slice("BOND_STATUS_".length).toLowerCase() as ValidatorRow["status"];

function toRow(
  validator: Validator,
  facts: ChainFacts,
  bonded?: bigint,
): ValidatorRow {
  const { operator, description, status, jailed, tokens } = validator;
  return {
    ...nameOf(operator, description),
    status: shortStatus(status),
    jailed,
    tokens: nativeMoney(tokens, facts),
    ...(bonded === undefined || status !== "BOND_STATUS_BONDED"
      ? {}
      : { share: shareOf(tokens, bonded) }),
    commission: percent(validator.commissionRate),
  };
}

function byTokens(a: Validator, b: Validator): number {
  if (a.tokens !== b.tokens) {
    return a.tokens > b.tokens ? -1 : 1;
  }
  return a.operator.hex < b.operator.hex ? -1 : 1;
}

function parseStatus(text: string): BondStatus {
  const status = BOND_STATUSES.find(
    (known) => known === `BOND_STATUS_${text.trim().toUpperCase()}`,
  );
  if (status === undefined || status === "BOND_STATUS_UNSPECIFIED") {
    throw new DualstackError(
      `there is no validator status "${cleanText(text, 40)}"`,
      { fix: `Write --status ${VALIDATOR_STATUSES.join(", ")}.` },
    );
  }
  return status;
}
