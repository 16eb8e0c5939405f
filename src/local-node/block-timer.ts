/** Has a block mined every so many milliseconds, unless it is paused. */
export class BlockTimer {
  /** Whether no blocks are mined for now. */
  paused = false;
  readonly #mine: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(mine: () => Promise<void>) {
    this.#mine = mine;
  }

  /**
   * Schedules each block after the last one is complete, so that two never
   * overlap.
   */
  start(ms: number): void {
    this.#timer = setTimeout(() => {
      const block = this.paused ? Promise.resolve() : this.#mine();
      void block
        .catch(() => undefined)
        .finally(() => {
          if (!this.#stopped) this.start(ms);
        });
    }, ms);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
