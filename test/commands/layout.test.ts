import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parseAddress } from "../../src/address/index.js";
import type { BalanceRow } from "../../src/commands/balance/index.js";
import { BalanceTable } from "../../src/commands/balance/messages.js";
import { shortenMiddle, table } from "../../src/commands/shared/layout.js";
import { createTerminalUi } from "../../src/tasks/terminal-ui.js";

const { hex, account, valoper } = parseAddress(
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
);
const COLUMNS = [
  ["Validator"],
  ["Operator"],
  ["Stake", "right"],
  ["Status"],
] as const;
const ROWS = [
  ["Alder", valoper, "1200.5 NATIVE", "bonded"],
  ["A validator with a long name", valoper, "9 NATIVE", "unbonding, jailed"],
];

describe("tables", () => {
  it("fit the terminal: addresses are shortened in the middle, alike within a column", () => {
    for (const width of [80, 100, 120]) {
      const lines = table(COLUMNS, ROWS, width);
      assert.ok(Math.max(...lines.map((line) => line.length)) <= width);
      const ends = lines.map((line) => /NATIVE|Stake/.exec(line));
      assert.equal(
        new Set(ends.map((end) => (end?.index ?? 0) + (end?.[0].length ?? 0)))
          .size,
        1,
        "aligned at the right",
      );
      if (width < 120)
        assert.match(lines[1] ?? "", /cosmosv[a-z0-9]*…[a-z0-9]+ /);
      assert.match(lines[2] ?? "", /A validator with a long name/);
    }
  });

  it("are not shortened in a pipe, nor where there is room", () => {
    const whole = table(COLUMNS, ROWS);
    assert.ok(whole.every((line) => !line.includes("…")));
    assert.ok((whole[1] ?? "").includes(valoper));
    assert.deepEqual(table(COLUMNS, ROWS, 200), whole);
    const tiny = table(COLUMNS, ROWS, 20);
    assert.match(tiny[1] ?? "", /cosmos…\w{4} /, "no shorter than this");
  });

  it("of balances fit, too, and keep both ends of an address", () => {
    const row = {
      address: hex,
      account,
      given: account,
      native: {
        baseUnits: 9_999_123456789012345678n,
        tokens: "9999.123456789012345678",
        symbol: "NATIVE",
      },
    } as BalanceRow;
    const lines = new BalanceTable("NATIVE", undefined, 80).lines([row]);
    assert.ok(Math.max(...lines.map((line) => line.length)) <= 80);
    assert.match(
      lines[1] ?? "",
      /^ {2}cosmos1\w*…\w+ {2}9999\.123456789012345678/,
    );
    const whole = new BalanceTable("NATIVE", undefined).lines([row]);
    assert.ok((whole[1] ?? "").includes(account));
  });

  it("know the terminal's width, and that a pipe has none", () => {
    const streams = (isTTY: boolean) =>
      ({
        stdin: { isTTY },
        stdout: { isTTY, columns: 91 },
        stderr: { isTTY, on: () => undefined, write: () => true },
      }) as unknown as Parameters<typeof createTerminalUi>[1];
    assert.equal(createTerminalUi(false, streams(true)).columns?.(), 91);
    assert.equal(
      createTerminalUi(false, streams(false)).columns?.(),
      undefined,
    );
  });

  it("shorten a word to the given length", () => {
    assert.equal(shortenMiddle(hex, 11), "0xf39F…2266");
    assert.equal(shortenMiddle(hex, 42), hex);
  });
});
