// Default values for what the configuration leaves out.

import { createHash } from "node:crypto";

import { accountWithoutKey } from "../../address/without-key.js";

const DAY = 86_400n;
const TOKEN = 10n ** 18n;

/**
 * Defaults of `dualstack.localnet`: periods in seconds, the yearly reward rate
 * scaled by 10^18. Stake and commission are written as a user writes them:
 * whole tokens, and 0.1 for 10 %.
 */
export const DEFAULT_LOCALNET = {
  unbondingTime: 21n * DAY,
  maxValidators: 100,
  maxEntries: 7,
  rewardRate: TOKEN / 10n,
  stake: "1000",
  commission: { rate: "0.1", maxRate: "0.2", maxChangeRate: "0.01" },
} as const;

/**
 * The slashing parameters: a window in blocks, fractions scaled by 10^18, and
 * the time in jail in seconds.
 */
export const DEFAULT_SLASHING = {
  signedBlocksWindow: 100n,
  minSignedPerWindow: TOKEN / 2n,
  downtimeJailDuration: 600n,
  doubleSignFraction: TOKEN / 20n,
  downtimeFraction: TOKEN / 100n,
} as const;

/**
 * The Cosmos SDK's default governance parameters, with deposits counted in
 * whole tokens. Periods in seconds, deposits in base units, ratios scaled by
 * 10^18.
 */
export const DEFAULT_GOVERNANCE = {
  votingPeriod: 2n * DAY,
  expeditedVotingPeriod: DAY,
  depositPeriod: 2n * DAY,
  minDeposit: 10n * TOKEN,
  expeditedMinDeposit: 50n * TOKEN,
  quorum: (334n * TOKEN) / 1000n,
  threshold: (5n * TOKEN) / 10n,
  expeditedThreshold: (667n * TOKEN) / 1000n,
  vetoThreshold: (334n * TOKEN) / 1000n,
  minInitialDepositRatio: 0n,
  minDepositRatio: TOKEN / 100n,
  proposalCancelRatio: TOKEN / 2n,
  proposalCancelDest: "",
  burnVoteQuorum: false,
  burnProposalDepositPrevote: false,
  burnVoteVeto: true,
  constitution: "",
  ignoreUnknownMessages: false,
} as const;

/**
 * Three validators whose operators have no private key; tests impersonate them.
 */
export const DEFAULT_VALIDATORS = ["Alpha", "Beta", "Gamma"].map((moniker) => ({
  operator: accountWithoutKey(`validator.${moniker}`),
  moniker,
}));

/**
 * Derives a consensus public key from an operator address, in base64. Its
 * private key is unknown.
 */
export function defaultKey(operator: string): string {
  return createHash("sha256")
    .update(`consensus ${operator.toLowerCase()}`)
    .digest("base64");
}
