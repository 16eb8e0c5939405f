interface Waiter<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Events in the order in which they came, for `for await` or a callback.
 * Leaving the loop, `close` or `await using` ends the subscription at the node.
 */
export class Subscription<T> implements AsyncIterableIterator<T, undefined> {
  readonly #limit: number;
  readonly #onClose: () => Promise<void>;
  // Read from index `#first` on; trimmed when half of it is read.
  #items: T[] = [];
  #first = 0;
  #waiters: Waiter<T>[] = [];
  #failure: { readonly reason: unknown } | undefined;
  #ended = false;
  #closing: Promise<void> | undefined;
  #room: (() => void)[] = [];

  /**
   * @param limit how many events may wait for a slow consumer
   * @param onClose ends the subscription at its source
   */
  constructor(limit: number, onClose: () => Promise<void>) {
    this.#limit = limit;
    this.#onClose = onClose;
  }

  /** How many events wait to be taken. */
  get waiting(): number {
    return this.#items.length - this.#first;
  }

  get ended(): boolean {
    return this.#ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  // Not an async function, which would deliver events some turns later.
  next(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => {
      if (this.waiting > 0) {
        resolve({ done: false, value: this.#take() });
      } else if (this.#failure !== undefined) {
        reject(this.#failure.reason);
        // Thrown once; a loop that continues anyway ends.
        this.#failure = undefined;
      } else if (this.#ended) {
        resolve({ done: true, value: undefined });
      } else {
        this.#waiters.push({ resolve, reject });
      }
    });
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /**
   * Calls back with every event, one after another, including those that are
   * waiting. A callback that returns a promise is awaited.
   *
   * @param onEnd called once: with the error, or without one after `close`
   */
  listen(
    onEvent: (event: T) => void | Promise<void>,
    onEnd: (error?: unknown) => void = () => undefined,
  ): this {
    void this.#run(onEvent).then(
      () => {
        onEnd();
      },
      async (error: unknown) => {
        await this.close().catch(() => undefined);
        onEnd(error);
      },
    );
    return this;
  }

  /** Ends the subscription; may be called again. */
  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Gives an event to the consumer.
   *
   * @returns false if too many are waiting already; then the event is not kept
   */
  push(event: T): boolean {
    if (this.#ended) {
      return true;
    }
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve({ done: false, value: event });
      return true;
    }
    if (this.waiting >= this.#limit) {
      return false;
    }
    this.#items.push(event);
    return true;
  }

  /**
   * Resolves when the consumer has taken half of the waiting events, or the
   * subscription has ended.
   */
  async room(): Promise<void> {
    while (!this.#ended && this.waiting > this.#limit / 2) {
      await new Promise<void>((resolve) => this.#room.push(resolve));
    }
  }

  /** Ends with an error, after the waiting events. */
  fail(reason: unknown): void {
    if (this.#ended) {
      return;
    }
    const waiter = this.#waiters.shift();
    if (waiter === undefined) {
      this.#failure = { reason };
    } else {
      waiter.reject(reason);
    }
    this.#end();
  }

  async #run(onEvent: (event: T) => void | Promise<void>): Promise<void> {
    for (;;) {
      const { done, value } = await this.next();
      if (done === true) {
        return;
      }
      const busy = onEvent(value);
      if (busy !== undefined) {
        await busy;
      }
    }
  }

  #take(): T {
    const item = this.#items[this.#first] as T;
    this.#first++;
    if (this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    if (this.#room.length > 0 && this.waiting <= this.#limit / 2) {
      for (const resolve of this.#room.splice(0)) {
        resolve();
      }
    }
    return item;
  }

  #end(): void {
    this.#ended = true;
    for (const { resolve } of this.#waiters.splice(0)) {
      resolve({ done: true, value: undefined });
    }
    for (const resolve of this.#room.splice(0)) {
      resolve();
    }
  }

  async #close(): Promise<void> {
    this.#items = [];
    this.#first = 0;
    this.#failure = undefined;
    this.#end();
    await this.#onClose();
  }
}
