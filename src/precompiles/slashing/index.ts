import type { PrecompileDefinition } from "../definition.js";
import { slashingAbi } from "./abi.js";

export const slashing = {
  address: "0x0000000000000000000000000000000000000806",
  abi: slashingAbi,
  about: "which blocks validators have signed, release from jail",
  presence: "optional",
  isModule: true,
  probe: { method: "getParams", values: [] },
} as const satisfies PrecompileDefinition;
