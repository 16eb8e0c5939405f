import type {
  SolidityCompilerConfig,
  SolidityConfig,
} from "hardhat/types/config";

import { LOCALNET } from "../../chain/facts.js";

/** The first version of solc whose default EVM version is the chain's. */
const FIRST_WITH_TARGET = [0, 8, 30];

/**
 * Makes the compilers of all build profiles target at most the chain's EVM
 * version. A version that the user chose stays, also in the profiles that
 * Hardhat derives from the default one without its settings. Older compilers
 * target older rules, which the chain runs too, and may not know the newer
 * name.
 */
export function capEvmVersion(solidity: SolidityConfig): SolidityConfig {
  const base = solidity.profiles["default"];
  const capped = (
    compiler: SolidityCompilerConfig,
    original: SolidityCompilerConfig | undefined,
  ): SolidityCompilerConfig => {
    if (compiler.settings["evmVersion"] !== undefined) {
      return compiler;
    }
    const evmVersion: unknown =
      original?.version === compiler.version &&
      original.settings["evmVersion"] !== undefined
        ? original.settings["evmVersion"]
        : isSolc(compiler) && isAtLeast(compiler.version, FIRST_WITH_TARGET)
          ? LOCALNET.hardfork
          : undefined;
    return evmVersion === undefined
      ? compiler
      : { ...compiler, settings: { ...compiler.settings, evmVersion } };
  };
  const profiles = Object.fromEntries(
    Object.entries(solidity.profiles).map(([name, profile]) => [
      name,
      {
        ...profile,
        compilers: profile.compilers.map((compiler) =>
          capped(
            compiler,
            base?.compilers.find(({ version }) => version === compiler.version),
          ),
        ),
        overrides: Object.fromEntries(
          Object.entries(profile.overrides).map(([file, compiler]) => [
            file,
            capped(compiler, base?.overrides[file]),
          ]),
        ),
      },
    ]),
  );
  return { ...solidity, profiles };
}

const isSolc = ({ type }: SolidityCompilerConfig) =>
  type === undefined || type === "solc";

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
