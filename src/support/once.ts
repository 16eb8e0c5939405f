/**
 * Creates a value on first use and keeps it. A failure is not kept: the next
 * use tries again.
 *
 * @example const chainId = once(async () => (await node.status()).nodeInfo.network);
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return async () => {
    const making = (made ??= make());
    try {
      return await making;
    } catch (error) {
      if (made === making) {
        made = undefined;
      }
      throw error;
    }
  };
}
