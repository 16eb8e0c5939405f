/**
 * Builds the package: the contracts' bytecode, the ES modules with their types,
 * and the same modules as CommonJS for projects on Hardhat 2.
 *
 * The ES modules are bundled into chunks along their dynamic imports, since
 * every file that Hardhat reads when it starts costs its users time.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

import { build, type BuildOptions, type Plugin } from "esbuild";
import typescript from "typescript";

const root = path.resolve(import.meta.dirname, "..");
const ESM = "dist/esm";
const CJS = "dist/cjs";
const SUBPATHS = ["chain", "address", "precompiles"];

async function run(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
  });
  const [status] = await once(child, "close");
  if (status !== 0) {
    process.exit(typeof status === "number" ? status : 1);
  }
}

/**
 * Files for Hardhat 2 that must run in this order, or that are required because
 * Hardhat cannot wait for an import.
 */
const REQUIRED = [
  "./check-version",
  "./plugin",
  "./extensions",
  "./local-provider",
  "../config/schema",
];

const BUNDLE = {
  absWorkingDir: root,
  outdir: ESM,
  outbase: "src",
  format: "esm",
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node22",
  // The modules are readable, and Node would read a map with each of them.
  sourcemap: false,
  chunkNames: "chunks/[name]-[hash]",
  logLevel: "warning",
} as const satisfies BuildOptions;

const LOAD = "export const __load = (module) => import(module);\n";

/**
 * Leaves packages to the project, except the framework's messages of the local
 * network: these are so many files that finding them takes longer than running
 * them.
 */
const withMessages: Plugin = {
  name: "messages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path: name, importer }) => {
      const file = path.relative(root, importer).split(path.sep).join("/");
      const isOwn =
        importer === "" ||
        (name.startsWith("cosmjs-types/") &&
          file.startsWith("src/local-node/"));
      return isOwn ? undefined : { path: name, external: true };
    });
  },
};

/**
 * Moves dynamic imports to one small file: Hardhat's TypeScript loader rewrites
 * each file that contains some, which takes longer than loading it.
 */
async function importElsewhere(outputs: readonly string[]): Promise<void> {
  const base = path.join(root, ESM);
  await writeFile(path.join(base, "load.js"), LOAD);
  for (const output of outputs) {
    const file = path.join(root, output);
    const text = await readFile(file, "utf8");
    const pattern = /\bimport\("([^"]+)"\)/g;
    if (!pattern.test(text)) continue;
    const folder = path.dirname(file);
    const from = (target: string, start: string) =>
      path.relative(start, target).split(path.sep).join("/");
    const loader = from(path.join(base, "load.js"), folder);
    const changed = text.replaceAll(pattern, (_, name: string) => {
      const target = name.startsWith(".")
        ? `./${from(path.resolve(folder, name), base)}`
        : name;
      return `__load("${target}")`;
    });
    await writeFile(
      file,
      `import { __load } from "${loader.startsWith(".") ? loader : `./${loader}`}";\n${changed}`,
    );
  }
}

/** A variable of a module that changes. */
const STATE =
  /^(?:export )?(?:let |const \w+(?::[^=]+)? = new (?:Map|Set|WeakMap|WeakSet|AsyncLocalStorage)\b)/m;

/**
 * Modules in the file that Hardhat starts with and in the chunks are there
 * twice: what one copy notes, the other does not know.
 */
async function requireNoState(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (STATE.test(await readFile(path.join(root, file), "utf8")))
      throw new Error(
        `${file} keeps state, and would be bundled twice: import it dynamically from what Hardhat loads at its start`,
      );
  }
}

/**
 * Everything that Hardhat loads whenever it starts goes into one file, and one
 * for the dynamic imports. Whatever is imported on demand, and the subpaths,
 * are bundled together, in chunks.
 */
