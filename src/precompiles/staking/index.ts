import type { PrecompileDefinition } from "../definition.js";
import { FIRST_PAGE } from "../structs.js";
import { stakingAbi } from "./abi.js";

export const staking = {
  address: "0x0000000000000000000000000000000000000800",
  abi: stakingAbi,
  about: "validators, delegations, unbonding",
  presence: "documented",
  isModule: true,
  probe: { method: "validators", values: ["", FIRST_PAGE] },
} as const satisfies PrecompileDefinition;
