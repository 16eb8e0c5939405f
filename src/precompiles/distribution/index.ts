import type { PrecompileDefinition } from "../definition.js";
import { distributionAbi } from "./abi.js";

export const distribution = {
  address: "0x0000000000000000000000000000000000000801",
  abi: distributionAbi,
  about: "rewards, commission, the community pool",
  presence: "documented",
  isModule: true,
  probe: { method: "communityPool", values: [] },
} as const satisfies PrecompileDefinition;
