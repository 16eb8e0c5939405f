// Looked up for each call of a trace: what it leaves for the end of the block
// to do.

import { DEFINITIONS } from "../../precompiles/addresses.js";
import { selectorOf } from "../../precompiles/selector.js";

/**
 * How a call to a module can change when the end of a block next has something
 * to do.
 */
export type Effect =
  | "none"
  /** The end of this block may have to update the validators. */
  | "set"
  /** New work may become due at any time. */
  | "any";

const NONE = new Set([
  "withdrawDelegatorRewards",
  "claimRewards",
  "withdrawValidatorCommission",
  "setWithdrawAddress",
  "fundCommunityPool",
  "depositValidatorRewardsPool",
  "vote",
  "voteWeighted",
]);
/**
 * Methods that change validators; nothing becomes due by them after the end of
 * the block.
 */
const SET = new Set(["delegate", "editValidator"]);

/** Methods by which the caller, or an account that they name, pays a module. */
const PAYING = new Set([
  "delegate",
  "createValidator",
  "deposit",
  "submitProposal",
  "fundCommunityPool",
  "depositValidatorRewardsPool",
]);

const effects = new Map<string, Effect>();
const views = new Set<string>();
const paying = new Set<string>();
for (const method of Object.values(DEFINITIONS)
  .filter(({ isModule }) => isModule)
  .flatMap(({ abi }) => abi)) {
  if (method.type !== "function") continue;
  const selector = selectorOf(method);
  const isView = method.stateMutability === "view";
  if (isView) views.add(selector);
  if (PAYING.has(method.name)) paying.add(selector);
  const calm = isView || NONE.has(method.name);
  effects.set(selector, calm ? "none" : SET.has(method.name) ? "set" : "any");
}

/** Returns the effect of a call to a module; unknown methods have none. */
export const effectOf = (calldata: string): Effect =>
  effects.get(calldata.slice(0, 10)) ?? "none";

/** Whether a call to a module with this calldata is a view. */
export const isView = (calldata: string): boolean =>
  views.has(calldata.slice(0, 10));

/** Whether an account pays by a call to a module with this calldata. */
export const isPayment = (calldata: string): boolean =>
  paying.has(calldata.slice(0, 10));

/** Returns the effect that covers both. */
export const larger = (a: Effect, b: Effect): Effect =>
  a === "any" || b === "any"
    ? "any"
    : a === "set" || b === "set"
      ? "set"
      : "none";
