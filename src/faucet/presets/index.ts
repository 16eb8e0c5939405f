import type { FaucetProtocol } from "../protocol.js";
import { cosmjs } from "./cosmjs.js";
import { ethFaucet } from "./eth-faucet.js";
import { ignite } from "./ignite.js";

/** Every kind of faucet that is known, in the order in which they are tried. A new one is one more line. */
export const PRESETS = {
  cosmjs,
  ignite,
  "eth-faucet": ethFaucet,
} as const satisfies Record<string, FaucetProtocol>;