async function buildEsm(): Promise<void> {
  const onDemand = new Set<string>();
  const start = await build({
    ...BUNDLE,
    metafile: true,
    entryPoints: ["src/index.ts"],
    plugins: [
      {
        name: "on-demand",
        setup({ onResolve }) {
          onResolve({ filter: /^\./ }, ({ kind, path: target, resolveDir }) => {
            if (kind !== "dynamic-import") {
              return undefined;
            }
            const file = path.relative(root, path.resolve(resolveDir, target));
            onDemand.add(file.replace(/\.js$/, ".ts"));
            return { path: `./${path.relative("src", file)}`, external: true };
          });
        },
      },
    ],
  });
  const chunks = await build({
    ...BUNDLE,
    packages: "bundle",
    plugins: [withMessages],
    metafile: true,
    splitting: true,
    entryPoints: [
      ...onDemand,
      ...SUBPATHS.map((name) => `src/${name}/index.ts`),
    ],
  });
  await requireNoState(
    Object.keys(start.metafile.inputs).filter(
      (file) => file in chunks.metafile.inputs,
    ),
  );
  await importElsewhere([
    ...Object.keys(start.metafile.outputs),
    ...Object.keys(chunks.metafile.outputs),
  ]);
}

/**
 * The same in chunks of CommonJS, for Hardhat 2. TypeScript converts them, not
 * esbuild: what is imported on demand must be required on demand, so that this
 * entry point shares one copy of ethers with the project.
 */
async function buildCommonJs(): Promise<void> {
  const { outputFiles } = await build({
    ...BUNDLE,
    outdir: CJS,
    // Modules that require these files by path are in the same folder.
    chunkNames: "hardhat2/[name]-[hash]",
    external: REQUIRED.map((name) => `${name}.js`),
    ignoreAnnotations: true,
    splitting: true,
    write: false,
    entryPoints: [
      ...[...SUBPATHS, "hardhat2"].map((name) => `src/${name}/index.ts`),
      ...REQUIRED.map((name) => `src/hardhat2/${name}.ts`),
    ],
  });
  const compilerOptions = {
    module: typescript.ModuleKind.CommonJS,
    target: typescript.ScriptTarget.ES2022,
    esModuleInterop: true,
  };
  for (const { path: file, text } of outputFiles) {
    const { outputText } = typescript.transpileModule(text, {
      compilerOptions,
    });
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, outputText);
  }
  await writeFile(
    path.join(root, CJS, "package.json"),
    '{ "type": "commonjs" }\n',
  );
}

/**
 * Removes the declarations that no entry point leads to: they would be a third
 * of the package's files, of use to nobody.
 */
async function dropUnreachable(
  folder: string,
  entryPoints: readonly string[],
): Promise<void> {
  const base = path.join(root, folder);
  const reached = new Set<string>();
  const reach = async (file: string): Promise<void> => {
    if (reached.has(file)) return;
    reached.add(file);
    const { importedFiles } = typescript.preProcessFile(
      await readFile(file, "utf8"),
    );
    for (const { fileName } of importedFiles)
      if (fileName.startsWith("."))
        await reach(path.resolve(path.dirname(file), declarationsOf(fileName)));
  };
  for (const name of entryPoints)
    await reach(path.join(base, declarationsOf(name)));
  for (const name of await readdir(base, { recursive: true })) {
    const file = path.join(base, name);
    if (name.endsWith(".d.ts") && !reached.has(file)) await rm(file);
  }
}

const declarationsOf = (module: string) => module.replace(/\.js$/, ".d.ts");

/** The projects in fixtures/ import the package by its name, as users do. */
async function linkPackage(): Promise<void> {
  const link = path.join(root, "node_modules/hardhat-dualstack");
  await rm(link, { recursive: true, force: true });
  await symlink(root, link, "junction");
}

const loader = ["--import", "./scripts/typescript.mjs"];
for (const script of ["build-contracts", "build-solidity-test"])
  await run(...loader, `scripts/${script}.ts`);
await rm(path.join(root, "dist"), { recursive: true, force: true });
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
// Writes the declarations; `npm run check` finds the errors. With `--check` those
// of the sources for Hardhat 2 are found here, which spares the tests a program.
const isChecked = process.argv.includes("--check");
await Promise.all([
  run(tsc, "-p", "tsconfig.build.json", "--noCheck"),
  run(
    tsc,
    "-p",
    "tsconfig.hardhat2.build.json",
    ...(isChecked ? [] : ["--noCheck"]),
  ),
  buildEsm().then(buildCommonJs),
]);
const subpaths = SUBPATHS.map((name) => `${name}/index.js`);
await dropUnreachable(ESM, ["index.js", ...subpaths]);
await dropUnreachable(CJS, ["hardhat2/index.js", ...subpaths]);
await linkPackage();
