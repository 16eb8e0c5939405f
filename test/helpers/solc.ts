import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const CACHE = path.resolve(
  import.meta.dirname,
  "../../node_modules/.cache/compiled",
);

/** The version of the compiler from the development dependencies. */
export const compilerVersion = (): string =>
  (require("solc/package.json") as { version: string }).version;

/**
 * What the compiler from the development dependencies answers to an input in
 * JSON. It is kept for the next process, for which the compiler would take a
 * second to start.
 */
export function compileJson(input: string): string {
  const key = createHash("sha256")
    .update(`${compilerVersion()} ${input}`)
    .digest("hex");
  const kept = path.join(CACHE, `${key}.json`);
  if (existsSync(kept)) return readFileSync(kept, "utf8");
  const solc = require("solc") as { compile(input: string): string };
  const output = solc.compile(input);
  mkdirSync(CACHE, { recursive: true });
  // Others may be at it, too: a file appears whole.
  const own = `${kept}.${randomUUID()}`;
  writeFileSync(own, output);
  renameSync(own, kept);
  return output;
}
