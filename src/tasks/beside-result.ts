/**
 * Runs code that prints by itself, and sends its output to standard error:
 * standard output is only for a task's result, which may be JSON.
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
