import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { before, describe, it } from "node:test";

import ts from "typescript";

const root = path.resolve(import.meta.dirname, "../..");
const FILES = ["ethers.ts", "viem.ts", "config.ts", "tasks.ts"].map((name) =>
  path.join(import.meta.dirname, name),
);
const EXPECTED = "// @ts-expect-error";
/** The same files without expectations; they exist for the compiler alone. */
const BARE = new Map(
  FILES.map((file) => [
    file.replace(/\.ts$/, "-bare.ts"),
    readFileSync(file, "utf8").replaceAll(EXPECTED, "//"),
  ]),
);

/** One program of all: most of its time goes into what both import. */
function compile(): ts.Program {
  const { config } = ts.readConfigFile(
    path.join(root, "tsconfig.json"),
    (file) => ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const original = host.getSourceFile.bind(host);
  host.getSourceFile = (file, language, ...rest) => {
    const text = BARE.get(file);
    return text === undefined
      ? original(file, language, ...rest)
      : ts.createSourceFile(file, text, language);
  };
  return ts.createProgram({
    rootNames: [...FILES, ...BARE.keys()],
    options,
    host,
  });
}

function diagnose(program: ts.Program, files: Iterable<string>): string[] {
  return [...files].flatMap((file) => {
    const source = program.getSourceFile(file);
    assert.ok(source !== undefined, file);
    return ts.getPreEmitDiagnostics(program, source).map((d) => {
      const { line } = source.getLineAndCharacterOfPosition(d.start ?? 0);
      return `${path.basename(file)}:${line + 1} TS${d.code} ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`;
    });
  });
}

describe("types", () => {
  let program: ts.Program;
  before(() => {
    program = compile();
  });

  it("correct uses compile, and wrong ones do not", () => {
    // A wrong use that compiled would be reported as an unused expectation.
    assert.deepEqual(diagnose(program, FILES), []);
  });

  it("each wrong use fails on its own line", () => {
    const expected = FILES.reduce(
      (sum, file) =>
        sum + readFileSync(file, "utf8").split(EXPECTED).length - 1,
      0,
    );
    const lines = new Set(
      diagnose(program, BARE.keys()).map((line) => line.split(" ")[0]),
    );
    assert.equal(lines.size, expected, [...lines].join("\n"));
  });
});
