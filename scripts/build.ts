/**
 * Builds the package: the contracts' bytecode, the ES modules with their
 * types, and the same modules as CommonJS for projects on Hardhat 2.
 */
import { spawnSync } from "node:child_process";
import { cp, glob, mkdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const ESM = "dist/esm";
const CJS = "dist/cjs";

function run(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
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

async function buildCommonJs(): Promise<void> {
  const sources = await filesOf("src/**/*.ts");
  await build({
    absWorkingDir: root,
    // What is made for Hardhat 3 alone is an ES module in every project.
    entryPoints: sources.filter((file) => !file.includes("hardhat3") && file !== path.join("src", "index.ts")),
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
  await writeFile(path.join(root, CJS, "package.json"), '{ "type": "commonjs" }\n');
}

run("--import=tsx", path.join(root, "scripts/build-contracts.ts"));
await rm(path.join(root, "dist"), { recursive: true, force: true });
run(createRequire(import.meta.url).resolve("typescript/bin/tsc"), "-p", "tsconfig.build.json");
await buildCommonJs();
