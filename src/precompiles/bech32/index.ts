import type { PrecompileDefinition } from "../definition.js";
import { bech32Abi } from "./abi.js";

export const bech32 = {
  address: "0x0000000000000000000000000000000000000400",
  abi: bech32Abi,
  about: "conversion between hex and bech32 addresses",
  presence: "usual",
  isModule: false,
  probe: {
    method: "hexToBech32",
    values: ["0x0000000000000000000000000000000000000001", "a"],
  },
} as const satisfies PrecompileDefinition;
