import { COIN, PAGE_REQUEST, PAGE_RESPONSE } from "../structs.js";

const TALLY = [
  { name: "yes", type: "string" },
  { name: "abstain", type: "string" },
  { name: "no", type: "string" },
  { name: "noWithVeto", type: "string" },
] as const;

const PROPOSAL = [
  { name: "id", type: "uint64" },
  { name: "messages", type: "string[]" },
  { name: "status", type: "uint32" },
  { name: "finalTallyResult", type: "tuple", components: TALLY },
  { name: "submitTime", type: "uint64" },
  { name: "depositEndTime", type: "uint64" },
  { name: "totalDeposit", type: "tuple[]", components: COIN },
  { name: "votingStartTime", type: "uint64" },
  { name: "votingEndTime", type: "uint64" },
  { name: "metadata", type: "string" },
  { name: "title", type: "string" },
  { name: "summary", type: "string" },
  { name: "proposer", type: "address" },
] as const;

const DEPOSIT = [
  { name: "proposalId", type: "uint64" },
  { name: "depositor", type: "address" },
  { name: "amount", type: "tuple[]", components: COIN },
] as const;

const WEIGHTED_OPTION = [
  { name: "option", type: "uint8" },
  { name: "weight", type: "string" },
] as const;

const WEIGHTED_VOTE = [
  { name: "proposalId", type: "uint64" },
  { name: "voter", type: "address" },
  { name: "options", type: "tuple[]", components: WEIGHTED_OPTION },
  { name: "metadata", type: "string" },
] as const;

/**
 * The governance precompile's ABI, as in cosmos/evm v0.5 to v0.8: the same
 * entries as its `precompiles/gov/abi.json`, without internal types.
 */
export const governanceAbi = [
  {
    type: "event",
    name: "CancelProposal",
    inputs: [
      { name: "proposer", type: "address", indexed: true },
      { name: "proposalId", type: "uint64", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "Deposit",
    inputs: [
      { name: "depositor", type: "address", indexed: true },
      { name: "proposalId", type: "uint64", indexed: false },
      { name: "amount", type: "tuple[]", components: COIN, indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "SubmitProposal",
    inputs: [
      { name: "proposer", type: "address", indexed: true },
      { name: "proposalId", type: "uint64", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "Vote",
    inputs: [
      { name: "voter", type: "address", indexed: true },
      { name: "proposalId", type: "uint64", indexed: false },
      { name: "option", type: "uint8", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "VoteWeighted",
    inputs: [
      { name: "voter", type: "address", indexed: true },
      { name: "proposalId", type: "uint64", indexed: false },
      {
        name: "options",
        type: "tuple[]",
        components: WEIGHTED_OPTION,
        indexed: false,
      },
    ],
    anonymous: false,
  },
  {
    type: "function",
    name: "cancelProposal",
    stateMutability: "nonpayable",
    inputs: [
      { name: "proposer", type: "address" },
      { name: "proposalId", type: "uint64" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "deposit",
    stateMutability: "nonpayable",
    inputs: [
      { name: "depositor", type: "address" },
      { name: "proposalId", type: "uint64" },
      { name: "amount", type: "tuple[]", components: COIN },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "getConstitution",
    stateMutability: "view",
    inputs: [],
    outputs: [{ name: "constitution", type: "string" }],
  },
  {
    type: "function",
    name: "getDeposit",
    stateMutability: "view",
    inputs: [
      { name: "proposalId", type: "uint64" },
      { name: "depositor", type: "address" },
    ],
    outputs: [{ name: "deposit", type: "tuple", components: DEPOSIT }],
  },
  {
    type: "function",
    name: "getDeposits",
    stateMutability: "view",
    inputs: [
      { name: "proposalId", type: "uint64" },
      { name: "pagination", type: "tuple", components: PAGE_REQUEST },
    ],
    outputs: [
      { name: "deposits", type: "tuple[]", components: DEPOSIT },
      { name: "pageResponse", type: "tuple", components: PAGE_RESPONSE },
    ],
  },
  {
    type: "function",
    name: "getParams",
    stateMutability: "view",
    inputs: [],
    outputs: [
      {
        name: "params",
        type: "tuple",
        components: [
          { name: "votingPeriod", type: "int64" },
          { name: "minDeposit", type: "tuple[]", components: COIN },
          { name: "maxDepositPeriod", type: "int64" },
          { name: "quorum", type: "string" },
          { name: "threshold", type: "string" },
          { name: "vetoThreshold", type: "string" },
          { name: "minInitialDepositRatio", type: "string" },
          { name: "proposalCancelRatio", type: "string" },
          { name: "proposalCancelDest", type: "string" },
          { name: "expeditedVotingPeriod", type: "int64" },
          { name: "expeditedThreshold", type: "string" },
          { name: "expeditedMinDeposit", type: "tuple[]", components: COIN },
          { name: "burnVoteQuorum", type: "bool" },
          { name: "burnProposalDepositPrevote", type: "bool" },
          { name: "burnVoteVeto", type: "bool" },
          { name: "minDepositRatio", type: "string" },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "getProposal",
    stateMutability: "view",
    inputs: [{ name: "proposalId", type: "uint64" }],
    outputs: [{ name: "proposal", type: "tuple", components: PROPOSAL }],
  },
  {
    type: "function",
    name: "getProposals",
    stateMutability: "view",
    inputs: [
      { name: "proposalStatus", type: "uint32" },
      { name: "voter", type: "address" },
      { name: "depositor", type: "address" },
      { name: "pagination", type: "tuple", components: PAGE_REQUEST },
    ],
    outputs: [
      { name: "proposals", type: "tuple[]", components: PROPOSAL },
      { name: "pageResponse", type: "tuple", components: PAGE_RESPONSE },
    ],
  },
  {
    type: "function",
    name: "getTallyResult",
    stateMutability: "view",
    inputs: [{ name: "proposalId", type: "uint64" }],
    outputs: [{ name: "tallyResult", type: "tuple", components: TALLY }],
  },
  {
    type: "function",
    name: "getVote",
    stateMutability: "view",
    inputs: [
      { name: "proposalId", type: "uint64" },
      { name: "voter", type: "address" },
    ],
    outputs: [{ name: "vote", type: "tuple", components: WEIGHTED_VOTE }],
  },
  {
    type: "function",
    name: "getVotes",
    stateMutability: "view",
    inputs: [
      { name: "proposalId", type: "uint64" },
      { name: "pagination", type: "tuple", components: PAGE_REQUEST },
    ],
    outputs: [
      { name: "votes", type: "tuple[]", components: WEIGHTED_VOTE },
      { name: "pageResponse", type: "tuple", components: PAGE_RESPONSE },
    ],
  },
  {
    type: "function",
    name: "submitProposal",
    stateMutability: "nonpayable",
    inputs: [
      { name: "proposer", type: "address" },
      { name: "jsonProposal", type: "bytes" },
      { name: "deposit", type: "tuple[]", components: COIN },
    ],
    outputs: [{ name: "proposalId", type: "uint64" }],
  },
  {
    type: "function",
    name: "vote",
    stateMutability: "nonpayable",
    inputs: [
      { name: "voter", type: "address" },
      { name: "proposalId", type: "uint64" },
      { name: "option", type: "uint8" },
      { name: "metadata", type: "string" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "voteWeighted",
    stateMutability: "nonpayable",
    inputs: [
      { name: "voter", type: "address" },
      { name: "proposalId", type: "uint64" },
      { name: "options", type: "tuple[]", components: WEIGHTED_OPTION },
      { name: "metadata", type: "string" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
] as const;
