const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** Longer than anybody waits, and within the range of timers. */
const LONG_MS = 2 ** 30;

/**
 * Runs something until it is interrupted: the first signal ends it cleanly, a
 * second one at once. A reader that closes the pipe, as `head` does, ends it
 * too.
 */
export async function untilInterrupted(
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const interrupt = () => {
    stop.abort();
  };
  const { stdout } = process;
  SIGNALS.forEach((name) => process.once(name, interrupt));
  stdout.on("error", interrupt);
  // What it waits for may be in this process, and keep nothing else alive.
  const alive = setInterval(() => undefined, LONG_MS);
  try {
    await run(stop.signal);
  } finally {
    clearInterval(alive);
    SIGNALS.forEach((name) => process.off(name, interrupt));
    // Writes still under way to the closed pipe fail later.
    setImmediate(() => stdout.off("error", interrupt));
  }
}
