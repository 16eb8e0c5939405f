import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";

import ts from "typescript";

const root = path.resolve(import.meta.dirname, "../..");
const FILES = ["ethers.ts", "viem.ts", "config.ts", "tasks.ts"].map((name) =>
  path.join(import.meta.dirname, name),
);

function diagnose(
  files: readonly string[],
  read = (file: string) => ts.sys.readFile(file),
): string[] {
  const { config } = ts.readConfigFile(
    path.join(root, "tsconfig.json"),
    (file) => ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const original = host.getSourceFile.bind(host);
  host.getSourceFile = (file, language, ...rest) =>
    files.includes(file)
      ? ts.createSourceFile(file, read(file) ?? "", language)
      : original(file, language, ...rest);
  const program = ts.createProgram({ rootNames: [...files], options, host });
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    assert.ok(source !== undefined, file);
    return ts.getPreEmitDiagnostics(program, source).map((d) => {
      const { line } = source.getLineAndCharacterOfPosition(d.start ?? 0);
      return `${path.basename(file)}:${line + 1} TS${d.code} ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`;
    });
  });
}

describe("types", () => {
  it("correct uses compile, and wrong ones do not", () => {
    // A wrong use that compiled would be reported as an unused expectation.
    assert.deepEqual(diagnose(FILES), []);
  });

  it("each wrong use fails on its own line", async () => {
    const texts = new Map<string, string>();
    let expected = 0;
    for (const file of FILES) {
      const text = await readFile(file, "utf8");
      expected += text.split("// @ts-expect-error").length - 1;
      texts.set(file, text.replaceAll("// @ts-expect-error", "//"));
    }
    const lines = new Set(
      diagnose(FILES, (file) => texts.get(file)).map(
        (line) => line.split(" ")[0],
      ),
    );
    assert.equal(lines.size, expected, [...lines].join("\n"));
  });
});
