/**
 * The governance precompile's ABI, as in cosmos/evm v0.5 to v0.8: the same entries as its
 * `precompiles/gov/abi.json`, without internal types.
 */
export const governanceAbi = [
  {
    type: "event",
    name: "CancelProposal",
    inputs: [
      {
        name: "proposer",
        type: "address",
        indexed: true,
      },
      {
        name: "proposalId",
        type: "uint64",
        indexed: false,
      },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "Deposit",
    inputs: [
      {
        name: "depositor",
        type: "address",
        indexed: true,
      },
      {
        name: "proposalId",
        type: "uint64",
        indexed: false,
      },
      {
        name: "amount",
        type: "tuple[]",
        components: [
          {
            name: "denom",
            type: "string",
          },
          {
            name: "amount",
            type: "uint256",
          },
        ],
        indexed: false,
      },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "SubmitProposal",
    inputs: [
      {
        name: "proposer",
        type: "address",
        indexed: true,
      },
      {
        name: "proposalId",
        type: "uint64",
        indexed: false,
      },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "Vote",
    inputs: [
      {
        name: "voter",
        type: "address",
        indexed: true,
      },
      {
        name: "proposalId",
        type: "uint64",
        indexed: false,
      },
      {
        name: "option",
        type: "uint8",
        indexed: false,
      },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "VoteWeighted",
    inputs: [
      {
        name: "voter",
        type: "address",
        indexed: true,
      },
      {
        name: "proposalId",
        type: "uint64",
        indexed: false,
      },
      {
        name: "options",
        type: "tuple[]",
        components: [
          {
            name: "option",
            type: "uint8",
          },
          {
            name: "weight",
            type: "string",
          },
        ],
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
      {
        name: "proposer",
        type: "address",
      },
      {
        name: "proposalId",
        type: "uint64",
      },
    ],
    outputs: [
      {
        name: "success",
        type: "bool",
      },
    ],
  },
  {
    type: "function",
    name: "deposit",
    stateMutability: "nonpayable",
    inputs: [
      {
        name: "depositor",
        type: "address",
      },
      {
        name: "proposalId",
        type: "uint64",
      },
      {
        name: "amount",
        type: "tuple[]",
        components: [
          {
            name: "denom",
            type: "string",
          },
          {
            name: "amount",
            type: "uint256",
          },
        ],
      },
    ],
    outputs: [
      {
        name: "success",
        type: "bool",
      },
    ],
  },
  {
    type: "function",
    name: "getConstitution",
    stateMutability: "view",
    inputs: [],
    outputs: [
      {
        name: "constitution",
        type: "string",
      },
    ],
  },
  {
    type: "function",
    name: "getDeposit",
    stateMutability: "view",
    inputs: [
      {
        name: "proposalId",
        type: "uint64",
      },
      {
        name: "depositor",
        type: "address",
      },
    ],
    outputs: [
      {
        name: "deposit",
        type: "tuple",
        components: [
          {
            name: "proposalId",
            type: "uint64",
          },
          {
            name: "depositor",
            type: "address",
          },
          {
            name: "amount",
            type: "tuple[]",
            components: [
              {
                name: "denom",
                type: "string",
              },
              {
                name: "amount",
                type: "uint256",
              },
            ],
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "getDeposits",
    stateMutability: "view",
    inputs: [
      {
        name: "proposalId",
        type: "uint64",
      },
      {
        name: "pagination",
        type: "tuple",
        components: [
          {
            name: "key",
            type: "bytes",
          },
          {
            name: "offset",
            type: "uint64",
          },
          {
            name: "limit",
            type: "uint64",
          },
          {
            name: "countTotal",
            type: "bool",
          },
          {
            name: "reverse",
            type: "bool",
          },
        ],
      },
    ],
    outputs: [
      {
        name: "deposits",
        type: "tuple[]",
        components: [
          {
            name: "proposalId",
            type: "uint64",
          },
          {
            name: "depositor",
            type: "address",
          },
          {
            name: "amount",
            type: "tuple[]",
            components: [
              {
                name: "denom",
                type: "string",
              },
              {
                name: "amount",
                type: "uint256",
              },
            ],
          },
        ],
      },
      {
        name: "pageResponse",
        type: "tuple",
        components: [
          {
            name: "nextKey",
            type: "bytes",
          },
          {
            name: "total",
            type: "uint64",
          },
        ],
      },
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
          {
            name: "votingPeriod",
            type: "int64",
          },
          {
            name: "minDeposit",
            type: "tuple[]",
            components: [
              {
                name: "denom",
                type: "string",
              },
              {
                name: "amount",
                type: "uint256",
              },
            ],
          },
          {
            name: "maxDepositPeriod",
            type: "int64",
          },
          {
            name: "quorum",
            type: "string",
          },
          {
            name: "threshold",
            type: "string",
          },
          {
            name: "vetoThreshold",
            type: "string",
          },
          {
            name: "minInitialDepositRatio",
            type: "string",
          },
          {
            name: "proposalCancelRatio",
            type: "string",
          },
          {
            name: "proposalCancelDest",
            type: "string",
          },
          {
            name: "expeditedVotingPeriod",
            type: "int64",
          },
          {
            name: "expeditedThreshold",
            type: "string",
          },
          {
            name: "expeditedMinDeposit",
            type: "tuple[]",
            components: [
              {
                name: "denom",
                type: "string",
              },
              {
                name: "amount",
                type: "uint256",
              },
            ],
          },
          {
            name: "burnVoteQuorum",
            type: "bool",
          },
          {
            name: "burnProposalDepositPrevote",
            type: "bool",
          },
          {
            name: "burnVoteVeto",
            type: "bool",
          },
          {
            name: "minDepositRatio",
            type: "string",
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "getProposal",
    stateMutability: "view",
    inputs: [
      {
        name: "proposalId",
        type: "uint64",
      },
    ],
    outputs: [
      {
        name: "proposal",
        type: "tuple",
        components: [
          {
            name: "id",
            type: "uint64",
          },
          {
            name: "messages",
            type: "string[]",
          },
          {
            name: "status",
            type: "uint32",
          },
          {
            name: "finalTallyResult",
            type: "tuple",
            components: [
              {
                name: "yes",
                type: "string",
              },
              {
                name: "abstain",
                type: "string",
              },
              {
                name: "no",
                type: "string",
              },
              {
                name: "noWithVeto",
                type: "string",
              },
            ],
          },
          {
            name: "submitTime",
            type: "uint64",
          },
          {
            name: "depositEndTime",
            type: "uint64",
          },
          {
            name: "totalDeposit",
            type: "tuple[]",
            components: [
              {
                name: "denom",
                type: "string",
              },
              {
                name: "amount",
                type: "uint256",
              },
            ],
          },
          {
            name: "votingStartTime",
            type: "uint64",
          },
          {
            name: "votingEndTime",
            type: "uint64",
          },
          {
            name: "metadata",
            type: "string",
          },
          {
            name: "title",
            type: "string",
          },
          {
            name: "summary",
            type: "string",
          },
          {
            name: "proposer",
            type: "address",
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "getProposals",
    stateMutability: "view",
    inputs: [
      {
        name: "proposalStatus",
        type: "uint32",
      },
      {
        name: "voter",
        type: "address",
      },
      {
        name: "depositor",
        type: "address",
      },
      {
        name: "pagination",
        type: "tuple",
        components: [
          {
            name: "key",
            type: "bytes",
          },
          {
            name: "offset",
            type: "uint64",
          },
          {
            name: "limit",
            type: "uint64",
          },
          {
            name: "countTotal",
            type: "bool",
          },
          {
            name: "reverse",
            type: "bool",
          },
        ],
      },
    ],
    outputs: [
      {
        name: "proposals",
        type: "tuple[]",
        components: [
          {
            name: "id",
            type: "uint64",
          },
          {
            name: "messages",
            type: "string[]",
          },
          {
            name: "status",
            type: "uint32",
          },
          {
            name: "finalTallyResult",
            type: "tuple",
            components: [
              {
                name: "yes",
                type: "string",
              },
              {
                name: "abstain",
                type: "string",
              },
              {
                name: "no",
                type: "string",
              },
              {
                name: "noWithVeto",
                type: "string",
              },
            ],
          },
          {
            name: "submitTime",
            type: "uint64",
          },
          {
            name: "depositEndTime",
            type: "uint64",
          },
          {
            name: "totalDeposit",
            type: "tuple[]",
            components: [
              {
                name: "denom",
                type: "string",
              },
              {
                name: "amount",
                type: "uint256",
              },
            ],
          },
          {
            name: "votingStartTime",
            type: "uint64",
          },
          {
            name: "votingEndTime",
            type: "uint64",
          },
          {
            name: "metadata",
            type: "string",
          },
          {
            name: "title",
            type: "string",
          },
          {
            name: "summary",
            type: "string",
          },
          {
            name: "proposer",
            type: "address",
          },
        ],
      },
      {
        name: "pageResponse",
        type: "tuple",
        components: [
          {
            name: "nextKey",
            type: "bytes",
          },
          {
            name: "total",
            type: "uint64",
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "getTallyResult",
    stateMutability: "view",
    inputs: [
      {
        name: "proposalId",
        type: "uint64",
      },
    ],
    outputs: [
      {
        name: "tallyResult",
        type: "tuple",
        components: [
          {
            name: "yes",
            type: "string",
          },
          {
            name: "abstain",
            type: "string",
          },
          {
            name: "no",
            type: "string",
          },
          {
            name: "noWithVeto",
            type: "string",
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "getVote",
    stateMutability: "view",
    inputs: [
      {
        name: "proposalId",
        type: "uint64",
      },
      {
        name: "voter",
        type: "address",
      },
    ],
    outputs: [
      {
        name: "vote",
        type: "tuple",
        components: [
          {
            name: "proposalId",
            type: "uint64",
          },
          {
            name: "voter",
            type: "address",
          },
          {
            name: "options",
            type: "tuple[]",
            components: [
              {
                name: "option",
                type: "uint8",
              },
              {
                name: "weight",
                type: "string",
              },
            ],
          },
          {
            name: "metadata",
            type: "string",
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "getVotes",
    stateMutability: "view",
    inputs: [
      {
        name: "proposalId",
        type: "uint64",
      },
      {
        name: "pagination",
        type: "tuple",
        components: [
          {
            name: "key",
            type: "bytes",
          },
          {
            name: "offset",
            type: "uint64",
          },
          {
            name: "limit",
            type: "uint64",
          },
          {
            name: "countTotal",
            type: "bool",
          },
          {
            name: "reverse",
            type: "bool",
          },
        ],
      },
    ],
    outputs: [
      {
        name: "votes",
        type: "tuple[]",
        components: [
          {
            name: "proposalId",
            type: "uint64",
          },
          {
            name: "voter",
            type: "address",
          },
          {
            name: "options",
            type: "tuple[]",
            components: [
              {
                name: "option",
                type: "uint8",
              },
              {
                name: "weight",
                type: "string",
              },
            ],
          },
          {
            name: "metadata",
            type: "string",
          },
        ],
      },
      {
        name: "pageResponse",
        type: "tuple",
        components: [
          {
            name: "nextKey",
            type: "bytes",
          },
          {
            name: "total",
            type: "uint64",
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "submitProposal",
    stateMutability: "nonpayable",
    inputs: [
      {
        name: "proposer",
        type: "address",
      },
      {
        name: "jsonProposal",
        type: "bytes",
      },
      {
        name: "deposit",
        type: "tuple[]",
        components: [
          {
            name: "denom",
            type: "string",
          },
          {
            name: "amount",
            type: "uint256",
          },
        ],
      },
    ],
    outputs: [
      {
        name: "proposalId",
        type: "uint64",
      },
    ],
  },
  {
    type: "function",
    name: "vote",
    stateMutability: "nonpayable",
    inputs: [
      {
        name: "voter",
        type: "address",
      },
      {
        name: "proposalId",
        type: "uint64",
      },
      {
        name: "option",
        type: "uint8",
      },
      {
        name: "metadata",
        type: "string",
      },
    ],
    outputs: [
      {
        name: "success",
        type: "bool",
      },
    ],
  },
  {
    type: "function",
    name: "voteWeighted",
    stateMutability: "nonpayable",
    inputs: [
      {
        name: "voter",
        type: "address",
      },
      {
        name: "proposalId",
        type: "uint64",
      },
      {
        name: "options",
        type: "tuple[]",
        components: [
          {
            name: "option",
            type: "uint8",
          },
          {
            name: "weight",
            type: "string",
          },
        ],
      },
      {
        name: "metadata",
        type: "string",
      },
    ],
    outputs: [
      {
        name: "success",
        type: "bool",
      },
    ],
  },
] as const;
