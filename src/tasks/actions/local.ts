import type { LocalChainControl } from "../../commands/local/control.js";
import {
  advanceText,
  localStateText,
  localValidatorText,
  rewardRateText,
  snapshotText,
} from "../../commands/local/messages.js";
import { localAction } from "../module-action.js";

type Options<Name extends keyof LocalChainControl> = Parameters<
  LocalChainControl[Name]
>[0];

export const state = localAction(
  async (chain: LocalChainControl) => await chain.state(),
  localStateText,
);
export const advance = localAction(
  async (chain, options: Options<"advance">) => await chain.advance(options),
  advanceText,
);
export const next = localAction(
  async (chain: LocalChainControl) => await chain.next(),
  advanceText,
);
export const voteEnd = localAction(
  async (chain, options: Options<"voteEnd">) => await chain.voteEnd(options),
  advanceText,
);
export const slash = localAction(
  async (chain, options: Options<"slash">) => await chain.slash(options),
  localValidatorText("slashed"),
);
export const jail = localAction(
  async (chain, options: Options<"jail">) => await chain.jail(options),
  localValidatorText("jailed"),
);
export const unjail = localAction(
  async (chain, options: Options<"unjail">) => await chain.unjail(options),
  localValidatorText("unjailed"),
);
export const rewardRate = localAction(
  async (chain, options: Options<"rewardRate">) =>
    await chain.rewardRate(options),
  rewardRateText,
);
export const depositRewards = localAction(
  async (chain, options: Options<"depositRewards">) =>
    await chain.depositRewards(options),
  localValidatorText("given rewards"),
);
export const addValidator = localAction(
  async (chain, options: Options<"addValidator">) =>
    await chain.addValidator(options),
  localValidatorText("added"),
);
export const snapshot = localAction(
  async (chain: LocalChainControl) => await chain.snapshot(),
  snapshotText("A snapshot of the chain's state was taken"),
);
export const restore = localAction(
  async (chain, options: Options<"restore">) => await chain.restore(options),
  snapshotText("The chain's state was restored"),
);
