// Reads from the frames of a run what the modules did, act by act, for the
// events of the framework.

import { MODULE_ACCOUNTS } from "../precompiles/module-accounts.js";
import { selectorOf } from "../precompiles/selector.js";
import {
  asksToPay,
  deferredPayment,
  type Frame,
  isDeferral,
  type Log,
  type Payment,
  paymentAsked,
} from "./foresight/trace.js";
import { selectors } from "./generated/calls.js";
import { RESERVE } from "./modules/accounts.js";
import type { EmulatedAccounts } from "./modules/emulated-accounts.js";

/**
 * Rewards of a delegation, withdrawn by a claim or because the delegation
 * changes.
 */
export interface Withdrawal {
  readonly delegator: string;
  readonly operator: string;
  /** Base units. */
  readonly rewards: bigint;
  /** The validator before the delegation changes; absent for a claim. */
  readonly bond?: Bond;
}

/** A validator's stake. */
export interface Bond {
  /** Base units. */
  readonly tokens: bigint;
  /** Times 10^18. */
  readonly shares: bigint;
}

/** A log of a precompile, and the calldata of the call that wrote it. */
export interface Told {
  readonly log: Log;
  readonly input: string;
}

/** A payment, a withdrawal, or a log of a module. */
export type Act = Payment | Withdrawal | Told;

/** The method of users' calls that claim rewards. */
const CLAIM = selectorOf({
  name: "claimRewards",
  inputs: [{ type: "address" }, { type: "uint32" }],
});

const wordAt = (input: string, index: number) =>
  input.slice(10 + 64 * index, 74 + 64 * index);
const numberAt = (input: string, index: number) =>
  BigInt(`0x${wordAt(input, index)}`);
const addressAt = (input: string, index: number) =>
  `0x${wordAt(input, index).slice(24)}`;

/**
 * Module accounts and the reserve, whose payment calldata has an order of its
 * own.
 */
const VAULTS: ReadonlySet<string> = new Set([
  ...Object.values(MODULE_ACCOUNTS),
  RESERVE,
]);

/**
 * Returns what the modules did in a run, in order, without what was reverted.
 */
export function actsIn(
  root: Frame,
  { modules }: Pick<EmulatedAccounts, "modules">,
): readonly Act[] {
  const acts: Act[] = [];

  const paidSince = (first: number) =>
    acts
      .slice(first)
      .reduce(
        (sum, act) =>
          "amount" in act && act.from === MODULE_ACCOUNTS.distribution
            ? sum + act.amount
            : sum,
        0n,
      );

  const claim = ({ input, calls = [] }: Frame) => {
    const delegator = addressAt(input, 0);
    let current: { operator: string; first: number } | undefined;
    const end = () => {
      if (current === undefined) return;
      const { operator, first } = current;
      acts.push({ delegator, operator, rewards: paidSince(first) });
    };
    for (const call of calls) {
      // The distribution module asks this first for each delegation of a claim.
      if (call.input.startsWith(selectors.bond)) {
        end();
        current = { operator: addressAt(call.input, 0), first: acts.length };
      } else visit(call);
    }
    end();
  };

  const visit = (frame: Frame): void => {
    const { type, from, to = "", input, error, calls = [] } = frame;
    if (error !== undefined || type === "STATICCALL") return;
    const isOwn = modules.has(from);
    if (isOwn && asksToPay(input)) {
      acts.push(paymentAsked(to, input, VAULTS.has(to)));
      return;
    }
    if (isOwn && modules.has(to) && isDeferral(input)) {
      acts.push(deferredPayment(input));
      return;
    }
    const first = acts.length;
    if (modules.has(to) && input.startsWith(CLAIM)) {
      claim(frame);
    } else {
      calls.forEach(visit);
    }
    // The staking module has a delegation's rewards withdrawn before it changes
    // the delegation.
    const changes =
      input.startsWith(selectors.delegationChanging) ||
      input.startsWith(selectors.sharesAdded);
    if (isOwn && changes && numberAt(input, 2) > 0n) {
      acts.push({
        delegator: addressAt(input, 0),
        operator: addressAt(input, 1),
        rewards: paidSince(first),
        bond: { tokens: numberAt(input, 5), shares: numberAt(input, 6) },
      });
    }
    // A module writes its log after the act.
    for (const log of frame.logs ?? []) {
      if (modules.has(log.address.toLowerCase())) acts.push({ log, input });
    }
  };

  visit(root);
  return acts;
}
