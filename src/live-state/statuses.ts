import {
  BOND_STATUSES,
  PROPOSAL_STATUSES,
} from "../framework/query/answers.js";

// Stores and precompiles number what REST names.
export const BONDED = BOND_STATUSES.indexOf("BOND_STATUS_BONDED");
export const DEPOSIT_PERIOD = PROPOSAL_STATUSES.indexOf(
  "PROPOSAL_STATUS_DEPOSIT_PERIOD",
);
export const VOTING_PERIOD = PROPOSAL_STATUSES.indexOf(
  "PROPOSAL_STATUS_VOTING_PERIOD",
);

/** Whether a proposal still takes deposits or votes. */
export const isOpen = (status: number) =>
  status === DEPOSIT_PERIOD || status === VOTING_PERIOD;

/** Whether a validator can have this status. */
export const isBondStatus = (status: number) =>
  status > 0 && status in BOND_STATUSES;

/** Whether a proposal can have this status. */
export const isProposalStatus = (status: number) =>
  status > 0 && status in PROPOSAL_STATUSES;
