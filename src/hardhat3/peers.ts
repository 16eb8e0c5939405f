import { createRequire } from "node:module";

/** The fields of a package.json that are read here. */
interface Manifest {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Two packages that do not fit together. */
export interface Misfit {
  /** The installed version of hardhat-ethers. */
  readonly ethers: string;
  /** The range of Hardhat that hardhat-ethers needs. */
  readonly needed: string;
  /** The installed version of Hardhat. */
  readonly hardhat: string;
}

const numbers = (version: string): number[] | undefined =>
  /^\^?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);

/** Whether a version is below a caret range of the same major. Other ranges are left to npm. */
export function isOlder(version: string, range: string): boolean {
  const have = numbers(version);
  const least = numbers(range);
  if (have === undefined || least === undefined || have[0] !== least[0]) {
    return false;
  }
  const at = have.findIndex((number, i) => number !== least[i]);
  return (have[at] ?? 0) < (least[at] ?? 0);
}

/**
 * Finds a hardhat-ethers that is too new for the project's Hardhat. Next to an
 * older Hardhat npm silently installs the newest one below this package, and
 * Hardhat then reports that it is not installed.
 */
export function findMisfit(
  read: (id: string) => Manifest = createRequire(import.meta.url),
): Misfit | undefined {
  try {
    const ethers = read("@nomicfoundation/hardhat-ethers/package.json");
    const { version: hardhat } = read("hardhat/package.json");
    const needed = ethers.peerDependencies?.["hardhat"];
    return needed !== undefined && isOlder(hardhat, needed)
      ? { ethers: ethers.version, needed, hardhat }
      : undefined;
  } catch {
    // It is missing or hidden; importing it gives a better error.
    return undefined;
  }
}
