// Taken by the engine before a request that may meet the emulation.

/**
 * Many readers or one writer, in the order in which they came: a reader does
 * not overtake a waiting writer.
 */
export class ReadWriteLock {
  #readers = 0;
  #writing = false;
  readonly #waiting: { readonly write: boolean; readonly start: () => void }[] =
    [];

  /** Whether nobody holds it alone, or waits to. */
  get free(): boolean {
    return !this.#writing && this.#waiting.length === 0;
  }

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
