import { spawn, spawnSync } from "node:child_process";

// Of Python's standard library: Node itself has no pseudo terminals.
const IN_A_TERMINAL = `
import os, pty, sys
awaited, keys = sys.argv[1].encode(), sys.argv[2].encode()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[3], sys.argv[3:])
seen = b""
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    seen += data
    sys.stdout.buffer.write(data)
    sys.stdout.flush()
    if awaited and awaited in seen:
        awaited = b""
        os.write(terminal, keys)
_, status = os.waitpid(pid, 0)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128)
`;

/** Why there are no pseudo terminals on this machine; CI must have them. */
export const NO_TERMINAL: string | false =
  process.env["CI"] === undefined &&
  spawnSync("python3", ["-c", "import pty"]).status !== 0
    ? "pseudo terminals are made by python3, which is not there"
    : false;

export interface TerminalRun {
  readonly code: number | null;
  /** What the terminal shows, as it comes. */
  readonly shown: string;
}

/** Runs a command at a terminal, where somebody presses keys once a text is shown. */
export async function atTerminal(
  command: readonly string[],
  {
    once: awaited,
    keys,
    ...options
  }: {
    readonly once: string;
    readonly keys: string;
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
  },
): Promise<TerminalRun> {
  const child = spawn(
    "python3",
    ["-c", IN_A_TERMINAL, awaited, keys, ...command],
    { ...options, stdio: ["ignore", "pipe", "inherit"] },
  );
  let shown = "";
  child.stdout.on("data", (text: Buffer) => (shown += text.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { code, shown };
}
