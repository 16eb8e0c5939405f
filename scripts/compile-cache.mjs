/**
 * Keeps what Node makes of modules for the next process: the tests start some
 * hundred, which load the same ones. `node --import ./scripts/compile-cache.mjs`
 */
import { enableCompileCache } from "node:module";
import path from "node:path";

const cache = path.join(
  import.meta.dirname,
  "../node_modules/.cache/node-compile",
);

// Also of the processes that a test starts.
process.env["NODE_COMPILE_CACHE"] ??= cache;
enableCompileCache(cache);
