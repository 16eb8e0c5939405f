import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import {
  cp,
  glob,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

export const ROOT = path.resolve(import.meta.dirname, "../..");
export const NAME = "hardhat-dualstack";
const MODULES = path.join(ROOT, "node_modules");
const TARBALL = "package.tgz";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Returns the environment without the variables that the plugin or a test runner
 * reads, and without CI, where Hardhat prints more than users see.
 */
export const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:DUALSTACK_|NODE_TEST|NODE_OPTIONS|HARDHAT_|npm_|CI$)/.test(name),
    ),
  );

/** Runs a program in that environment. */
export async function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const options = {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 280_000,
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(
      program,
      [...args],
      options,
    );
    return { code: 0, stdout, stderr };
  } catch (error) {
    const {
      code,
      stdout = "",
      stderr = "",
      message,
    } = error as Error & { code?: unknown; stdout?: string; stderr?: string };
    return {
      code: typeof code === "number" ? code : -1,
      stdout,
      stderr: stderr === "" ? message : stderr,
    };
  }
}

export const node = (cwd: string, ...args: string[]): Promise<Ran> =>
  run(cwd, process.execPath, args);

/** Runs a command of the npm on the path. */
export const npm = (cwd: string, ...args: string[]): Promise<Ran> =>
  run(cwd, "npm", args);

/** Hashes what goes into the package as it stands now: names, sizes and times of files. */
async function packed(): Promise<string> {
  const { files } = JSON.parse(
    await readFile(path.join(ROOT, "package.json"), "utf8"),
  );
  const known = createHash("sha256");
  const patterns = ["package.json", "README.md", ...files].map(
    (entry: string) => entry.replace(/\/$/, "/**"),
  );
  // What building the fixtures leaves there is not packed.
  const exclude = [`**/{node_modules,artifacts,cache,types}/**`];
  for await (const file of glob(patterns, { cwd: ROOT, exclude })) {
    const { size, mtimeMs } = await stat(path.join(ROOT, file));
    known.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return known.digest("hex");
}

/** Packs the package as it was built; later calls get the same tarball until it changes. */
export async function pack(): Promise<{ tarball: string; files: string[] }> {
  const cache = path.join(MODULES, ".cache/packed");
  const place = path.join(cache, await packed());
  const list = path.join(place, "files.json");
  if (!existsSync(list)) {
    await mkdir(cache, { recursive: true });
    const own = await mkdtemp(path.join(cache, "new-"));
    const { code, stdout, stderr } = await npm(
      ROOT,
      ...["pack", "--json", "--ignore-scripts", "--pack-destination", own],
    );
    if (code !== 0) {
      throw new Error(`npm pack failed: ${stderr}`);
    }
    const [{ filename, files }] = JSON.parse(stdout);
    await rename(path.join(own, filename), path.join(own, TARBALL));
    await writeFile(
      path.join(own, "files.json"),
      JSON.stringify(files.map((file: { path: string }) => file.path)),
    );
    // Another test may have packed it meanwhile.
    await rename(own, place).catch(async () => await remove(own));
  }
  return {
    tarball: path.join(place, TARBALL),
    files: JSON.parse(await readFile(list, "utf8")),
  };
}

export async function temporary(): Promise<string> {
  return await realpath(
    await mkdtemp(path.join(tmpdir(), "dualstack-package-")),
  );
}

export const remove = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true });

/** Links a package that is installed in `from` into a project's modules. */
export async function link(
  name: string,
  modules: string,
  from = MODULES,
): Promise<void> {
  const target = path.join(modules, name);
  await mkdir(path.dirname(target), { recursive: true });
  await symlink(await realpath(path.join(from, name)), target, "dir");
}

/** Makes the project of a user, with nothing installed. */
export async function consumer(
  project: string,
  fixture = "consumer",
): Promise<void> {
  await cp(path.join(ROOT, "fixtures", fixture), project, {
    recursive: true,
    filter: (source) => !/[\\/](?:node_modules|artifacts|cache)$/.test(source),
  });
}

/**
 * Installs the packed package and these versions in a project as a user does, so
 * that npm checks the peers.
 *
 * @returns npm's warnings
 */
export async function installPacked(
  project: string,
  versions: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<string> {
  const { tarball } = await pack();
  const manifest = path.join(project, "package.json");
  const own = JSON.parse(await readFile(manifest, "utf8"));
  const dependencies = { ...versions, [NAME]: `file:${tarball}` };
  const { [NAME]: _, ...devDependencies } = own.devDependencies ?? {};
  await writeFile(
    manifest,
    JSON.stringify({ ...own, dependencies, devDependencies }),
  );
  // Install scripts would only compile native code.
  const { code, stderr } = await npm(
    project,
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    ...flags,
  );
  if (code !== 0) {
    throw new Error(`npm install failed: ${stderr}`);
  }
  return stderr;
}

/** Returns the versions of packages that are installed in a project. */
export async function installedVersions(
  project: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const manifest = path.join(project, "node_modules", name, "package.json");
    found[name] = JSON.parse(await readFile(manifest, "utf8")).version;
  }
  return found;
}

/**
 * Makes a project with the package from its tarball, which has its own
 * dependencies and no others, and with the packages that the project itself asks
 * for.
 */
export async function install(
  tarball: string,
  project: string,
  packages: readonly string[],
): Promise<void> {
  await consumer(project);
  await unpack(tarball, project, packages);
}

const unpacked = new Map<string, Promise<string>>();

/** A tarball's files, in a folder of this process. */
function unpackedOnce(tarball: string): Promise<string> {
  const unpack = async () => {
    const folder = await temporary();
    process.once("exit", () =>
      rmSync(folder, { recursive: true, force: true }),
    );
    const { code, stderr } = await run(folder, "tar", ["-xzf", tarball]);
    if (code !== 0) {
      throw new Error(`the tarball cannot be unpacked: ${stderr}`);
    }
    return path.join(folder, "package");
  };
  const known = unpacked.get(tarball) ?? unpack();
  unpacked.set(tarball, known);
  return known;
}

/** Does so in a project that exists. */
export async function unpack(
  tarball: string,
  project: string,
  packages: readonly string[],
): Promise<void> {
  const modules = path.join(project, "node_modules");
  const target = path.join(modules, NAME);
  await mkdir(modules, { recursive: true });
  // Nothing writes into installed files, and thousands of links take a fraction
  // of the time of as many files.
  const files = await unpackedOnce(tarball);
  const { code, stderr } = await run(project, "cp", ["-al", files, target]);
  if (code !== 0) {
    throw new Error(`the package cannot be installed: ${stderr}`);
  }
  const { dependencies } = JSON.parse(
    await readFile(path.join(target, "package.json"), "utf8"),
  );
  for (const name of Object.keys(dependencies)) {
    await link(name, path.join(target, "node_modules"));
  }
  for (const name of packages) {
    await link(name, modules);
  }
}
