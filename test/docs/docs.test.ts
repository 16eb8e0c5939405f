import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { ROOT } from "../package/package.js";
import { blocksOf } from "./blocks.js";
import { typedFiles } from "./page.js";
import { type Readers, readPages, startReaders } from "./pages.js";
import { HARDHAT_2, HARDHAT_3, Project } from "./project.js";

const pages = await readPages();

describe("the documentation", () => {
  let readers: Readers;
  before(async () => {
    readers = await startReaders(pages);
  });
  after(async () => {
    await readers[Symbol.asyncDispose]();
  });

  describe(
    "what a page shows runs, and prints what the page says",
    {
      concurrency: 2,
    },
    () => {
      for (const page of pages) {
        it(page.name, async () => {
          const { problems } = await readers.read(page);
          assert.deepEqual(problems, [], problems.join("\n\n"));
        });
      }
    },
  );

  for (const [title, major, packages] of [
    ["Hardhat 3", HARDHAT_3, ["viem", "@nomicfoundation/hardhat-toolbox-viem"]],
    ["Hardhat 2", HARDHAT_2, []],
  ] as const) {
    it(`what it shows for ${title} type checks`, async () => {
      await using project = await Project.create(major, readers.tarball);
      await project.install([...readers.packages(major), ...packages]);
      await project.install([
        "typescript",
        "@types/node",
        "@types/mocha",
        "@types/chai",
      ]);
      for (const page of pages.filter((each) => each.major === major)) {
        for (const { line, path: file, code } of typedFiles(page)) {
          await project.write(`pages/${page.name}/${line}/${file}`, code);
        }
      }
      const { code, output } = await project.run(
        "node node_modules/typescript/bin/tsc -p .",
      );
      assert.equal(code, 0, output);
    });
  }

  it("names only npm scripts that exist", async () => {
    const { scripts } = JSON.parse(
      await readFile(path.join(ROOT, "package.json"), "utf8"),
    );
    const excused = pages.flatMap(({ name, text }) =>
      blocksOf(name, text).filter(({ kind }) => kind === "excused"),
    );
    const named = excused.flatMap(({ code }) => [
      ...code.matchAll(/npm (?:run )?(?!ci\b|install\b)(\w[\w:]*)/g),
    ]);
    assert.ok(named.length >= 2);
    assert.deepEqual(
      named
        .map(([, name]) => String(name))
        .filter((name) => !(name in scripts)),
      [],
    );
  });
});
