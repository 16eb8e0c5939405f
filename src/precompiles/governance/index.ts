import type { PrecompileDefinition } from "../definition.js";
import { governanceAbi } from "./abi.js";

export const governance = {
  // From the network's document; upstream has it at 0x…0805.
  address: "0x0000000000000000000000000000000000000900",
  abi: governanceAbi,
  about: "proposals, deposits, votes",
  presence: "documented",
  isModule: true,
  probe: { method: "getParams", values: [] },
} as const satisfies PrecompileDefinition;
