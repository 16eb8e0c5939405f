// The engine takes this lock before a request that may meet the emulation.

/**
 * A lock for many readers or one writer, granted in the order of arrival: a
 * reader does not overtake a waiting writer.
 */
export class ReadWriteLock {
  #readers = 0;
  #writing = false;
  readonly #waiting: { readonly write: boolean; readonly start: () => void }[] =
    [];

  /** Whether no writer holds the lock, and nothing waits for it. */
  get free(): boolean {
    return !this.#writing && this.#waiting.length === 0;
  }

  /** Runs a task as a reader. */
  async shared<T>(task: () => Promise<T>): Promise<T> {
    if (this.#writing || this.#waiting.length > 0) {
      await this.#wait(false);
    } else {
      this.#readers++;
    }
    try {
      return await task();
    } finally {
      this.#readers--;
      this.#next();
    }
  }

  /** Runs a task as the only writer. */
  async exclusive<T>(task: () => Promise<T>): Promise<T> {
    if (this.#writing || this.#readers > 0 || this.#waiting.length > 0) {
      await this.#wait(true);
    } else {
      this.#writing = true;
    }
    try {
      return await task();
    } finally {
      this.#writing = false;
      this.#next();
    }
  }

  #wait(write: boolean): Promise<void> {
    return new Promise((start) => this.#waiting.push({ write, start }));
  }

  #next(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (
        first === undefined ||
        this.#writing ||
        (first.write && this.#readers > 0)
      )
        return;
      this.#waiting.shift();
      if (first.write) this.#writing = true;
      else this.#readers++;
      first.start();
      if (first.write) return;
    }
  }
}
