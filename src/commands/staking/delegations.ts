import { parseAddress } from "../../address/index.js";
import { totalRewards } from "../../framework/query/distribution.js";
import {
  delegation as delegationQuestion,
  redelegations as redelegationsQuestion,
  unbonding as unbondingQuestion,
  validators as validatorsQuestion,
} from "../../framework/query/staking.js";
import { type Money, nativeMoney } from "../shared/money.js";
import type { ModuleReader } from "../modules/reader.js";
import { validatorsAt } from "../modules/validators.js";
import {
  coinMoney,
  instant,
  nameOf,
  rewardMoney,
  type ValidatorName,
} from "../modules/values.js";
import type { Ui } from "../shared/ui.js";
import { shortStatus, type ValidatorRow } from "./validators.js";

/** The account that a report is about. */
export interface OfAccount {
  readonly network: string;
  readonly chainId: number;
  readonly address: string;
  /** The same as an account address. */
  readonly account: string;
}

export interface DelegationRow extends ValidatorName {
  readonly status: ValidatorRow["status"];
  readonly jailed: boolean;
  readonly delegated: Money;
  /** Rewards that are not paid out yet. */
  readonly rewards: readonly Money[];
}

export interface DelegationsReport extends OfAccount {
  /** The largest first. */
  readonly delegations: readonly DelegationRow[];
  readonly total: Money;
  readonly rewards: readonly Money[];
}

export interface UnbondingRow extends ValidatorName {
  /** The block in which the entry was created; `staking cancel` takes it. */
  readonly creationHeight: bigint;
  /** When the tokens are paid out, in UTC. */
  readonly completionTime?: string;
  readonly balance: Money;
  /** Before slashing and cancelling. */
  readonly initialBalance: Money;
}

export interface RedelegationRow {
  readonly from: ValidatorName;
  readonly to: ValidatorName;
  readonly creationHeight: bigint;
  /** The tokens cannot be redelegated again before this time, in UTC. */
  readonly completionTime?: string;
  readonly balance: Money;
}

export interface UnbondingReport extends OfAccount {
  /** Ordered by the time at which they end. */
  readonly unbonding: readonly UnbondingRow[];
  readonly redelegations: readonly RedelegationRow[];
  readonly total: Money;
}

/** An address in both forms, with the network. */
export function ofAccount(reader: ModuleReader, text: string): OfAccount {
  const { name, chainId, facts } = reader.network;
  const { hex, account } = parseAddress(text, { prefix: facts.bech32Prefix });
  return { network: name, chainId, address: hex, account };
}

/** An account's delegations, with their rewards. */
export async function listDelegations(
  reader: ModuleReader,
  address: string,
): Promise<DelegationsReport> {
  const of = ofAccount(reader, address);
  const { facts } = reader.network;
  // The staking precompile cannot list an account's delegations, but distribution can.
  const due = await reader.ask(totalRewards, { delegator: of.address });
  const operators = due.rewards.map(({ validator }) => validator.valoper);
  const [delegations, validators] = await Promise.all([
    reader.each(operators, delegationQuestion, (validator) => ({
      validator,
      delegator: of.address,
    })),
    validatorsAt(reader, operators),
  ]);
  const rows = due.rewards.map(({ validator, reward }, index) => {
    const known = validators[index];
    return {
      ...nameOf(validator, known?.description),
      status: shortStatus(known?.status ?? "BOND_STATUS_UNSPECIFIED"),
      jailed: known?.jailed ?? false,
      delegated: coinMoney(
        delegations[index]?.balance ?? { denom: facts.baseDenom, amount: 0n },
        facts,
      ),
      rewards: rewardMoney(reward, facts),
    };
  });
  return {
    ...of,
    delegations: rows.sort((a, b) =>
      a.delegated.baseUnits > b.delegated.baseUnits ? -1 : 1,
    ),
    total: nativeMoney(
      rows.reduce((sum, { delegated }) => sum + delegated.baseUnits, 0n),
      facts,
    ),
    rewards: rewardMoney(due.total, facts),
  };
}

/** An account's unbonding entries, and its redelegations that have not ended. */
export async function listUnbonding(
  reader: ModuleReader,
  address: string,
  ui: Ui,
): Promise<UnbondingReport> {
  const of = ofAccount(reader, address);
  const { facts } = reader.network;
  const delegator = of.address;
  // No precompile lists an account's entries, so each validator is asked about.
  const validators = await reader.all(validatorsQuestion, {});
  let entries;
  try {
    entries = await reader.each(
      validators,
      unbondingQuestion,
      ({ operator }) => ({ delegator, validator: operator.valoper }),
      (count) =>
        ui.progress(
          `looking at ${count} of ${validators.length} validators for unbonding entries`,
        ),
    );
  } finally {
    ui.progress(undefined);
  }
  const redelegations = await reader.all(redelegationsQuestion, { delegator });
  const monikers = new Map(
    validators.map((validator) => [validator.operator.hex, validator]),
  );
  const unbonding = validators.flatMap(({ operator, description }, index) =>
    (entries[index] ?? []).map((entry) => ({
      ...nameOf(operator, description),
      creationHeight: entry.creationHeight,
      completionTime: instant(entry.completionTime),
      balance: nativeMoney(entry.balance, facts),
      initialBalance: nativeMoney(entry.initialBalance, facts),
    })),
  );
  return {
    ...of,
    unbonding: unbonding.sort(firstToEnd),
    redelegations: redelegations
      .flatMap(({ source, destination, entries: parts }) =>
        parts.map((entry) => ({
          from: nameOf(source, monikers.get(source.hex)?.description),
          to: nameOf(destination, monikers.get(destination.hex)?.description),
          creationHeight: entry.creationHeight,
          completionTime: instant(entry.completionTime),
          balance: nativeMoney(entry.balance, facts),
        })),
      )
      .sort(firstToEnd),
    total: nativeMoney(
      unbonding.reduce((sum, { balance }) => sum + balance.baseUnits, 0n),
      facts,
    ),
  };
}

const firstToEnd = (
  a: { readonly completionTime?: string },
  b: { readonly completionTime?: string },
) => ((a.completionTime ?? "") < (b.completionTime ?? "") ? -1 : 1);
