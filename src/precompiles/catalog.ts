import { bech32Abi } from "./abi/bech32.js";
import { distributionAbi } from "./abi/distribution.js";
import { governanceAbi } from "./abi/governance.js";
import { stakingAbi } from "./abi/staking.js";
import {
  PRECOMPILE_ADDRESSES as at,
  type PrecompileName,
} from "./addresses.js";

/** Every precompile that this package knows: its default address and its ABI. */
export const PRECOMPILES = {
  staking: { address: at.staking, abi: stakingAbi },
  distribution: { address: at.distribution, abi: distributionAbi },
  governance: { address: at.governance, abi: governanceAbi },
  bech32: { address: at.bech32, abi: bech32Abi },
} as const satisfies Record<PrecompileName, unknown>;
