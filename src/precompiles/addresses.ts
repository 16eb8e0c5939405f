/**
 * Where this package expects each precompile: §2.2 of the network's interface
 * document (upstream has governance at 0x…0805); bech32: upstream's address.
 * A new precompile is a line here and one in catalog.ts.
 */
export const PRECOMPILE_ADDRESSES = {
  staking: "0x0000000000000000000000000000000000000800",
  distribution: "0x0000000000000000000000000000000000000801",
  governance: "0x0000000000000000000000000000000000000900",
  bech32: "0x0000000000000000000000000000000000000400",
} as const satisfies Record<string, `0x${string}`>;

export type PrecompileName = keyof typeof PRECOMPILE_ADDRESSES;
export const PRECOMPILE_NAMES = Object.keys(
  PRECOMPILE_ADDRESSES,
) as readonly PrecompileName[];

/** Where the precompiles are on a network. */
export type PrecompileAddresses = {
  readonly [name in PrecompileName]: `0x${string}`;
};

/** The chain's module accounts: the first 20 bytes of sha256 of the module's name. */
export const MODULE_ACCOUNTS = {
  bondedPool: "0x4fea76427b8345861e80a3540a8a9d936fd39391",
  notBondedPool: "0x5911b844d7bc224654fe0dcd16babd2d253f2fdf",
  distribution: "0x93354845030274cd4bf1686abd60ab28ec52e1a7",
  governance: "0x7b5fe22b5446f7c62ea27b8bd71cef94e03f3df2",
  feeCollector: "0xf1829676db577682e944fc3493d451b67ff3e29f",
} as const satisfies Record<string, `0x${string}`>;
