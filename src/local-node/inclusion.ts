import type { DualChain } from "./chain.js";

/**
 * Looks for something at once and after each block, until it is found.
 *
 * @param look returns `undefined` when there is nothing yet
 * @param late creates the error of a timeout
 * @throws the error of `late` after `timeoutMs` milliseconds, or that of `look`
 */
export async function untilFound<T>(
  chain: DualChain,
  look: () => Promise<T | undefined>,
  timeoutMs: number,
  late: () => Error,
): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      stop();
    };
    const timer = setTimeout(() => {
      end();
      reject(late());
    }, timeoutMs);
    const again = () => {
      look().then(
        (found) => {
          if (found === undefined) return;
          end();
          resolve(found);
        },
        (error: unknown) => {
          end();
          reject(error as Error);
        },
      );
    };
    const stop = chain.onBlock(again);
    again();
  });
}
