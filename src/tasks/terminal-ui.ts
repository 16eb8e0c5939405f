import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";

import type { Ui } from "../commands/ui.js";
import { PLUGIN_ID } from "../support/plugin-id.js";

/** Clears the line and goes back to its beginning. */
const CLEAR = "\r\u001b[2K";
const PROGRESS_EVERY_MS = 100;

/**
 * The command line: results on the standard output, everything else on the
 * standard error, and progress only where that is a terminal.
 */
export function createTerminalUi(json: boolean): Ui {
  const { stdin, stderr } = process;
  const isTerminal = stderr.isTTY === true;
  let shown = false;
  let last = 0;
  const clear = () => {
    if (shown) {
      stderr.write(CLEAR);
      shown = false;
    }
  };
  return {
    json,
    line: (text) => {
      clear();
      // Not stdout.write: the console survives a reader that goes away, as in "| head".
      console.log(text);
    },
    note: (text) => {
      clear();
      console.error(text);
    },
    progress: (text) => {
      if (!isTerminal) {
        return;
      }
      if (text === undefined) {
        clear();
        last = 0;
        return;
      }
      const now = Date.now();
      if (now - last >= PROGRESS_EVERY_MS) {
        last = now;
        const width = Math.max(20, (stderr.columns || 80) - 1);
        stderr.write(
          `${CLEAR}${styleText("dim", `${text.slice(0, width - 1)}…`)}`,
        );
        shown = true;
      }
    },
    // Node itself looks whether the output is a terminal, and at NO_COLOR.
    paint: (colour, text) =>
      styleText(colour, text, { stream: process.stdout }),
    confirm: async (question) => {
      if (stdin.isTTY !== true || json) {
        return false;
      }
      clear();
      const terminal = createInterface({ input: stdin, output: stderr });
      try {
        const answer = await terminal.question(
          `${styleText("blue", `[${PLUGIN_ID}]`)} ${question} (y/N) `,
        );
        return /^y(?:es)?$/i.test(answer.trim());
      } finally {
        terminal.close();
      }
    },
  };
}
