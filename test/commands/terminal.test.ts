import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";

import { confirmSpending } from "../../src/commands/shared/sending.js";
import { Interrupted } from "../../src/commands/shared/output.js";
import { createTerminalUi } from "../../src/tasks/terminal-ui.js";
import { describedNetwork } from "./helpers.js";

const MAINNET = describedNetwork({ kind: "mainnet", chainId: 26217 });

/** A terminal at which someone presses keys when asked. */
function terminal(keys: string | undefined) {
  const stdin = Object.assign(new PassThrough(), { isTTY: keys !== undefined });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  stderr.on("data", (text) => {
    if (/\(y\/N\)/.test(String(text))) {
      setImmediate(() => stdin.write(keys ?? ""));
    }
  });
  return createTerminalUi(false, {
    stdin,
    stdout: stderr,
    stderr,
  } as unknown as Pick<NodeJS.Process, "stdin" | "stdout" | "stderr">);
}

const ask = (keys: string | undefined) =>
  confirmSpending(MAINNET, terminal(keys), "Send 1 NATIVE?", false);

describe("the question before something is spent on the main network", () => {
  for (const yes of ["y\n", "YES\r"]) {
    it(`takes ${JSON.stringify(yes)} as a yes`, async () => {
      await ask(yes);
    });
  }

  for (const [what, keys] of [
    ["an n", "n\n"],
    ["an empty line", "\n"],
    ["Ctrl-D", "\u0004"],
  ] as const) {
    it(`takes ${what} as a no, and sends nothing`, async () => {
      await assert.rejects(ask(keys), /nothing was sent: you did not confirm/);
    });
  }

  it("ends at Ctrl-C", async () => {
    await assert.rejects(ask("\u0003"), Interrupted);
  });

  it("says what to do where nobody can be asked", async () => {
    await assert.rejects(ask(undefined), /there is no terminal.*Add --yes/);
  });
});
