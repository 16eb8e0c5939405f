import { createRequire } from "node:module";

/** What of a package's description is read here. */
interface Manifest {
  readonly version: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Two packages that do not fit together. */
export interface Misfit {
  /** The installed version of hardhat-ethers. */
  readonly ethers: string;
  /** The range of Hardhat that it needs. */
  readonly needed: string;
  /** The installed version of Hardhat. */
  readonly hardhat: string;
}

const numbers = (version: string): number[] | undefined =>
  /^\^?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);

/** Whether a version is lower than the lowest of a caret range of the same major. Other ranges are left to npm. */
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
 * hardhat-ethers that is too new for the project's Hardhat. Next to an older
 * Hardhat npm installs the newest one below this package, without a word, and
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
    // Not there at all, or hidden: importing it says more.
    return undefined;
  }
}
