/**
 * Methods and events of the precompiles of cosmos/evm v0.5 to v0.8 as its own
 * JSON ABIs give them, with the selectors and topics that ethers computes from
 * those. Written down here once, so that a slip in our ABIs shows.
 */

import type { PrecompileName } from "../../src/precompiles/addresses.js";

/** Selector, mutability, canonical signature. */
export type MethodRow = readonly [
  selector: string,
  mutability: string,
  signature: string,
];
/** First topic, and the event with the names of its parameters. */
export type EventRow = readonly [topic: string, event: string];

export const METHODS: Readonly<Record<PrecompileName, readonly MethodRow[]>> = {
  staking: [
    [
      "0x12d58dfe",
      "nonpayable",
      "cancelUnbondingDelegation(address,string,uint256,uint256)",
    ],
    [
      "0xf7cd5516",
      "nonpayable",
      "createValidator((string,string,string,string,string),(uint256,uint256,uint256),uint256,address,string,uint256)",
    ],
    ["0x53266bbb", "nonpayable", "delegate(address,string,uint256)"],
    ["0x241774e6", "view", "delegation(address,string)"],
    [
      "0xa50f05ac",
      "nonpayable",
      "editValidator((string,string,string,string,string),address,int256,int256)",
    ],
    ["0x54b826f5", "nonpayable", "redelegate(address,string,string,uint256)"],
    ["0x7d9f939c", "view", "redelegation(address,string,string)"],
    [
      "0x10a2851c",
      "view",
      "redelegations(address,string,string,(bytes,uint64,uint64,bool,bool))",
    ],
    ["0xa03ffee1", "view", "unbondingDelegation(address,string)"],
    ["0x3edab33c", "nonpayable", "undelegate(address,string,uint256)"],
    ["0x223b3b7a", "view", "validator(address)"],
    [
      "0x186b2167",
      "view",
      "validators(string,(bytes,uint64,uint64,bool,bool))",
    ],
  ],
  distribution: [
    ["0x2efe8a5f", "nonpayable", "claimRewards(address,uint32)"],
    ["0x14d140b0", "view", "communityPool()"],
    ["0x9ad563b4", "view", "delegationRewards(address,string)"],
    ["0x54be1a28", "view", "delegationTotalRewards(address)"],
    ["0xa66cb605", "view", "delegatorValidators(address)"],
    ["0x5431f450", "view", "delegatorWithdrawAddress(address)"],
    [
      "0x2eb1df52",
      "nonpayable",
      "depositValidatorRewardsPool(address,string,(string,uint256)[])",
    ],
    [
      "0x2d2b079c",
      "nonpayable",
      "fundCommunityPool(address,(string,uint256)[])",
    ],
    ["0x5a9d9a96", "nonpayable", "setWithdrawAddress(address,string)"],
    ["0x3dd40f78", "view", "validatorCommission(string)"],
    ["0x54212a89", "view", "validatorDistributionInfo(string)"],
    ["0x85b2d2da", "view", "validatorOutstandingRewards(string)"],
    [
      "0x8f2473ce",
      "view",
      "validatorSlashes(string,uint64,uint64,(bytes,uint64,uint64,bool,bool))",
    ],
    ["0xb46a8d61", "nonpayable", "withdrawDelegatorRewards(address,string)"],
    ["0x3ce4e3be", "nonpayable", "withdrawValidatorCommission(string)"],
  ],
  governance: [
    ["0xa33e3086", "nonpayable", "cancelProposal(address,uint64)"],
    ["0xb24b0376", "nonpayable", "deposit(address,uint64,(string,uint256)[])"],
    ["0xee05ad82", "view", "getConstitution()"],
    ["0x77412782", "view", "getDeposit(uint64,address)"],
    [
      "0x5e982a9b",
      "view",
      "getDeposits(uint64,(bytes,uint64,uint64,bool,bool))",
    ],
    ["0x5e615a6b", "view", "getParams()"],
    ["0xf1610a28", "view", "getProposal(uint64)"],
    [
      "0xb01ceebc",
      "view",
      "getProposals(uint32,address,address,(bytes,uint64,uint64,bool,bool))",
    ],
    ["0xba66a648", "view", "getTallyResult(uint64)"],
    ["0x335e4f9a", "view", "getVote(uint64,address)"],
    ["0xe2bb86da", "view", "getVotes(uint64,(bytes,uint64,uint64,bool,bool))"],
    [
      "0xa8fdc919",
      "nonpayable",
      "submitProposal(address,bytes,(string,uint256)[])",
    ],
    ["0x9ec4d363", "nonpayable", "vote(address,uint64,uint8,string)"],
    [
      "0x8f1d5f6c",
      "nonpayable",
      "voteWeighted(address,uint64,(uint8,string)[],string)",
    ],
  ],
  bech32: [
    ["0xe6df461e", "nonpayable", "bech32ToHex(string)"],
    ["0xf958a98c", "nonpayable", "hexToBech32(address,string)"],
  ],
  bank: [
    ["0x27e235e3", "view", "balances(address)"],
    ["0x62400e4c", "view", "supplyOf(address)"],
    ["0x18160ddd", "view", "totalSupply()"],
  ],
  slashing: [
    ["0x5e615a6b", "view", "getParams()"],
    ["0x69e1f9df", "view", "getSigningInfo(address)"],
    ["0xc6919f55", "view", "getSigningInfos((bytes,uint64,uint64,bool,bool))"],
    ["0x449ecfe6", "nonpayable", "unjail(address)"],
  ],
};

