// Looked up for each call in a trace: what the end of the block will have to
// do.

import { DEFINITIONS } from "../../precompiles/addresses.js";
import { selectorOf } from "../../precompiles/selector.js";

/** What a call of a module can do to the time at which the end of a block next has something to do. */
export type Effect =
  /** Nothing. */
  | "none"
  /** What is known of validators may have to change at the end of the block. */
  | "set"
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
/** What changes validators; nothing becomes due by it but at the end of its block. */
const SET = new Set(["delegate", "editValidator"]);

/** By these the caller, or who is named, pays a module. */
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

/** The effect of a call of a module with this calldata; calls that no method takes have none. */
export const effectOf = (calldata: string): Effect =>
  effects.get(calldata.slice(0, 10)) ?? "none";

/** Whether a call of a module with this calldata can change nothing. */
export const isView = (calldata: string): boolean =>
  views.has(calldata.slice(0, 10));

/** Whether somebody pays by a call of a module with this calldata. */
export const isPayment = (calldata: string): boolean =>
  paying.has(calldata.slice(0, 10));

export const larger = (a: Effect, b: Effect): Effect =>
  a === "any" || b === "any"
    ? "any"
    : a === "set" || b === "set"
      ? "set"
      : "none";
