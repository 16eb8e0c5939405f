import { Queue } from "../support/async.js";

/** Lets one task at a time make blocks, and others wait until it is complete. */
export class Turns {
  readonly #queue = new Queue();
  #making: Promise<void> | undefined;

  /** Settles when the block or state change in progress is complete. */
  get making(): Promise<void> | undefined {
    return this.#making;
  }

  /** Runs a task that may make blocks or change the state. */
  async make<T>(task: () => Promise<T>): Promise<T> {
    const running = this.between(task);
    const making = running.then(
      () => undefined,
      () => undefined,
    );
    this.#making = making;
    try {
      return await running;
    } finally {
      if (this.#making === making) this.#making = undefined;
    }
  }

  /** Runs a task while nothing else does, for which nobody else waits. */
  async between<T>(task: () => Promise<T>): Promise<T> {
    return await this.#queue.run(task);
  }
}
