import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";

import { Interrupted } from "../commands/shared/output.js";
import type { Ui } from "../commands/shared/ui.js";
import { PLUGIN_ID } from "../support/plugin-id.js";
import { StatusLine } from "./status-line.js";

/**
 * The command line: results go to standard output, everything else to standard
 * error; progress is shown only on a terminal.
 */
export function createTerminalUi(
  json: boolean,
  streams: Pick<NodeJS.Process, "stdin" | "stdout" | "stderr"> = process,
): Ui {
  const { stdin, stdout, stderr } = streams;
  const status = new StatusLine(stderr);
  return {
    json,
    line: (text) => {
      // Unlike stdout.write, the console survives a reader that closes the
      // pipe, as "| head" does.
      status.above(() => console.log(text));
    },
    note: (text) => {
      status.above(() => console.error(text));
    },
    progress: (text) => {
      status.show(text);
    },
    columns: () => (stdout.isTTY ? stdout.columns || undefined : undefined),
    // Node itself checks whether the output is a terminal, and NO_COLOR.
    paint: (colour, text) => styleText(colour, text, { stream: stdout }),
    confirm: async (question) => {
      if (stdin.isTTY !== true || json) {
        return undefined;
      }
      status.show(undefined);
      const terminal = createInterface({ input: stdin, output: stderr });
      const interruption = new AbortController();
      const end = new AbortController();
      terminal.once("SIGINT", () => {
        interruption.abort();
      });
      terminal.once("close", () => {
        end.abort();
      });
      try {
        const answer = await terminal.question(
          `${styleText("blue", `[${PLUGIN_ID}]`)} ${question} (y/N) `,
          { signal: AbortSignal.any([interruption.signal, end.signal]) },
        );
        return /^y(?:es)?$/i.test(answer.trim());
      } catch (error) {
        if (!interruption.signal.aborted && !end.signal.aborted) {
          throw error;
        }
        stderr.write("\n");
        if (interruption.signal.aborted) {
          throw new Interrupted();
        }
        // The input ended, for instance with Ctrl+D.
        return false;
      } finally {
        terminal.close();
      }
    },
  };
}
