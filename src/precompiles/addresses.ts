import type { PrecompileDefinition } from "./definition.js";
import * as registry from "./registry.js";

/** The name of a precompile. */
export type PrecompileName = keyof typeof registry;

/** All precompiles by name. */
export const DEFINITIONS: {
  readonly [name in PrecompileName]: PrecompileDefinition;
} = registry;

const PRESENCES = ["documented", "usual", "optional"];
const rank = (name: PrecompileName) =>
  PRESENCES.indexOf(DEFINITIONS[name].presence) * 0x10000 +
  Number(DEFINITIONS[name].address);

/** The names of all precompiles: those that every chain has first, then by address. */
export const PRECOMPILE_NAMES: readonly PrecompileName[] = (
  Object.keys(registry) as PrecompileName[]
).sort((a, b) => rank(a) - rank(b));

/** Builds an object with a value for each precompile, in the order of their names. */
export const ofPrecompiles = <T>(
  valueOf: (name: PrecompileName) => T,
): { readonly [name in PrecompileName]: T } =>
  Object.fromEntries(PRECOMPILE_NAMES.map((name) => [name, valueOf(name)])) as {
    [name in PrecompileName]: T;
  };

/** Default addresses of the precompiles. */
export const PRECOMPILE_ADDRESSES = ofPrecompiles(
  (name) => DEFINITIONS[name].address,
) as { readonly [name in PrecompileName]: (typeof registry)[name]["address"] };

/** Where the precompiles are on a network. */
export type PrecompileAddresses = {
  readonly [name in PrecompileName]: `0x${string}`;
};

/** The precompiles of a network whose configuration says nothing about them. */
export const USUAL_PRECOMPILES: readonly PrecompileName[] =
  PRECOMPILE_NAMES.filter((name) => DEFINITIONS[name].presence !== "optional");