export const EVENTS: Readonly<Record<PrecompileName, readonly EventRow[]>> = {
  staking: [
    [
      "0x6dbe2fb6b2613bdd8e3d284a6111592e06c3ab0af846ff89b6688d48f408dbb5",
      "CancelUnbondingDelegation(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount, uint256 creationHeight)",
    ],
    [
      "0x9bdb560f8135cb46033a55410c14e14b1a7bc2d3f3e9973f4b49533e176468b0",
      "CreateValidator(address indexed validatorAddress, uint256 value)",
    ],
    [
      "0x500599802164a08023e87ffc3eed0ba3ae60697b3083ba81d046683679d81c6b",
      "Delegate(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount, uint256 newShares)",
    ],
    [
      "0xdce27cf2792bd8d8f28df5d2cdf379cd593414f21332370ca808c1e703eb4e1f",
      "EditValidator(address indexed validatorAddress, int256 commissionRate, int256 minSelfDelegation)",
    ],
    [
      "0x82b07f2421474f1e3f1e0b34738cb5ffb925273f408e7591d9c803dcae8da657",
      "Redelegate(address indexed delegatorAddress, address indexed validatorSrcAddress, address indexed validatorDstAddress, uint256 amount, uint256 completionTime)",
    ],
    [
      "0x4bf8087be3b8a59c2662514df2ed4a3dcaf9ca22f442340cfc05a4e52343d18e",
      "Unbond(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount, uint256 completionTime)",
    ],
  ],
  distribution: [
    [
      "0x1f89f96333d3133000ee447473151fa9606543368f02271c9d95ae14f13bcc67",
      "ClaimRewards(address indexed delegatorAddress, uint256 amount)",
    ],
    [
      "0xcc9d914347a4afdb20b438dce763e1c95af2baef68cca401dceb001efd118e94",
      "DepositValidatorRewardsPool(address indexed depositor, address indexed validatorAddress, string denom, uint256 amount)",
    ],
    [
      "0xb5a9b7256a6fa694d85286d77afa4035717c1ba5332597d2cf1e9870932f9366",
      "FundCommunityPool(address indexed depositor, string denom, uint256 amount)",
    ],
    [
      "0xb55d29542a844fa64e70cbc06556201957fa0253fe7b54677830b586e2288e1e",
      "SetWithdrawerAddress(address indexed caller, string withdrawerAddress)",
    ],
    [
      "0xcf871d3149ad677b268b0238a4ffc6d4008f48a11e73468d05ff00e75f204035",
      "WithdrawDelegatorReward(address indexed delegatorAddress, address indexed validatorAddress, uint256 amount)",
    ],
    [
      "0x27596802346c7411d593e471243e3f9570666fade155d35f26150d851fdaf587",
      "WithdrawValidatorCommission(string indexed validatorAddress, uint256 commission)",
    ],
  ],
  governance: [
    [
      "0xce915fda53e9b1b6858d5ef97e63a5b71d3ac816cb2011694fcf6daaa9cef477",
      "CancelProposal(address indexed proposer, uint64 proposalId)",
    ],
    [
      "0xeb37d10626d027ab59c3a1325ef9b07a04df7f4ed47afb356ea42e572b89c712",
      "Deposit(address indexed depositor, uint64 proposalId, (string,uint256)[] amount)",
    ],
    [
      "0xf49a3a8232aff8553333cfd734e3a7ef1ab4764cd0494eb145216773b64bf349",
      "SubmitProposal(address indexed proposer, uint64 proposalId)",
    ],
    [
      "0x71c096cfbbce3e73fe1d1e5943da8fcbdcd2ba95519bfa456d51c282c575c64a",
      "Vote(address indexed voter, uint64 proposalId, uint8 option)",
    ],
    [
      "0xf02e1ed429f5f839812e0cc857e15b6e1539f1a4370f2539957e07e2ca3370e4",
      "VoteWeighted(address indexed voter, uint64 proposalId, (uint8,string)[] options)",
    ],
  ],
  bech32: [],
  bank: [],
  slashing: [
    [
      "0x9390b453426557da5ebdc31f19a37753ca04addf656d32f35232211bb2af3f19",
      "ValidatorUnjailed(address indexed validator)",
    ],
  ],
};
