/** Waits; rejects with the signal's reason as soon as it is aborted. @param ms milliseconds */
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

/** Waits until a signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener(
      "abort",
      () => {
        resolve();
      },
      { once: true },
    );
  });
}

/** Runs tasks one after another, in the order in which they were added. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return await result;
  }
}

/**
 * Maps in order, with at most `limit` tasks under way: the next results are
 * made while one is used, and no more than that are held.
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T>,
  limit: number,
  task: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  for (const item of items) {
    const promise = task(item);
    // A later task may fail while an earlier one is awaited.
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

/** Limits how many tasks are under way; the others wait in line. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  readonly #count: number;
  #free: number;

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** Runs a task while nothing else is under way; one such task at a time. */
  async withAll<T>(task: () => Promise<T>): Promise<T> {
    for (let i = 0; i < this.#count; i++) {
      await this.take();
    }
    try {
      return await task();
    } finally {
      for (let i = 0; i < this.#count; i++) {
        this.release();
      }
    }
  }

  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free++;
    } else {
      next();
    }
  }
}

/** A value that is fetched once for everyone who asks at the same time. */
export class Shared<T> {
  #known: { readonly value: T; readonly at: number } | undefined;
  #asking: Promise<T> | undefined;

  /** The value, at most `maxAgeMs` milliseconds old. */
  async get(maxAgeMs: number, ask: () => Promise<T>): Promise<T> {
    const known = this.recent(maxAgeMs);
    if (known !== undefined) {
      return known;
    }
    const asking = (this.#asking ??= ask());
    try {
      const value = await asking;
      if (this.#asking === asking) {
        this.#known = { value, at: Date.now() };
      }
      return value;
    } finally {
      if (this.#asking === asking) {
        this.#asking = undefined;
      }
    }
  }

  /** The value, if it is known and not older than that. */
  recent(maxAgeMs: number): T | undefined {
    return this.#known !== undefined && Date.now() - this.#known.at <= maxAgeMs
      ? this.#known.value
      : undefined;
  }

  /** Forgets the value, even one that is just being fetched. */
  forget(): void {
    this.#known = undefined;
    this.#asking = undefined;
  }
}
