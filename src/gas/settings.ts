import { RECOMMENDED_GAS_MULTIPLIER } from "../chain/facts.js";

/** How gas limits are made from estimates. */
export interface GasSettings {
  /** Factor on every estimate, 1 to 10. */
  readonly multiplier: number;
  /** Whether estimates of calls that settle rewards are corrected first. */
  readonly rewardsAllowance: boolean;
  /** Highest gas limit of one transaction, if the node enforces one. */
  readonly transactionGasCap: bigint | undefined;
}

export const DEFAULT_GAS: GasSettings = {
  multiplier: RECOMMENDED_GAS_MULTIPLIER,
  rewardsAllowance: true,
  transactionGasCap: undefined,
};

/**
 * Above this factor you pay for unused gas: the chain charges at least half of
 * the limit (`min_gas_multiplier` of its fee market).
 */
export const FREE_MULTIPLIER = 2;
