import type { Log } from "./wire.js";

/** Remembers, in bounded memory, which logs of recent blocks were given. */
export class SeenLogs {
  readonly #blocks = new Map<bigint, Set<string>>();
  #oldest = 0n;

  /** Marks a log as given. @returns false if it was given before, or is too old to know */
  mark(log: Log): boolean {
    if (log.blockNumber < this.#oldest) {
      return false;
    }
    let keys = this.#blocks.get(log.blockNumber);
    if (keys === undefined) {
      keys = new Set();
      this.#blocks.set(log.blockNumber, keys);
    }
    const key = keyOf(log);
    if (keys.has(key)) {
      return false;
    }
    keys.add(key);
    return true;
  }

  /** Removes a mark, for a log that could not be given. */
  unmark(log: Log): void {
    this.#blocks.get(log.blockNumber)?.delete(keyOf(log));
  }

  /** Forgets everything, for another chain. */
  forgetAll(): void {
    this.#blocks.clear();
    this.#oldest = 0n;
  }

  /** Forgets all blocks before one. */
  forgetBefore(block: bigint): void {
    if (block <= this.#oldest) {
      return;
    }
    this.#oldest = block;
    // Blocks arrive roughly in order, so what follows the first one to keep can stay.
    for (const number of this.#blocks.keys()) {
      if (number >= block) {
        return;
      }
      this.#blocks.delete(number);
    }
  }
}

// The block's hash distinguishes logs of reorganised blocks, and the
// transaction's those of nodes that count the logs of each transaction from 0;
// both are shortened, since the number is known.
const keyOf = ({ blockHash, transactionHash, logIndex }: Log) =>
  `${blockHash.slice(2, 14)}:${transactionHash.slice(2, 14)}:${logIndex}`;
