/**
 * Runs this project's TypeScript: `node --import ./scripts/typescript.mjs …`
 *
 * Node strips types itself, in a fraction of the time of a loader; it only needs
 * to know that `./x.js` is the file `./x.ts`. A Node before 22.18 cannot, and
 * uses tsx.
 */
import { existsSync } from "node:fs";
import * as module from "node:module";
import path from "node:path";

// Keeps Node's compiled modules for the next process: the tests start some
// hundred processes, which load the same modules.
const cache = path.join(
  import.meta.dirname,
  "../node_modules/.cache/node-compile",
);
// Also for the processes that a test starts.
process.env["NODE_COMPILE_CACHE"] ??= cache;
module.enableCompileCache?.(cache);

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
