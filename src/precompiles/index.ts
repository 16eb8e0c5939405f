/** ABIs and addresses of the chain's precompiles; imports no Hardhat and no client library. */
export { bech32Abi } from "./abi/bech32.js";
export { distributionAbi } from "./abi/distribution.js";
export { governanceAbi } from "./abi/governance.js";
export { stakingAbi } from "./abi/staking.js";
export * from "./addresses.js";
export * from "./catalog.js";
export * from "./module-accounts.js";
