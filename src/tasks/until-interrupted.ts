const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Runs what goes on until it is interrupted: the first signal ends it well, a second one at once. */
export async function untilInterrupted(
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const interrupt = () => {
    stop.abort();
  };
  SIGNALS.forEach((name) => process.once(name, interrupt));
  try {
    await run(stop.signal);
  } finally {
    SIGNALS.forEach((name) => process.off(name, interrupt));
  }
}
