/** ABIs and addresses of the chain's precompiles; imports no Hardhat and no client library. */
export { bech32Abi } from "./bech32/abi.js";
export { distributionAbi } from "./distribution/abi.js";
export { governanceAbi } from "./governance/abi.js";
export { stakingAbi } from "./staking/abi.js";
export {
  PRECOMPILE_ADDRESSES,
  PRECOMPILE_NAMES,
  type PrecompileAddresses,
  type PrecompileName,
} from "./addresses.js";
export * from "./catalog.js";
export * from "./module-accounts.js";
