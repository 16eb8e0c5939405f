import type { FaucetProtocol } from "../protocol.js";
import { cosmjs } from "./cosmjs.js";
import { ethFaucet } from "./eth-faucet.js";
import { ignite } from "./ignite.js";

/**
 * All known faucet protocols by their names in the configuration, in the order
 * in which they are tried.
 */
export const PRESETS = {
  cosmjs,
  ignite,
  "eth-faucet": ethFaucet,
} as const satisfies Record<string, FaucetProtocol>;

export type PresetName = keyof typeof PRESETS;
