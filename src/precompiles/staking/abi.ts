import { COIN, PAGE_REQUEST, PAGE_RESPONSE } from "../structs.js";

const DESCRIPTION = [
  { name: "moniker", type: "string" },
  { name: "identity", type: "string" },
  { name: "website", type: "string" },
  { name: "securityContact", type: "string" },
  { name: "details", type: "string" },
] as const;

const VALIDATOR = [
  { name: "operatorAddress", type: "string" },
  { name: "consensusPubkey", type: "string" },
  { name: "jailed", type: "bool" },
  { name: "status", type: "uint8" },
  { name: "tokens", type: "uint256" },
  { name: "delegatorShares", type: "uint256" },
  { name: "description", type: "tuple", components: DESCRIPTION },
  { name: "unbondingHeight", type: "int64" },
  { name: "unbondingTime", type: "int64" },
  { name: "commission", type: "uint256" },
  { name: "minSelfDelegation", type: "uint256" },
] as const;

const REDELEGATION_ENTRY = [
  { name: "creationHeight", type: "int64" },
  { name: "completionTime", type: "int64" },
  { name: "initialBalance", type: "uint256" },
  { name: "sharesDst", type: "uint256" },
] as const;

/**
 * The staking precompile's ABI, as in cosmos/evm v0.5 to v0.8: the same
 * entries as its `precompiles/staking/abi.json`, without internal types.
 */
