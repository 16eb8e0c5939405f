/**
 * Runs the TypeScript of this project: `node --import ./scripts/typescript.mjs …`
 *
 * Node leaves out types by itself, in a fraction of the time of a loader; all
 * that it has to be told is that `./x.js` is written as `./x.ts`. A Node before
 * 22.18 does not, and takes tsx.
 */
import { existsSync } from "node:fs";
import * as module from "node:module";
import path from "node:path";

// Keeps what Node makes of modules for the next process: the tests start some hundred, which load the same ones.
const cache = path.join(
  import.meta.dirname,
  "../node_modules/.cache/node-compile",
);
// Also of the processes that a test starts.
process.env["NODE_COMPILE_CACHE"] ??= cache;
module.enableCompileCache(cache);

if (process.features.typescript) {
  module.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "" } = context;
      if (
        /^\.\.?\/.*\.js$/.test(specifier) &&
        !parentURL.includes("/node_modules/")
      ) {
        const written = new URL(
          specifier.replace(/\.js$/, ".ts"),
          parentURL || import.meta.url,
        );
        if (existsSync(written)) return next(written.href, context);
      }
      return next(specifier, context);
    },
  });
} else {
  await import("tsx");
}
