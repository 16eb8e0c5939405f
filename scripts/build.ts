/**
 * Builds the package: the contracts' bytecode, the ES modules with their
 * types, and the same modules as CommonJS for projects on Hardhat 2.
 *
 * The ES modules are bundled into chunks along their dynamic imports, since
 * every file that is read when Hardhat starts costs its users time.
 */
import { spawnSync } from "node:child_process";
import { cp, glob, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

import { build, type BuildOptions } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const ESM = "dist/esm";
const CJS = "dist/cjs";
const SUBPATHS = ["chain", "address", "precompiles"];

function run(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

async function filesOf(pattern: string): Promise<string[]> {
  const files = [];
  for await (const file of glob(pattern, { cwd: root })) {
    files.push(file);
  }
  return files;
}

const BUNDLE: BuildOptions = {
  absWorkingDir: root,
  outdir: ESM,
  outbase: "src",
  format: "esm",
  bundle: true,
  packages: "external",
  platform: "node",
  target: "node22",
  sourcemap: true,
  chunkNames: "chunks/[name]-[hash]",
  logLevel: "warning",
};

/**
 * What Hardhat loads whenever it starts is one file; whatever that imports on
 * demand, and the subpaths, are bundled together, in chunks.
 */
async function buildEsm(): Promise<void> {
  const onDemand = new Set<string>();
  await build({
    ...BUNDLE,
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
  await build({
    ...BUNDLE,
    splitting: true,
    entryPoints: [
      ...onDemand,
      ...SUBPATHS.map((name) => `src/${name}/index.ts`),
    ],
  });
}

async function buildCommonJs(): Promise<void> {
  const sources = await filesOf("src/**/*.ts");
  await build({
    absWorkingDir: root,
    // What is made for Hardhat 3 alone is an ES module in every project.
    entryPoints: sources.filter(
      (file) =>
        !file.includes("hardhat3") && file !== path.join("src", "index.ts"),
    ),
    outdir: CJS,
    outbase: "src",
    format: "cjs",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  for (const file of await filesOf(`${ESM}/**/*.d.ts`)) {
    const target = path.join(root, CJS, path.relative(ESM, file));
    await mkdir(path.dirname(target), { recursive: true });
    await cp(path.join(root, file), target);
  }
  await writeFile(
    path.join(root, CJS, "package.json"),
    '{ "type": "commonjs" }\n',
  );
}

/** The projects in fixtures/ import the package by its name, as users do. */
async function linkPackage(): Promise<void> {
  const link = path.join(root, "node_modules/hardhat-dualstack");
  await rm(link, { recursive: true, force: true });
  await symlink(root, link, "junction");
}

run("--import=tsx", path.join(root, "scripts/build-contracts.ts"));
run("--import=tsx", path.join(root, "scripts/build-solidity-test.ts"));
await rm(path.join(root, "dist"), { recursive: true, force: true });
run(
  createRequire(import.meta.url).resolve("typescript/bin/tsc"),
  "-p",
  "tsconfig.build.json",
);
await buildEsm();
await buildCommonJs();
await linkPackage();
