import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";

import { PROJECT } from "./helpers.js";

const require = createRequire(import.meta.url);

/** Hardhat's command line. */
export const CLI = path.join(
  path.dirname(require.resolve("hardhat/package.json")),
  "dist/src/cli.js",
);

/**
 * Returns the environment without what the test runner adds for its own
 * processes.
 */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return env;
}

export interface HardhatNode extends AsyncDisposable {
  readonly url: string;
}

/** Starts `hardhat node` in the fixture project, on a free port. */
export const startHardhatNode = async (
  ...args: readonly string[]
): Promise<HardhatNode> => await startNodeOf({ root: PROJECT, cli: CLI }, args);

/** Starts `hardhat node` in a project with its own Hardhat. */
export async function startNodeOf(
  { root, cli }: { readonly root: string; readonly cli: string },
  args: readonly string[],
): Promise<HardhatNode> {
  const server = spawn(
    process.execPath,
    [cli, "node", "--hostname", "127.0.0.1", "--port", "0", ...args],
    {
      cwd: root,
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (chunk) => {
      output += String(chunk);
      const found = /JSON-RPC server at (http:\S+)/.exec(output)?.[1];
      if (found !== undefined) {
        server.stdout.removeAllListeners("data").resume();
        resolve(found);
      }
    });
    server.once("exit", () => reject(new Error(output)));
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => server.once("exit", resolve));
      server.kill();
      await exited;
    },
  };
}
