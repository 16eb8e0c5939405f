import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, it } from "node:test";

import { PROJECT } from "./helpers.js";

const require = createRequire(import.meta.url);
const CLI = path.join(
  path.dirname(require.resolve("hardhat/package.json")),
  "dist/src/cli.js",
);
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function hardhat(...args: string[]): Promise<Ended> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, ...args],
      { cwd: PROJECT, env: { ...env, NO_COLOR: "1" } },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === "number" ? error.code : 0,
          stdout,
          stderr,
        }),
    );
  });
}

describe("the command line", () => {
  it("ends with 0 and says nothing else on success", async () => {
    const { code, stdout, stderr } = await hardhat(
      "dualstack",
      "address",
      OWNER,
    );
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^ {2}Hex +0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n {2}Account +cosmos1/,
    );
    assert.equal(stderr, "");
  });

  it("ends with 1 and the plugin's message on failure", async () => {
    const { code, stdout, stderr } = await hardhat(
      "dualstack",
      "address",
      `${OWNER.slice(0, -1)}7`,
    );
    assert.equal(code, 1);
    assert.match(
      stdout + stderr,
      /Error in community plugin hardhat-dualstack: the address .* has a wrong checksum/,
    );
    assert.doesNotMatch(stdout + stderr, /report a bug/i);
  });

  it("ends with 1 and an error in JSON on failure with --json", async () => {
    const { code, stdout } = await hardhat(
      "dualstack",
      "faucet",
      OWNER,
      "--json",
      "--network",
      "mainnet",
    );
    assert.equal(code, 1);
    assert.match(
      (JSON.parse(stdout) as { error: { message: string } }).error.message,
      /^the main network has no faucet \(network mainnet\)/,
    );
  });

  it("takes arguments that begin with a minus after --", async () => {
    const { code, stdout, stderr } = await hardhat(
      ...[
        "dualstack",
        "deploy",
        "--json",
        "--network",
        "localnet",
        "--",
        "Vault",
      ],
      ...["v", "10", OWNER, "false", "0x00000000", "[-1,1]", "[]"],
    );
    assert.equal(code, 0, stdout + stderr);
    const report = JSON.parse(stdout) as { address: string; block: string };
    assert.match(report.address, /^0x/);
    assert.equal(report.block, "1");
  });
});