export const stakingAbi = [
  {
    type: "event",
    name: "CancelUnbondingDelegation",
    inputs: [
      { name: "delegatorAddress", type: "address", indexed: true },
      { name: "validatorAddress", type: "address", indexed: true },
      { name: "amount", type: "uint256", indexed: false },
      { name: "creationHeight", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "CreateValidator",
    inputs: [
      { name: "validatorAddress", type: "address", indexed: true },
      { name: "value", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "Delegate",
    inputs: [
      { name: "delegatorAddress", type: "address", indexed: true },
      { name: "validatorAddress", type: "address", indexed: true },
      { name: "amount", type: "uint256", indexed: false },
      { name: "newShares", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "EditValidator",
    inputs: [
      { name: "validatorAddress", type: "address", indexed: true },
      { name: "commissionRate", type: "int256", indexed: false },
      { name: "minSelfDelegation", type: "int256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "Redelegate",
    inputs: [
      { name: "delegatorAddress", type: "address", indexed: true },
      { name: "validatorSrcAddress", type: "address", indexed: true },
      { name: "validatorDstAddress", type: "address", indexed: true },
      { name: "amount", type: "uint256", indexed: false },
      { name: "completionTime", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "event",
    name: "Unbond",
    inputs: [
      { name: "delegatorAddress", type: "address", indexed: true },
      { name: "validatorAddress", type: "address", indexed: true },
      { name: "amount", type: "uint256", indexed: false },
      { name: "completionTime", type: "uint256", indexed: false },
    ],
    anonymous: false,
  },
  {
    type: "function",
    name: "cancelUnbondingDelegation",
    stateMutability: "nonpayable",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorAddress", type: "string" },
      { name: "amount", type: "uint256" },
      { name: "creationHeight", type: "uint256" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "createValidator",
    stateMutability: "nonpayable",
    inputs: [
      { name: "description", type: "tuple", components: DESCRIPTION },
      {
        name: "commissionRates",
        type: "tuple",
        components: [
          { name: "rate", type: "uint256" },
          { name: "maxRate", type: "uint256" },
          { name: "maxChangeRate", type: "uint256" },
        ],
      },
      { name: "minSelfDelegation", type: "uint256" },
      { name: "validatorAddress", type: "address" },
      { name: "pubkey", type: "string" },
      { name: "value", type: "uint256" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "delegate",
    stateMutability: "nonpayable",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorAddress", type: "string" },
      { name: "amount", type: "uint256" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "delegation",
    stateMutability: "view",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorAddress", type: "string" },
    ],
    outputs: [
      { name: "shares", type: "uint256" },
      { name: "balance", type: "tuple", components: COIN },
    ],
  },
  {
    type: "function",
    name: "editValidator",
    stateMutability: "nonpayable",
    inputs: [
      { name: "description", type: "tuple", components: DESCRIPTION },
      { name: "validatorAddress", type: "address" },
      { name: "commissionRate", type: "int256" },
      { name: "minSelfDelegation", type: "int256" },
    ],
    outputs: [{ name: "success", type: "bool" }],
  },
  {
    type: "function",
    name: "redelegate",
    stateMutability: "nonpayable",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorSrcAddress", type: "string" },
      { name: "validatorDstAddress", type: "string" },
      { name: "amount", type: "uint256" },
    ],
    outputs: [{ name: "completionTime", type: "int64" }],
  },
  {
    type: "function",
    name: "redelegation",
    stateMutability: "view",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "srcValidatorAddress", type: "string" },
      { name: "dstValidatorAddress", type: "string" },
    ],
    outputs: [
      {
        name: "redelegation",
        type: "tuple",
        components: [
          { name: "delegatorAddress", type: "string" },
          { name: "validatorSrcAddress", type: "string" },
          { name: "validatorDstAddress", type: "string" },
          { name: "entries", type: "tuple[]", components: REDELEGATION_ENTRY },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "redelegations",
    stateMutability: "view",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "srcValidatorAddress", type: "string" },
      { name: "dstValidatorAddress", type: "string" },
      { name: "pageRequest", type: "tuple", components: PAGE_REQUEST },
    ],
    outputs: [
      {
        name: "response",
        type: "tuple[]",
        components: [
          {
            name: "redelegation",
            type: "tuple",
            components: [
              { name: "delegatorAddress", type: "string" },
              { name: "validatorSrcAddress", type: "string" },
              { name: "validatorDstAddress", type: "string" },
              {
                name: "entries",
                type: "tuple[]",
                components: REDELEGATION_ENTRY,
              },
            ],
          },
          {
            name: "entries",
            type: "tuple[]",
            components: [
              {
                name: "redelegationEntry",
                type: "tuple",
                components: REDELEGATION_ENTRY,
              },
              { name: "balance", type: "uint256" },
            ],
          },
        ],
      },
      { name: "pageResponse", type: "tuple", components: PAGE_RESPONSE },
    ],
  },
  {
    type: "function",
    name: "unbondingDelegation",
    stateMutability: "view",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorAddress", type: "string" },
    ],
    outputs: [
      {
        name: "unbondingDelegation",
        type: "tuple",
        components: [
          { name: "delegatorAddress", type: "string" },
          { name: "validatorAddress", type: "string" },
          {
            name: "entries",
            type: "tuple[]",
            components: [
              { name: "creationHeight", type: "int64" },
              { name: "completionTime", type: "int64" },
              { name: "initialBalance", type: "uint256" },
              { name: "balance", type: "uint256" },
              { name: "unbondingId", type: "uint64" },
              { name: "unbondingOnHoldRefCount", type: "int64" },
            ],
          },
        ],
      },
    ],
  },
  {
    type: "function",
    name: "undelegate",
    stateMutability: "nonpayable",
    inputs: [
      { name: "delegatorAddress", type: "address" },
      { name: "validatorAddress", type: "string" },
      { name: "amount", type: "uint256" },
    ],
    outputs: [{ name: "completionTime", type: "int64" }],
  },
  {
    type: "function",
    name: "validator",
    stateMutability: "view",
    inputs: [{ name: "validatorAddress", type: "address" }],
    outputs: [{ name: "validator", type: "tuple", components: VALIDATOR }],
  },
  {
    type: "function",
    name: "validators",
    stateMutability: "view",
    inputs: [
      { name: "status", type: "string" },
      { name: "pageRequest", type: "tuple", components: PAGE_REQUEST },
    ],
    outputs: [
      { name: "validators", type: "tuple[]", components: VALIDATOR },
      { name: "pageResponse", type: "tuple", components: PAGE_RESPONSE },
    ],
  },
] as const;
