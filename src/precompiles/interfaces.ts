import { PRECOMPILE_NAMES, type PrecompileName } from "./addresses.js";

/** The name of a precompile's Solidity interface, such as `IStaking`. */
export type InterfaceName<N extends PrecompileName = PrecompileName> =
  `I${Capitalize<N>}`;

const capitalize = (text: string) =>
  text.charAt(0).toUpperCase() + text.slice(1);

const BY_NAME: ReadonlyMap<string, PrecompileName> = new Map(
  PRECOMPILE_NAMES.map((name) => [`I${capitalize(name)}`, name]),
);

/** Where the package has the interfaces. */
export const INTERFACE_SOURCES = "hardhat-dualstack/contracts";

/**
 * The precompile of an interface, by its bare or fully qualified name.
 *
 * @example
 * precompileOf("IStaking"); // "staking"
 * precompileOf("hardhat-dualstack/contracts/IStaking.sol:IStaking"); // "staking"
 */
export function precompileOf(text: string): PrecompileName | undefined {
  const [bare = "", source] = text.split(":").reverse();
  return source === undefined || source === `${INTERFACE_SOURCES}/${bare}.sol`
    ? BY_NAME.get(bare)
    : undefined;
}
