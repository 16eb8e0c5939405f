import type { SolidityConfig } from "hardhat/types/config";

import { LOCALNET } from "../../chain/facts.js";

/** The first version of the Solidity compiler whose default target is the chain's own. */
const FIRST_WITH_TARGET = [0, 8, 30];

/**
 * Makes compilers of every build profile target at most what the chain runs.
 * A version that the user chose stays; older compilers target older rules,
 * which the chain runs too, and may not know the newer name.
 */
export function capEvmVersion(solidity: SolidityConfig): SolidityConfig {
  const capped = <
    T extends { readonly version: string; settings: Record<string, unknown> },
  >(
    compiler: T,
  ): T =>
    isAtLeast(compiler.version, FIRST_WITH_TARGET)
      ? {
          ...compiler,
          settings: { evmVersion: LOCALNET.hardfork, ...compiler.settings },
        }
      : compiler;
  const profiles = Object.fromEntries(
    Object.entries(solidity.profiles).map(([name, profile]) => [
      name,
      {
        ...profile,
        compilers: profile.compilers.map(capped),
        overrides: Object.fromEntries(
          Object.entries(profile.overrides).map(([file, compiler]) => [
            file,
            capped(compiler),
          ]),
        ),
      },
    ]),
  );
  return { ...solidity, profiles };
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(/[.+-]/).map(Number);
  for (const [i, wanted] of least.entries()) {
    const part = parts[i] ?? 0;
    if (part !== wanted) {
      return part > wanted;
    }
  }
  return true;
}
