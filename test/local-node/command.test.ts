import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";

import { CLI, cleanEnvironment } from "../commands/hardhat-node.js";
import { PROJECT } from "../commands/helpers.js";
import {
  type NodeArguments,
  readNodeArguments,
} from "../../src/commands/node/index.js";

const ARGUMENTS: NodeArguments = {
  port: "0",
  grpcPort: "0",
  hostname: "127.0.0.1",
  accounts: "20",
  balance: "10000",
  mnemonic: undefined,
  blockTime: "1",
  automine: false,
  likeChain: false,
  fork: undefined,
  forkBlock: undefined,
};

const start = (...args: string[]) =>
  spawn(process.execPath, [CLI, "dualstack", "node", ...args], {
    cwd: PROJECT,
    env: { ...cleanEnvironment(), NO_COLOR: "1" },
  });

describe("dualstack node", () => {
  it("prints endpoints and accounts, and ends well when it is interrupted", async () => {
    const child = start(
      "--port",
      "0",
      "--grpc-port",
      "0",
      "--accounts",
      "2",
      "--automine",
    );
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += String(chunk);
    });
    while (!output.includes("Press Ctrl+C")) {
      await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      assert.equal(child.exitCode, null, output + errors);
    }
    assert.match(output, /Chain ID +26218 \(framework: dualstack_26218-1\)/);
    assert.match(
      output,
      /Account #1: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n {2}Framework: +cosmos1/,
    );
    assert.doesNotMatch(output, /Account #2/);
    const rest = /REST +(http:\S+)/.exec(output)?.[1] ?? "";
    const answer = await fetch(`${rest}/cosmos/staking/v1beta1/validators`);
    const { validators } = (await answer.json()) as { validators: object[] };
    assert.equal(validators.length, 3);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    assert.equal(code, 0, errors);
    assert.equal(errors, "");
  });

  it("tells a port that is taken, with the way out", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const child = start("--port", String(port), "--grpc-port", "0");
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += String(chunk);
    });
    const [code] = await once(child, "exit");
    taken.close();
    assert.equal(code, 1);
    assert.match(
      errors,
      new RegExp(`port ${port} cannot be used: .*EADDRINUSE.*--port`, "s"),
    );
  });

  it("names an option that is wrong", () => {
    const wrong: readonly [Partial<typeof ARGUMENTS>, RegExp][] = [
      [{ port: "70000" }, /--port "70000"/],
      [{ grpcPort: "1.5" }, /--grpc-port "1.5" is not a port/],
      [{ accounts: "many" }, /--accounts "many"/],
      [{ blockTime: "" }, /--block-time ""/],
      [{ fork: "testnet", forkBlock: "new" }, /--fork-block "new"/],
    ];
    for (const [given, error] of wrong) {
      assert.throws(() => readNodeArguments({ ...ARGUMENTS, ...given }), error);
    }
  });
});
