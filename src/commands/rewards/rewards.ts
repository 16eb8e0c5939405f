import { parseAddress } from "../../address/index.js";
import {
  commission as commissionQuestion,
  rewards as rewardsQuestion,
  totalRewards,
  withdrawAddress as withdrawAddressQuestion,
} from "../../framework/query/distribution.js";
import {
  delegation as delegationQuestion,
  validator as validatorQuestion,
} from "../../framework/query/staking.js";
import { revertReason } from "../../precompiles/revert-reason.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { DualstackError } from "../../support/errors.js";
import { taskCommand } from "../../support/major.js";
import { cleanText, errorText } from "../../support/text.js";
import { knownOn } from "../shared/known-address.js";
import { type Money, nativeMoney } from "../shared/money.js";
import { ModuleReader } from "../modules/reader.js";
import { type ModuleReport, transact } from "../modules/transact.js";
import { requireValidator, validatorsAt } from "../modules/validators.js";
import {
  addedCoins,
  nameOf,
  rewardMoney,
  type ValidatorName,
  validatorText,
} from "../modules/values.js";
import { type Sender, senderOf, type SendOptions } from "../shared/sending.js";
import { type OfAccount, ofAccount } from "../staking/delegations.js";
import type { Ui } from "../shared/ui.js";
import { moneyText } from "../modules/values.js";

export interface RewardsReport extends OfAccount {
  readonly rewards: readonly (ValidatorName & {
    readonly due: readonly Money[];
  })[];
  readonly total: readonly Money[];
  /** Where rewards are paid to, in both forms. */
  readonly withdrawAddress: string;
  readonly withdrawAccount: string;
  /** Commission that is due, if the account operates a validator. */
  readonly commission?: readonly Money[];
}

export interface WithdrawReport extends ModuleReport {
  /** What was due when it was asked for; a block later it is a little more. */
  readonly due: readonly Money[];
  /** What the chain paid, once the transaction is in a block; absent if the chain does not tell. */
  readonly received?: Money;
  /** The account that was paid. */
  readonly paidTo: string;
}

export interface WithdrawFromReport extends WithdrawReport {
  readonly validator: ValidatorName;
}

export interface ClaimReport extends WithdrawReport {
  /** How many validators were claimed from. */
  readonly validators: number;
  /**
   * Further transactions, if the chain does not let an account claim from so
   * many validators at once.
   */
  readonly further?: {
    readonly transactions: readonly string[];
    /** The fees of these transactions. */
    readonly paid: Money;
  };
}

export interface WithdrawAddressReport extends OfAccount {
  readonly withdrawAddress: string;
  readonly withdrawAccount: string;
}

export interface SetWithdrawAddressReport extends ModuleReport {
  readonly before: string;
  readonly withdrawAddress: string;
  readonly withdrawAccount: string;
}

/** The largest value of claimRewards' argument, a uint32. */
const MAX_UINT32 = 4_294_967_295;

/** An account's rewards that are not paid out yet. */
export async function showRewards(
  reader: ModuleReader,
  address: string,
): Promise<RewardsReport> {
  const of = ofAccount(reader, address);
  const { facts } = reader.network;
  const delegator = of.address;
  const [due, to, own] = await Promise.all([
    reader.ask(totalRewards, { delegator }),
    reader.ask(withdrawAddressQuestion, { delegator }),
    reader.ask(validatorQuestion, { validator: delegator }),
  ]);
  const validators = await validatorsAt(
    reader,
    due.rewards.map(({ validator }) => validator.valoper),
  );
  const commission =
    own === null
      ? undefined
      : await reader.ask(commissionQuestion, { validator: delegator });
  return {
    ...of,
    rewards: due.rewards.map(({ validator, reward }, index) => ({
      ...nameOf(validator, validators[index]?.description),
      due: rewardMoney(reward, facts),
    })),
    total: rewardMoney(due.total, facts),
    withdrawAddress: to.hex,
    withdrawAccount: to.account,
    ...(commission === undefined
      ? {}
      : { commission: rewardMoney(commission, facts) }),
  };
}

/**
 * Withdraws the sending account's rewards from one validator.
 *
 * @throws DualstackError if it has delegated nothing to the validator
 */
