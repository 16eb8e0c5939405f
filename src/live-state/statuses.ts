import {
  BOND_STATUSES,
  PROPOSAL_STATUSES,
} from "../framework/query/answers.js";

// Stores and precompiles number what REST names.
export const BONDED = BOND_STATUSES.indexOf("BOND_STATUS_BONDED");
/** What asks for proposals of any status. */
export const ANY_STATUS = PROPOSAL_STATUSES.indexOf(
  "PROPOSAL_STATUS_UNSPECIFIED",
);
export const DEPOSIT_PERIOD = PROPOSAL_STATUSES.indexOf(
  "PROPOSAL_STATUS_DEPOSIT_PERIOD",
);
export const VOTING_PERIOD = PROPOSAL_STATUSES.indexOf(
  "PROPOSAL_STATUS_VOTING_PERIOD",
);

/** The statuses of proposals that still take deposits or votes. */
export const OPEN_STATUSES: readonly number[] = [DEPOSIT_PERIOD, VOTING_PERIOD];

/** Whether a proposal still takes deposits or votes. */
export const isOpen = (status: number) => OPEN_STATUSES.includes(status);

/** Whether a validator can have this status. */
export const isBondStatus = (status: number) =>
  status > 0 && status in BOND_STATUSES;

/** Whether a proposal can have this status. */
export const isProposalStatus = (status: number) =>
  status > 0 && status in PROPOSAL_STATUSES;
