import {
  cancelProposal,
  depositOn,
  submitProposal,
  type SubmitReport,
  vote,
} from "../../commands/governance/act.js";
import {
  parseProposal,
  type ProposalFile,
} from "../../commands/governance/proposal-file.js";
import {
  listProposals,
  showParams,
  showProposal,
} from "../../commands/governance/proposals.js";
import {
  cancelProposalText,
  depositText,
  paramsText,
  proposalsText,
  proposalText,
  submitText,
  voteReportText,
} from "../../commands/governance/messages.js";
import type { SendOptions } from "../../commands/shared/sending.js";
import { readGivenFile } from "../given-file.js";
import { readingAction, sendingAction } from "../module-action.js";

interface SubmitArguments extends SendOptions {
  readonly file: string;
  readonly deposit: string | undefined;
}

export const list = readingAction(listProposals, proposalsText);
export const show = readingAction(showProposal, proposalText);
export const params = readingAction(showParams, paramsText);
export const submit = sendingAction<SubmitArguments, SubmitReport>(
  async (sender, ui, { file, ...options }) =>
    await submitProposal(sender, ui, await readProposal(file), options),
  submitText,
);
export const deposit = sendingAction(depositOn, depositText);
export const castVote = sendingAction(vote, voteReportText);
export const cancel = sendingAction(cancelProposal, cancelProposalText);

async function readProposal(file: string): Promise<ProposalFile> {
  return parseProposal(await readGivenFile(file), file);
}
