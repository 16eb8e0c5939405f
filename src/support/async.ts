/** Waits, or rejects with the signal's reason as soon as it is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Runs tasks one after another, in the order in which they came. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return await result;
  }
}

/**
 * Maps in order, with at most `limit` tasks under way: while one result is
 * taken the next ones are already being made, and no more than that is held.
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T>,
  limit: number,
  task: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for (const item of items) {
    const promise = task(item);
    // A later task may fail while an earlier one is waited for.
    promise.catch(() => undefined);
    running.push(promise);
    if (running.length >= limit) {
      yield (await running.shift()) as R;
    }
  }
  for (const promise of running) {
    yield await promise;
  }
}
