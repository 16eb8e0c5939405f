import { bech32Abi } from "./abi/bech32.js";
import { distributionAbi } from "./abi/distribution.js";
import { governanceAbi } from "./abi/governance.js";
import { stakingAbi } from "./abi/staking.js";

/**
 * Every precompile that this package knows: its default address and its ABI.
 * A new one is one more line here, and its ABI's file.
 *
 * Addresses of the first three: §2.2 of the network's interface document
 * (upstream has governance at 0x…0805); bech32: upstream's.
 */
export const PRECOMPILES = {
  staking: {
    address: "0x0000000000000000000000000000000000000800",
    abi: stakingAbi,
  },
  distribution: {
    address: "0x0000000000000000000000000000000000000801",
    abi: distributionAbi,
  },
  governance: {
    address: "0x0000000000000000000000000000000000000900",
    abi: governanceAbi,
  },
  bech32: {
    address: "0x0000000000000000000000000000000000000400",
    abi: bech32Abi,
  },
} as const;

export type PrecompileName = keyof typeof PRECOMPILES;
export const PRECOMPILE_NAMES = Object.keys(
  PRECOMPILES,
) as readonly PrecompileName[];

/** Where the precompiles are on a network. */
export type PrecompileAddresses = {
  readonly [name in PrecompileName]: `0x${string}`;
};

/** The default addresses, by name. */
export const PRECOMPILE_ADDRESSES: PrecompileAddresses = {
  staking: PRECOMPILES.staking.address,
  distribution: PRECOMPILES.distribution.address,
  governance: PRECOMPILES.governance.address,
  bech32: PRECOMPILES.bech32.address,
};

/** The chain's module accounts: the first 20 bytes of sha256 of the module's name. */
export const MODULE_ACCOUNTS = {
  bondedPool: "0x4fea76427b8345861e80a3540a8a9d936fd39391",
  notBondedPool: "0x5911b844d7bc224654fe0dcd16babd2d253f2fdf",
  distribution: "0x93354845030274cd4bf1686abd60ab28ec52e1a7",
  governance: "0x7b5fe22b5446f7c62ea27b8bd71cef94e03f3df2",
  feeCollector: "0xf1829676db577682e944fc3493d451b67ff3e29f",
} as const satisfies Record<string, `0x${string}`>;
