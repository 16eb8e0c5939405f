import { capitalize } from "../support/text.js";
import { PRECOMPILE_NAMES, type PrecompileName } from "./addresses.js";

/** The name of a precompile's Solidity interface, such as `IStaking`. */
export type InterfaceName<N extends PrecompileName = PrecompileName> =
  `I${Capitalize<N>}`;

/** @example interfaceOf("staking"); // "IStaking" */
export const interfaceOf = (name: PrecompileName): string =>
  `I${capitalize(name)}`;

const BY_NAME: ReadonlyMap<string, PrecompileName> = new Map(
  PRECOMPILE_NAMES.map((name) => [interfaceOf(name), name]),
);

/** Where the package contains the interfaces. */
export const INTERFACE_SOURCES = "hardhat-dualstack/contracts";

/**
 * The precompile with an interface, by its bare or fully qualified name.
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
