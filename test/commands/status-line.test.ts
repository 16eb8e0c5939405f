import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";

import { StatusLine } from "../../src/tasks/status-line.js";

/** A terminal that knows the few sequences used here, and keeps its lines. */
class Screen extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  lines: string[] = [""];

  constructor(columns: number) {
    super();
    this.columns = columns;
  }

  /** Wraps what was drawn again, as a real terminal does. */
  resize(columns: number): void {
    this.columns = columns;
    this.lines = this.lines.flatMap((line) =>
      line === ""
        ? [""]
        : (line.match(new RegExp(`.{1,${columns}}`, "g")) ?? []),
    );
    this.#at = undefined;
    this.emit("resize");
  }

  write = (text: string): boolean => {
    for (const part of text.match(/\u001b\[\d*[A-Za-z]|[^\u001b]/gs) ?? []) {
      const up = /^\u001b\[(\d+)A$/.exec(part)?.[1];
      if (part === "\n") {
        this.lines.push("");
      } else if (part === "\r") {
        // Nothing to do: every line here begins with one.
      } else if (up !== undefined) {
        this.#row -= Number(up);
      } else if (part === "\u001b[0J") {
        this.lines.splice(this.#row + 1);
        this.lines[this.#row] = "";
      } else if (!part.startsWith("\u001b")) {
        this.lines[this.lines.length - 1] += part;
      }
      if (part === "\n" || !/^[\r\u001b]/.test(part)) {
        this.#row = this.lines.length - 1;
      }
    }
    return true;
  };

  get #row(): number {
    return this.#at ?? this.lines.length - 1;
  }
  set #row(row: number) {
    this.#at = row;
  }
  #at: number | undefined;
}

describe("the status line", () => {
  it("stays below what is printed, and leaves nothing behind", () => {
    const screen = new Screen(80);
    const status = new StatusLine(screen as never);
    status.show("block 1");
    status.above(() => screen.write("first\n"));
    assert.deepEqual(screen.lines, ["first", "block 1…"]);
    status.above(() => screen.write("second\n"));
    assert.deepEqual(screen.lines, ["first", "second", "block 1…"]);
    status.show(undefined);
    assert.deepEqual(screen.lines, ["first", "second", ""]);
    assert.equal(screen.listenerCount("resize"), 0);
  });

  it("survives a terminal that becomes narrower, and wider again", () => {
    const screen = new Screen(80);
    const status = new StatusLine(screen as never);
    status.show("a".repeat(70));
    status.above(() => screen.write("line\n"));
    for (const columns of [30, 25, 100]) {
      screen.resize(columns);
      assert.equal(screen.lines.length, 2, JSON.stringify(screen.lines));
      assert.equal(screen.lines[0], "line");
      assert.ok((screen.lines[1]?.length ?? 0) < columns);
    }
    status.show(undefined);
    assert.deepEqual(screen.lines, ["line", ""]);
  });

  it("shows the newest text in the end, however fast texts come", async () => {
    const screen = new Screen(80);
    const status = new StatusLine(screen as never);
    for (let n = 0; n <= 50; n++) {
      status.show(`block ${n}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(screen.lines, ["block 50…"]);
    status.show(undefined);
  });

  it("writes nothing where there is no terminal", () => {
    const screen = Object.assign(new Screen(80), { isTTY: false });
    const status = new StatusLine(screen as never);
    status.show("block 1");
    assert.deepEqual(screen.lines, [""]);
  });
});
