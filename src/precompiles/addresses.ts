// From the network's interface document, §2.2 (upstream has governance at
// 0x…0805); bech32: upstream's address. A new precompile is a line here and one
// in catalog.ts.
/** Default addresses of the precompiles. */
export const PRECOMPILE_ADDRESSES = {
  staking: "0x0000000000000000000000000000000000000800",
  distribution: "0x0000000000000000000000000000000000000801",
  governance: "0x0000000000000000000000000000000000000900",
  bech32: "0x0000000000000000000000000000000000000400",
} as const satisfies Record<string, `0x${string}`>;

/** The name of a precompile. */
export type PrecompileName = keyof typeof PRECOMPILE_ADDRESSES;
/** The names of all precompiles. */
export const PRECOMPILE_NAMES = Object.keys(
  PRECOMPILE_ADDRESSES,
) as readonly PrecompileName[];

/** Where the precompiles are on a network. */
export type PrecompileAddresses = {
  readonly [name in PrecompileName]: `0x${string}`;
};
