const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** More than anybody waits, and less than a timer can. */
const LONG_MS = 2 ** 30;

/**
 * Runs what goes on until it is interrupted: the first signal ends it well, a
 * second one at once. A reader that goes away, as `head` does, ends it too.
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
  // What is waited for may be in this process, which then nothing else keeps alive.
  const alive = setInterval(() => undefined, LONG_MS);
  try {
    await run(stop.signal);
  } finally {
    clearInterval(alive);
    SIGNALS.forEach((name) => process.off(name, interrupt));
    // What is still on its way to a reader that is gone fails later.
    setImmediate(() => stdout.off("error", interrupt));
  }
}
