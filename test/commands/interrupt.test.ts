import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, it } from "node:test";

import { KEYS } from "../helpers/chain.js";
import { createProject, TOOLBOX } from "../helpers/hardhat2.js";
import { atTerminal, NO_TERMINAL } from "../helpers/pty.js";
import { EvmNode } from "../servers/evm-node.js";
import { PROJECT } from "./helpers.js";

const TO = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A Hardhat's command-line script, and the project to run it in. */
interface Cli {
  readonly file: string;
  readonly folder: string;
}

const cliOf = (folder: string, file: string) =>
  path.join(
    path.dirname(
      createRequire(path.join(folder, "package.json")).resolve(
        "hardhat/package.json",
      ),
    ),
    file,
  );

const MAJORS: Readonly<Record<string, () => Promise<Cli>>> = {
  "Hardhat 3": async () =>
    await Promise.resolve({
      file: cliOf(PROJECT, "dist/src/cli.js"),
      folder: PROJECT,
    }),
  "Hardhat 2": async () => {
    const folder = await createProject();
    await writeFile(
      path.join(folder, "hardhat.config.js"),
      'require("hardhat-dualstack/hardhat2");\nmodule.exports = { solidity: "0.8.30" };\n',
    );
    return { file: cliOf(TOOLBOX, "internal/cli/bootstrap.js"), folder };
  },
};

describe(
  "Ctrl-C at the confirmation on the main network",
  { skip: NO_TERMINAL },
  () => {
    let node: EvmNode;
    before(async () => {
      node = await EvmNode.start({ chainId: 26217 });
    });
    after(() => node.close());

    for (const [major, find] of Object.entries(MAJORS)) {
      it(`ends the task quietly, and sends nothing (${major})`, async () => {
        const { file, folder } = await find();
        const { NODE_OPTIONS: _, ...env } = process.env;
        const { code, shown } = await atTerminal(
          [
            ...[process.execPath, file, "--network", "mainnet"],
            ...["dualstack", "transfer", TO, "1"],
          ],
          {
            once: "(y/N)",
            keys: "\u0003",
            cwd: folder,
            env: {
              ...env,
              NO_COLOR: "1",
              HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
              DUALSTACK_MAINNET_EVM_URL: node.evmUrl,
              DUALSTACK_PRIVATE_KEY: KEYS[0],
            },
          },
        );
        assert.match(shown, /Transfer 1 NATIVE .*\(y\/N\)/s);
        assert.doesNotMatch(shown, /\berror|report|^ +at /im);
        assert.equal(code, 1, shown);
        assert.deepEqual(
          node.requests.filter(({ method }) => /^eth_send/.test(method)),
          [],
        );
      });
    }
  },
);
