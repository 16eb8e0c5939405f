/** Conversion between the address forms of the two stacks; imports no Hardhat. */
export * from "./checksum.js";
export * from "./codec.js";
