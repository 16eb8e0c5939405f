import { sleep } from "../../support/async.js";

const FIRST_WAIT_MS = 40;
const LONGEST_WAIT_MS = 2_000;
const PATIENCE_MS = 20_000;

/**
 * Asks until there is an answer: a block is announced before every endpoint has
 * it.
 *
 * @throws the last error, after 20 s
 */
export async function patiently<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (Date.now() + wait > end) {
        throw error;
      }
    }
    await sleep(wait, signal);
  }
}
