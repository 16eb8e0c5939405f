import {
  COIN,
  DEC,
  DEC_COIN,
  PAGE_REQUEST,
  PAGE_RESPONSE,
} from "../structs.js";

/**
 * The distribution precompile's ABI, as in cosmos/evm v0.5 to v0.8: the same
 * entries as its `precompiles/distribution/abi.json`, without internal types.
 */
export const distributionAbi = [
  {
    type: "event",
    name: "ClaimRewards",
    inputs: [
      { name: "delegatorAddress", type: "address", indexed: true },
      { name: "amount", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "DepositValidatorRewardsPool",
    inputs: [
      { name: "depositor", type: "address", indexed: true },
      { name: "validatorAddress", type: "address", indexed: true },
      { name: "denom", type: "string", indexed: false },
      { name: "amount", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "FundCommunityPool",
    inputs: [
      { name: "depositor", type: "address", indexed: true },
      { name: "denom", type: "string", indexed: false },
      { name: "amount", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "SetWithdrawerAddress",
    inputs: [
      { name: "caller", type: "address", indexed: true },
      { name: "withdrawerAddress", type: "string", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "WithdrawDelegatorReward",
    inputs: [
      { name: "delegatorAddress", type: "address", indexed: true },
      { name: "validatorAddress", type: "address", indexed: true },
      { name: "amount", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "WithdrawValidatorCommission",
    inputs: [
      { name: "validatorAddress", type: "string", indexed: true },
      { name: "commission", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "function",
    name: "claimRewards",
    stateMutability: "nonpayable",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "maxRetrieve", type: "uint32" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "communityPool",
    stateMutability: "view",
    inputs: [],
    outputs: [{ name: "coins", type: "tuple[]", components: DEC_COIN }],
  },
  {
    type: "function",
    name: "delegationRewards",
    stateMutability: "view",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorAddress", type: "string" },
    ],
    outputs: [{ name: "rewards", type: "tuple[]", components: DEC_COIN }],
  },
  {
    type: "function",
    name: "delegationTotalRewards",
    stateMutability: "view",
    inputs: [{ name: "delegatorAddress", type: "address" }],
    outputs: [
      {
        name: "rewards",
        type: "tuple[]",
        components: [
          { name: "validatorAddress", type: "string" },
          { name: "reward", type: "tuple[]", components: DEC_COIN },
        ],
      },
      { name: "total", type: "tuple[]", components: DEC_COIN },
    ],
  },
  {
    type: "function",
    name: "delegatorValidators",
    stateMutability: "view",
    inputs: [{ name: "delegatorAddress", type: "address" }],
    outputs: [{ name: "validators", type: "string[]" }],
  },
  {
    type: "function",
    name: "delegatorWithdrawAddress",
    stateMutability: "view",
    inputs: [{ name: "delegatorAddress", type: "address" }],
    outputs: [{ name: "withdrawAddress", type: "string" }],
  },
  {
    type: "function",
    name: "depositValidatorRewardsPool",
    stateMutability: "nonpayable",
    inputs: [
      { name: "depositor", type: "address" },
      { name: "validatorAddress", type: "string" },
      { name: "amount", type: "tuple[]", components: COIN },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "fundCommunityPool",
    stateMutability: "nonpayable",
    inputs: [
      { name: "depositor", type: "address" },
      { name: "amount", type: "tuple[]", components: COIN },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "setWithdrawAddress",
    stateMutability: "nonpayable",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "withdrawerAddress", type: "string" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "validatorCommission",
    stateMutability: "view",
    inputs: [{ name: "validatorAddress", type: "string" }],
    outputs: [{ name: "commission", type: "tuple[]", components: DEC_COIN }],
  },
  {
    type: "function",
    name: "validatorDistributionInfo",
    stateMutability: "view",
    inputs: [{ name: "validatorAddress", type: "string" }],
    outputs: [
      {
        name: "distributionInfo",
        type: "tuple",
        components: [
          { name: "operatorAddress", type: "string" },
          { name: "selfBondRewards", type: "tuple[]", components: DEC_COIN },
          { name: "commission", type: "tuple[]", components: DEC_COIN },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "validatorOutstandingRewards",
    stateMutability: "view",
    inputs: [{ name: "validatorAddress", type: "string" }],
    outputs: [{ name: "rewards", type: "tuple[]", components: DEC_COIN }],
  },
  {
    type: "function",
    name: "validatorSlashes",
    stateMutability: "view",
    inputs: [
      { name: "validatorAddress", type: "string" },
      { name: "startingHeight", type: "uint64" },
      { name: "endingHeight", type: "uint64" },
      { name: "pageRequest", type: "tuple", components: PAGE_REQUEST },
    ],
    outputs: [
      {
        name: "slashes",
        type: "tuple[]",
        components: [
          { name: "validatorPeriod", type: "uint64" },
          {
            name: "fraction",
            type: "tuple",
            components: DEC,
          },
        ],
      },
      { name: "pageResponse", type: "tuple", components: PAGE_RESPONSE },
    ],
  },
  {
    type: "function",
    name: "withdrawDelegatorRewards",
    stateMutability: "nonpayable",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorAddress", type: "string" },
    ],
    outputs: [{ name: "amount", type: "tuple[]", components: COIN }],
  },
  {
    type: "function",
    name: "withdrawValidatorCommission",
    stateMutability: "nonpayable",
    inputs: [{ name: "validatorAddress", type: "string" }],
    outputs: [{ name: "amount", type: "tuple[]", components: COIN }],
  },
] as const;
