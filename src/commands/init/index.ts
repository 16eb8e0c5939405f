import {
  access,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  writeFile,
} from "node:fs/promises";
import path from "node:path";

import { DualstackError } from "../../support/errors.js";
import { cleanText, errorText } from "../../support/text.js";

/** The client libraries that the starter supports. */
export const STARTER_LIBRARIES = ["ethers", "viem"] as const;
export type StarterLibrary = (typeof STARTER_LIBRARIES)[number];

export interface InitOptions {
  /** Where the starter goes, as an absolute path; created if it does not exist. */
  readonly folder: string;
  readonly library: StarterLibrary;
  /** The installed package, which contains the starter's files. */
  readonly packageRoot: string;
}

export interface InitReport {
  /** Absolute. */
  readonly folder: string;
  readonly library: StarterLibrary;
  /** Relative to the folder, sorted. */
  readonly files: readonly string[];
}

/** @throws DualstackError for any other library */
export function checkLibrary(text: string): StarterLibrary {
  const library = STARTER_LIBRARIES.find((known) => known === text);
  if (library === undefined) {
    throw new DualstackError(
      `there is no starter for "${cleanText(text, 40)}"`,
      {
        fix: `Write --library ${STARTER_LIBRARIES.join(" or --library ")}.`,
      },
    );
  }
  return library;
}

/**
 * Writes a small project: a contract that stakes, with its tests, a deployment
 * and a script. Never overwrites files.
 *
 * @throws DualstackError if the folder is not empty or cannot be written
 */
export async function createStarter({
  folder,
  library,
  packageRoot,
}: InitOptions): Promise<InitReport> {
  const templates = path.join(packageRoot, "fixtures/starter");
  try {
    await access(templates);
  } catch (cause) {
    throw new DualstackError("the starter is missing from the package", {
      fix: "Install hardhat-dualstack again.",
      cause,
    });
  }
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) {
      throw new DualstackError(`${folder} is not empty`, {
        fix: "Choose another folder; init overwrites nothing.",
      });
    }
    for (const part of ["common", library]) {
      await cp(path.join(templates, part), folder, { recursive: true });
    }
    // npm leaves files named .gitignore out of packages.
    await rename(
      path.join(folder, "gitignore"),
      path.join(folder, ".gitignore"),
    );
    await nameProject(folder, packageRoot);
    const entries = await readdir(folder, {
      recursive: true,
      withFileTypes: true,
    });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path
          .relative(folder, path.join(entry.parentPath, entry.name))
          .replaceAll(path.sep, "/"),
      )
      .sort();
    return { folder, library, files };
  } catch (error) {
    throw DualstackError.is(error)
      ? error
      : new DualstackError(
          `the starter cannot be written to ${folder}: ${errorText(error, 160)}`,
          { fix: "Choose a folder that you may write to.", cause: error },
        );
  }
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
}

// Names the project after its folder, and pins this version of the plugin.
async function nameProject(folder: string, packageRoot: string): Promise<void> {
  const read = async (root: string) =>
    JSON.parse(
      await readFile(path.join(root, "package.json"), "utf8"),
    ) as Manifest;
  const { name: plugin, version } = await read(packageRoot);
  const starter = await read(folder);
  const name = path
    .basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "");
  const manifest = {
    ...starter,
    ...(name === "" ? {} : { name }),
    devDependencies: { ...starter.devDependencies, [plugin]: `^${version}` },
  };
  await writeFile(
    path.join(folder, "package.json"),
    `${JSON.stringify(manifest, null, 2)}\n`,
  );
}
