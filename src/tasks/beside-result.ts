/**
 * Runs what prints by itself, and lets that go to the standard error: the
 * standard output is for a task's result alone, which may be JSON.
 */
export async function besideResult<T>(run: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = (...text: unknown[]) => console.error(...text);
  try {
    return await run();
  } finally {
    console.log = log;
  }
}
