/** Asks a faucet for tokens; imports no Hardhat. */
export * from "./client.js";
export * from "./error.js";
export * from "./outcome.js";
export * from "./settings.js";
export * from "./token.js";
export * from "./waiting-time.js";
export * from "./development.js";
