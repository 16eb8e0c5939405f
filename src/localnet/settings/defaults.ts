// What the configuration leaves open.

import { createHash } from "node:crypto";

import { accountWithoutKey } from "../../address/without-key.js";

const DAY = 86_400n;
const TOKEN = 10n ** 18n;

/** The chain at its start, where the configuration does not say otherwise. Periods in seconds, rates: 10^18 is 1. */
export const DEFAULT_LOCALNET = {
  unbondingTime: 21n * DAY,
  maxValidators: 100,
  maxEntries: 7,
  rewardRate: TOKEN / 10n,
  stake: "1000",
  commission: { rate: "0.1", maxRate: "0.2", maxChangeRate: "0.01" },
} as const;

/** What the chain does to validators that do not sign. */
export const DEFAULT_SLASHING = {
  signedBlocksWindow: 100n,
  minSignedPerWindow: TOKEN / 2n,
  downtimeJailDuration: 600n,
  doubleSignFraction: TOKEN / 20n,
  downtimeFraction: TOKEN / 100n,
} as const;

/** Governance as the framework's genesis has it, with deposits in whole tokens. */
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

/** Three validators whose operators nobody has a key of; tests impersonate them. */
export const DEFAULT_VALIDATORS = ["Alpha", "Beta", "Gamma"].map((moniker) => ({
  operator: accountWithoutKey(`validator.${moniker}`),
  moniker,
}));

/** A consensus key of its own for every operator; no node has the private key. */
export function defaultKey(operator: string): string {
  return createHash("sha256")
    .update(`consensus ${operator.toLowerCase()}`)
    .digest("base64");
}
