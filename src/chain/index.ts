/** Networks and endpoints of the chain, for scripts and front ends; imports no Hardhat. */
export * from "./endpoints.js";
export * from "./explorer.js";
export * from "./facts.js";
export * from "./local-node.js";
export * from "./variables.js";
export * from "./viem-chain.js";
