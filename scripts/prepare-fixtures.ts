/**
 * Installs the dependencies of the Hardhat 2 project, and copies the built
 * package next to them as an installation would: a link would find Hardhat 3.
 *
 * node --import ./scripts/typescript.mjs scripts/prepare-fixtures.ts
 * [--dependencies]
 *
 * `--dependencies` only installs these, which needs no built package.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  cp,
  mkdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const project = path.join(root, "fixtures/hardhat2-toolbox");
const target = path.join(project, "node_modules/hardhat-dualstack");

/** Whether the installed packages match the lock file. */
async function isInstalled(): Promise<boolean> {
  const installed = path.join(project, "node_modules/.package-lock.json");
  const lock = path.join(project, "package-lock.json");
  return (
    existsSync(installed) &&
    (await stat(installed)).mtimeMs >= (await stat(lock)).mtimeMs
  );
}

interface Manifest {
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

async function copyPackage(): Promise<void> {
  const { files, dependencies, peerDependencies } = JSON.parse(
    await readFile(path.join(root, "package.json"), "utf8"),
  ) as Manifest;
  await rm(target, { recursive: true, force: true });
  for (const file of ["package.json", ...files]) {
    await cp(path.join(root, file), path.join(target, file), {
      recursive: true,
    });
  }
  // Peer dependencies are the project's own; npm would not install them a second time.
  const missing = Object.keys(dependencies).filter(
    (name) => !(name in peerDependencies),
  );
  for (const name of missing) {
    const link = path.join(target, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(root, "node_modules", name), link, "junction");
  }
}

const VAULT = path.join(root, "fixtures/staking-vault");

/**
 * Copies what both projects share: the contracts without their Solidity tests,
 * and the layout of a table.
 */
async function copyShared(): Promise<void> {
  await rm(path.join(project, "contracts"), { recursive: true, force: true });
  for (const shared of ["contracts", "scripts/table.ts"]) {
    await cp(path.join(VAULT, shared), path.join(project, shared), {
      recursive: true,
      filter: (file) => !file.endsWith(".t.sol"),
    });
  }
}

/** Differences of tests and story on Hardhat 2: the text for Hardhat 3, and its replacement. */
const REWRITTEN: Readonly<
  Record<string, readonly (readonly [RegExp, string])[]>
> = {
  "scripts/story.ts": [
    [/ --network localnet/, ""],
    [/import { network, tasks } from "hardhat";/, 'import hre from "hardhat";'],
    // CommonJS has no top-level await.
    [
      /import { type Column, table } from "\.\/table\.js";\n([^]*)$/,
      `import { type Column, table } from "./table";
import { runTask } from "./tasks";

async function main(): Promise<void> {
$1}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
`,
    ],
    [
      /\/\/ The connection that the tasks[^]*?= connection;/,
      "const { ethers, precompiles, dualstack } = hre;",
    ],
    [/connection\.networkName/, "hre.network.name"],
    [
      /tasks\s*\.getTask\(\["dualstack", "(\w+)"\]\)\s*\.run\(/g,
      'runTask("$1", ',
    ],
  ],
  "test/fixture.ts": [
    [
      /import type { NetworkConnection } from "hardhat\/types\/network";/,
      'import type { HardhatRuntimeEnvironment } from "hardhat/types";',
    ],
    [/: NetworkConnection\b/, ": HardhatRuntimeEnvironment"],
  ],
  "test/StakingVault.ts": [
    [/import { network } from "hardhat";/, 'import hre from "hardhat";'],
    [
      /import { describe, it } from "mocha";/,
      'import { setBalance } from "@nomicfoundation/hardhat-toolbox/network-helpers";',
    ],
    [/"\.\/fixture\.js"/, '"./fixture"'],
    [/const connection = await network\.create\(\);\n/, ""],
    [
      /const { ethers, networkHelpers, precompiles, dualstack } = connection;/,
      "const { ethers, precompiles, dualstack } = hre;",
    ],
    [/deployVault\(connection,/g, "deployVault(hre,"],
    [/(changeEtherBalances?\()ethers, /g, "$1"],
    [/\.to\.revert\(\s*ethers,?\s*\)/g, ".to.be.reverted"],
    [/networkHelpers\.setBalance/g, "setBalance"],
  ],
};

/**
 * Both majors run the same tests and the same story: the files for Hardhat 2
 * are derived from the others.
 */
async function rewrite(): Promise<void> {
  for (const [file, changes] of Object.entries(REWRITTEN)) {
    let text = await readFile(path.join(VAULT, file), "utf8");
    for (const [there, here] of changes) {
      const changed = text.replace(there, here);
      if (changed === text) {
        throw new Error(`${file} of the vault has nothing like ${there}`);
      }
      text = changed;
    }
    await mkdir(path.dirname(path.join(project, file)), { recursive: true });
    await writeFile(
      path.join(project, file),
      `// Written by scripts/prepare-fixtures.ts from fixtures/staking-vault/${file}.\n${text}`,
    );
  }
}

if (!(await isInstalled())) {
  const { status } = spawnSync(
    "npm",
    ["ci", "--no-audit", "--no-fund", "--prefer-offline"],
    {
      cwd: project,
      stdio: "inherit",
      shell: process.platform === "win32",
    },
  );
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}
if (!process.argv.includes("--dependencies")) {
  await copyPackage();
  await copyShared();
  await rewrite();
}
