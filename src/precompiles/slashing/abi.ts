import { DEC, PAGE_REQUEST, PAGE_RESPONSE } from "../structs.js";

const SIGNING_INFO = [
  { name: "validatorAddress", type: "address" },
  { name: "startHeight", type: "int64" },
  { name: "indexOffset", type: "int64" },
  { name: "jailedUntil", type: "int64" },
  { name: "tombstoned", type: "bool" },
  { name: "missedBlocksCounter", type: "int64" },
] as const;

const PARAMS = [
  { name: "signedBlocksWindow", type: "int64" },
  { name: "minSignedPerWindow", type: "tuple", components: DEC },
  { name: "downtimeJailDuration", type: "int64" },
  { name: "slashFractionDoubleSign", type: "tuple", components: DEC },
  { name: "slashFractionDowntime", type: "tuple", components: DEC },
] as const;

/**
 * The slashing precompile's ABI, as in cosmos/evm v0.5 to v0.8: the same entries
 * as its `precompiles/slashing/abi.json`, without internal types.
 */
export const slashingAbi = [
  {
    type: "event",
    name: "ValidatorUnjailed",
    inputs: [{ name: "validator", type: "address", indexed: true }],
    anonymous: false,
  },
  {
    type: "function",
    name: "getParams",
    stateMutability: "view",
    inputs: [],
    outputs: [{ name: "params", type: "tuple", components: PARAMS }],
  },
  {
    type: "function",
    name: "getSigningInfo",
    stateMutability: "view",
    inputs: [{ name: "consAddress", type: "address" }],
    outputs: [{ name: "signingInfo", type: "tuple", components: SIGNING_INFO }],
  },
  {
    type: "function",
    name: "getSigningInfos",
    stateMutability: "view",
    inputs: [{ name: "pagination", type: "tuple", components: PAGE_REQUEST }],
    outputs: [
      { name: "signingInfos", type: "tuple[]", components: SIGNING_INFO },
      { name: "pageResponse", type: "tuple", components: PAGE_RESPONSE },
    ],
  },
  {
    type: "function",
    name: "unjail",
    stateMutability: "nonpayable",
    inputs: [{ name: "validatorAddress", type: "address" }],
    outputs: [{ name: "success", type: "bool" }],
  },
] as const;
