// Every precompile that this package knows, one per line.
export { bank } from "./bank/index.js";
export { bech32 } from "./bech32/index.js";
export { distribution } from "./distribution/index.js";
export { governance } from "./governance/index.js";
export { slashing } from "./slashing/index.js";
export { staking } from "./staking/index.js";
