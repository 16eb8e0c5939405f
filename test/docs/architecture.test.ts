import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGES = ["docs/architecture.md", "CONTRIBUTING.md"];
/** Where a name without a folder, or with a part of one, may stand. */
const NAME = /`((?:[\w-]+\/)*[\w.-]+\.(?:ts|sol|cjs|js))`/g;
const FOLDER = /`((?:src|contracts|test|docs)\/[\w/-]+)`/g;

/** The files of the project, as `git` would list them, from their folders. */
async function files(): Promise<readonly string[]> {
  const { glob } = await import("node:fs/promises");
  const found: string[] = [];
  for await (const file of glob(
    [
      "src/**/*.ts",
      "contracts/**/*.sol",
      "test/**/*.ts",
      "*.{js,cjs}",
      ".*.cjs",
    ],
    { cwd: ROOT },
  ))
    found.push(file.split(path.sep).join("/"));
  return found;
}

describe("pages for those who change the plugin", () => {
  for (const page of PAGES) {
    it(`${page} names files and folders that are there`, async () => {
      const text = await readFile(path.join(ROOT, page), "utf8");
      const all = await files();
      const named = [...text.matchAll(NAME)].map(([, name = ""]) => name);
      assert.ok(named.length > 3, "names files");
      const missing = named.filter(
        (name) =>
          !all.some((file) => file === name || file.endsWith(`/${name}`)),
      );
      const folders = [...text.matchAll(FOLDER)].map(([, name = ""]) => name);
      missing.push(
        ...folders.filter((name) => !existsSync(path.join(ROOT, name))),
      );
      assert.deepEqual(missing, []);
    });
  }
});