export async function withdrawRewards(
  sender: Sender,
  ui: Ui,
  options: SendOptions & { readonly validator: string },
): Promise<WithdrawFromReport> {
  const { network } = sender;
  const reader = new ModuleReader(sender);
  const found = await requireValidator(reader, options.validator);
  const validator = nameOf(found.operator, found.description);
  const delegator = await senderOf(sender);
  const at = { delegator, validator: validator.valoper };
  if ((await reader.ask(delegationQuestion, at)) === null) {
    throw new DualstackError(
      `the account has delegated nothing to ${validatorText(validator)}`,
      {
        network: network.name,
        address: delegator,
        fix: `${taskCommand("rewards show", network.name)} shows where rewards are due.`,
      },
    );
  }
  const due = rewardMoney(await reader.ask(rewardsQuestion, at), network.facts);
  const paidTo = (await reader.ask(withdrawAddressQuestion, at)).hex;
  const { report, event } = await transact(
    sender,
    ui,
    {
      precompile: "distribution",
      method: "withdrawDelegatorRewards",
      args: [delegator, validator.valoper],
      what: `withdrawing rewards from ${validatorText(validator)}`,
      order: `Withdraw ${moneyText(due)} from ${validatorText(validator)} to ${paidTo}`,
    },
    options,
  );
  return {
    ...report,
    validator,
    due,
    ...received(event("WithdrawDelegatorReward")?.amount, due, sender),
    paidTo,
  };
}

/**
 * Claims the sending account's rewards from all its validators at once. If the
 * chain limits how many that may be, the rest is withdrawn one by one.
 *
 * @throws DualstackError; one after the first transaction says what was claimed
 */
export async function claimRewards(
  sender: Sender,
  ui: Ui,
  options: SendOptions & {
    /** The most validators to claim from; default: all. */
    readonly max?: string;
  },
): Promise<ClaimReport> {
  const { network } = sender;
  const max = options.max === undefined ? MAX_UINT32 : parseMax(options.max);
  const reader = new ModuleReader(sender);
  const delegator = await senderOf(sender);
  const [all, to] = await Promise.all([
    reader.ask(totalRewards, { delegator }),
    reader.ask(withdrawAddressQuestion, { delegator }),
  ]);
  const validators = Math.min(max, all.rewards.length);
  if (validators === 0) {
    throw new DualstackError("the account has delegated nothing", {
      network: network.name,
      address: delegator,
      fix: "Only delegations earn rewards.",
    });
  }
  // The chain claims in the order in which it lists the delegations.
  const due =
    validators === all.rewards.length
      ? rewardMoney(all.total, network.facts)
      : rewardMoney(
          addedCoins(
            all.rewards.slice(0, validators).flatMap(({ reward }) => reward),
          ),
          network.facts,
        );
  const claim = async (first: number) =>
    await transact(
      sender,
      ui,
      {
        precompile: "distribution",
        method: "claimRewards",
        args: [delegator, first],
        what: `claiming rewards from ${count(first)}`,
        order: `Claim ${moneyText(due)} from ${count(validators)} to ${to.hex}${first < validators ? `, beyond the first ${first} of them one by one,` : ""}`,
      },
      options,
    );
  const [first, { report, event }] = await claim(validators).then(
    (done) => [validators, done] as const,
    async (error: unknown) => {
      const most = mostAtOnce(error);
      if (most === undefined || most >= validators) {
        throw error;
      }
      return [most, await claim(most)] as const;
    },
  );
  const transactions: string[] = [];
  let fees = 0n;
  let claimed = event("ClaimRewards")?.amount;
  for (const [i, { validator, reward }] of all.rewards
    .slice(0, validators)
    .entries()) {
    if (i < first || reward.length === 0 || options.dryRun === true) {
      continue;
    }
    try {
      const one = await transact(
        sender,
        ui,
        {
          precompile: "distribution",
          method: "withdrawDelegatorRewards",
          args: [delegator, validator.valoper],
          what: `withdrawing rewards from ${validator.valoper}`,
          order: `Withdraw the rewards from ${validator.valoper}`,
        },
        // The user has already confirmed all of it.
        { ...options, yes: true },
      );
      transactions.push(one.report.transaction ?? "");
      fees += one.report.paid?.baseUnits ?? 0n;
      const amount = one.event("WithdrawDelegatorReward")?.amount;
      claimed =
        claimed === undefined || amount === undefined
          ? undefined
          : claimed + amount;
    } catch (error) {
      throw new DualstackError(
        `rewards from ${i} of ${count(validators)} were claimed, then: ${errorText(error)}`,
        {
          network: network.name,
          transaction: report.transaction,
          fix: "Claim again: what was paid is not due any more.",
          cause: error,
        },
      );
    }
  }
  return {
    ...report,
    validators,
    due,
    // The events only count the native token, whatever else was paid.
    ...(claimed === undefined
      ? {}
      : { received: nativeMoney(claimed, network.facts) }),
    ...(transactions.length === 0
      ? {}
      : { further: { transactions, paid: nativeMoney(fees, network.facts) } }),
    paidTo: to.hex,
  };
}

