import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";

import { WebSocket } from "ws";

import { CLI, cleanEnvironment } from "../commands/hardhat-node.js";
import { PROJECT } from "../commands/helpers.js";
import {
  type NodeArguments,
  readNodeArguments,
} from "../../src/commands/node/index.js";
import { startNode } from "./start.js";

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

interface Started extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly output: string;
  readonly port: string;
  readonly grpcPort: string;
  /** A REST query. */
  readonly rest: string;
  /** Returns what it has written to standard error. */
  errors(): string;
}

/** Starts the command, and waits until it says that it is ready. */
async function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [CLI, "dualstack", "node", ...args], {
    cwd: PROJECT,
    env: { ...cleanEnvironment(), NO_COLOR: "1" },
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  while (!output.includes("Press Ctrl+C")) {
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    assert.equal(child.exitCode, null, output + errors);
  }
  const rest = /REST +(http:\S+)/.exec(output)?.[1] ?? "";
  return {
    child,
    output,
    port: new URL(rest).port,
    grpcPort: /gRPC +\S+:(\d+)/.exec(output)?.[1] ?? "",
    rest: `${rest}/cosmos/staking/v1beta1/validators`,
    errors: () => errors,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

describe("dualstack node", () => {
  it("prints endpoints and accounts, is killed while clients work, starts again on the same ports, and ends well", async () => {
    await using killed = await start("--port", "0", "--grpc-port", "0");
    const { port, grpcPort } = killed;
    const outcomes = [
      ...Array.from({ length: 8 }, async () => {
        for (;;) await (await fetch(killed.rest)).text();
      }),
      new Promise((_, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
        socket.on("close", (code) => {
          reject(new Error(`closed with ${code}`));
        });
        socket.on("error", reject);
      }),
    ].map(async (client) => await client.catch((error: unknown) => error));
    await new Promise((resolve) => setTimeout(resolve, 200));
    killed.child.kill("SIGKILL");
    for (const outcome of await Promise.all(outcomes)) {
      assert.ok(outcome instanceof Error, "every client is told");
    }
    await using again = await start(
      ...["--port", port, "--grpc-port", grpcPort],
      ...["--accounts", "2", "--automine"],
    );
    const { child, output } = again;
    assert.equal(again.port, port);
    assert.match(output, /Chain ID +26218 \(framework: dualstack_26218-1\)/);
    assert.match(
      output,
      /Account #1: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n {2}Framework: +cosmos1/,
    );
    assert.doesNotMatch(output, /Account #2/);
    const answer = await fetch(again.rest);
    const { validators } = (await answer.json()) as { validators: object[] };
    assert.equal(validators.length, 3);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    assert.equal(code, 0, again.errors());
    assert.equal(again.errors(), "");
  });

  it("names a port that is taken, and a way out", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    for (const [options, option] of [
      [{ port }, "--port"],
      [{ grpcPort: port }, "--grpc-port"],
    ] as const) {
      await assert.rejects(
        startNode(options),
        new RegExp(
          `port ${port} cannot be used: listen EADDRINUSE: address already in use \\S+ Choose another with ${option}`,
        ),
      );
    }
    taken.close();
  });

  it("names a host name that is not this machine's", async () => {
    for (const hostname of ["nowhere.invalid", "192.0.2.1"]) {
      await assert.rejects(
        startNode({ hostname }),
        /the host name cannot be listened on: .*Choose one of this machine with --hostname/,
      );
    }
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
