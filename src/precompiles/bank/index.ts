import type { PrecompileDefinition } from "../definition.js";
import { bankAbi } from "./abi.js";

export const bank = {
  address: "0x0000000000000000000000000000000000000804",
  abi: bankAbi,
  about: "balances and supply of coins that are ERC-20 tokens",
  presence: "optional",
  isModule: true,
  probe: { method: "totalSupply", values: [] },
} as const satisfies PrecompileDefinition;