const count = (validators: number) =>
  validators === 1 ? "1 validator" : `${validators} validators`;

/** How many validators an account may claim from at once, if a refusal tells. */
function mostAtOnce(error: unknown): number | undefined {
  const rpc = rpcErrorOf(error instanceof Error ? error.cause : undefined);
  const text = revertReason(rpc?.data) ?? rpc?.message ?? "";
  const most =
    /parameter exceeds the maximum number of validators \((\d{1,9})\)/.exec(
      text,
    )?.[1];
  return most === undefined || Number(most) === 0 ? undefined : Number(most);
}

/**
 * Withdraws the commission of the validator that the sending account operates.
 *
 * @throws DualstackError if it operates none
 */
export async function withdrawCommission(
  sender: Sender,
  ui: Ui,
  options: SendOptions,
): Promise<WithdrawFromReport> {
  const { network } = sender;
  const reader = new ModuleReader(sender);
  const operator = await senderOf(sender);
  const own = await reader.ask(validatorQuestion, { validator: operator });
  if (own === null) {
    throw new DualstackError("the account operates no validator", {
      network: network.name,
      address: operator,
      fix: "Only a validator's operator can withdraw its commission: choose that account with --from.",
    });
  }
  const validator = nameOf(own.operator, own.description);
  const [commission, to] = await Promise.all([
    reader.ask(commissionQuestion, { validator: validator.valoper }),
    reader.ask(withdrawAddressQuestion, { delegator: operator }),
  ]);
  const due = rewardMoney(commission, network.facts);
  const { report, event } = await transact(
    sender,
    ui,
    {
      precompile: "distribution",
      method: "withdrawValidatorCommission",
      args: [validator.valoper],
      what: "withdrawing commission",
      order: `Withdraw ${moneyText(due)} of commission from ${validatorText(validator)} to ${to.hex}`,
    },
    options,
  );
  return {
    ...report,
    validator,
    due,
    ...received(event("WithdrawValidatorCommission")?.commission, due, sender),
    paidTo: to.hex,
  };
}

/** Where an account's rewards are paid to. */
export async function showWithdrawAddress(
  reader: ModuleReader,
  address: string,
): Promise<WithdrawAddressReport> {
  const of = ofAccount(reader, address);
  const to = await reader.ask(withdrawAddressQuestion, {
    delegator: of.address,
  });
  return { ...of, withdrawAddress: to.hex, withdrawAccount: to.account };
}

/**
 * Has the sending account's rewards paid to another account from now on.
 *
 * @throws DualstackError for an address that nobody holds the key of
 */
export async function setWithdrawAddress(
  sender: Sender,
  ui: Ui,
  options: SendOptions & { readonly address: string },
): Promise<SetWithdrawAddressReport> {
  const { network } = sender;
  const to = parseAddress(options.address, {
    prefix: network.facts.bech32Prefix,
    what: "withdraw address",
  });
  const known = await knownOn(network, to);
  if (known !== undefined) {
    throw new DualstackError(
      `the withdraw address is ${known}: rewards paid to it would be lost`,
      { address: to.hex, fix: "Choose an account of your own." },
    );
  }
  const reader = new ModuleReader(sender);
  const delegator = await senderOf(sender);
  const before = await reader.ask(withdrawAddressQuestion, { delegator });
  const { report } = await transact(
    sender,
    ui,
    {
      precompile: "distribution",
      method: "setWithdrawAddress",
      args: [delegator, to.account],
      what: "setting the withdraw address",
      order: `Pay all rewards of ${delegator} to ${to.hex} from now on`,
    },
    options,
  );
  return {
    ...report,
    before: before.hex,
    withdrawAddress: to.hex,
    withdrawAccount: to.account,
  };
}

// The event has only the first denomination, which may be any if several are due.
function received(
  amount: bigint | undefined,
  due: readonly Money[],
  { network }: Sender,
): { readonly received?: Money } {
  if (amount === undefined || due.length > 1) {
    return {};
  }
  const [only = nativeMoney(0n, network.facts)] = due;
  return only.symbol === network.facts.currency.symbol
    ? { received: nativeMoney(amount, network.facts) }
    : {};
}

function parseMax(text: string): number {
  const max = /^[0-9]{1,9}$/.test(text.trim()) ? Number(text) : 0;
  if (max === 0) {
    throw new DualstackError(
      `"${cleanText(text, 40)}" is not a number of validators`,
      {
        fix: "Give --max a number above 0.",
      },
    );
  }
  return max;
}
