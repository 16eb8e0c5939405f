import type { FaucetProtocol } from "../protocol.js";
import { cosmjs } from "./cosmjs.js";
import { ethFaucet } from "./eth-faucet.js";
import { ignite } from "./ignite.js";

/** Every kind of faucet that is known, by its name in the configuration, in the order in which they are tried. */
export const PRESETS = {
  cosmjs,
  ignite,
  "eth-faucet": ethFaucet,
} as const satisfies Record<string, FaucetProtocol>;

export type PresetName = keyof typeof PRESETS;
