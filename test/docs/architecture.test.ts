import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { glob, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PAGES = ["docs/architecture.md", "CONTRIBUTING.md"];
/** A file, by its path or the end of it. */
const NAME = /`((?:[\w.-]+\/)*[\w.-]+\.(?:[cm]?[jt]s|json|md|sol))`/g;
/** A folder, by its path. */
const FOLDER =
  /`((?:src|contracts|test|docs|scripts|fixtures|bench)\/[\w/-]+)`/g;

/** Lists the project's files that pages may name. */
async function files(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob(
    [
      "{src,test,scripts,bench}/**/*.{ts,mjs}",
      "contracts/**/*.sol",
      "docs/*.md",
      "*.{js,cjs,json,md}",
      ".*.cjs",
    ],
    { cwd: ROOT },
  ))
    found.push(file.split(path.sep).join("/"));
  return found;
}

describe("the pages for contributors", () => {
  for (const page of PAGES) {
    it(`${page} names only files and folders that exist`, async () => {
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

  it("CONTRIBUTING.md tells what every folder of the sources contains", async () => {
    const text = await readFile(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
    const entries = await readdir(path.join(ROOT, "src"), {
      withFileTypes: true,
    });
    const missing = entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `src/${name}`)
      .filter((folder) => !text.includes(`\`${folder}\``));
    assert.deepEqual(missing, []);
  });
});
