import type { DualChain } from "./chain.js";

/**
 * Looks for something now and after each block until it is there.
 *
 * @param look nothing: not yet
 * @throws what `late` makes after that time, in milliseconds
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
