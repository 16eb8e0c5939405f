import {
  MODULE_ACCOUNTS,
  type PrecompileAddresses,
} from "../precompiles/index.js";

/** Below this everything is reserved: the EVM's precompiles, the chain's (0x…0400 to 0x…0900), the zero address. */
const RESERVED = 0x1_0000n;

/**
 * What an address is known as on this chain, if nobody holds its key: a module
 * account or a precompile. What is sent there is lost, or is refused in a way
 * that burns the whole gas limit.
 *
 * @example knownAddress("0x…0800", addresses) // "the staking precompile"
 */
export function knownAddress(
  address: string,
  precompiles: PrecompileAddresses,
): string | undefined {
  const wanted = address.toLowerCase();
  const named = (entries: Readonly<Record<string, string>>) =>
    Object.entries(entries).find(
      ([, known]) => known.toLowerCase() === wanted,
    )?.[0];
  const precompile = named(precompiles);
  if (precompile !== undefined) {
    return `the ${precompile} precompile`;
  }
  const account = named(MODULE_ACCOUNTS);
  if (account !== undefined) {
    return `the module account ${account}`;
  }
  const value = BigInt(wanted);
  if (value === 0n) {
    return "the zero address";
  }
  return value < RESERVED ? "an address reserved for precompiles" : undefined;
}
