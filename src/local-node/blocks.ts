import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import { type Block, toBlock } from "./block.js";

/** Called with each new block. */
export type BlockListener = (block: Block) => void;

/** Of more new blocks at once, only the newest ones are announced. */
const MOST_ANNOUNCED = 1_000n;

/** What {@link Blocks} tells of them before they are announced. */
export interface BlockNotes {
  /** Notes what is in a new block. */
  note(block: Block): Promise<void>;
  /** Forgets the blocks from a height on, which the chain went back behind. */
  forgetFrom(height: bigint): void;
}

/** The simulator's blocks, and those who want to hear of new ones. */
export class Blocks {
  readonly #ask: Ask;
  readonly #notes: BlockNotes;
  readonly #listeners = new Set<BlockListener>();
  #head: Block | undefined;

  constructor(ask: Ask, notes: BlockNotes) {
    this.#ask = ask;
    this.#notes = notes;
  }

  /** The newest block that was announced; `undefined` before the first one. */
  get head(): Block | undefined {
    return this.#head;
  }

  /** Returns the block at a height; `undefined` when there is none. */
  async at(height: bigint): Promise<Block | undefined> {
    if (this.#head?.height === height) return this.#head;
    const found = await this.#ask("eth_getBlockByNumber", [
      toQuantity(height),
      true,
    ]);
    return isRecord(found) ? toBlock(found) : undefined;
  }

  /** Returns the block with an EVM hash; `undefined` when there is none. */
  async byHash(hash: string): Promise<Block | undefined> {
    const found = await this.#ask("eth_getBlockByHash", [hash, true]);
    return isRecord(found) ? toBlock(found) : undefined;
  }

  /**
   * Notes and announces new blocks.
   *
   * @param anew whether the chain may have gone back
   */
  async observe(anew = false): Promise<void> {
    const latest = fromQuantity(await this.#ask("eth_blockNumber"), "a height");
    if (anew) {
      this.#notes.forgetFrom(latest + 1n);
    }
    const last = this.#head?.height;
    if (last === latest && !anew) return;
    const next = last === undefined || last >= latest ? latest : last + 1n;
    const first =
      latest - next > MOST_ANNOUNCED ? latest - MOST_ANNOUNCED : next;
    for (let height = first; height <= latest; height++) {
      const block = await this.at(height);
      if (block === undefined) return;
      await this.#notes.note(block);
      this.#head = block;
      for (const listener of [...this.#listeners]) {
        listener(block);
      }
    }
  }

  /**
   * Calls the listener with each new block.
   *
   * @returns a function that removes the listener
   */
  onNew(listener: BlockListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Announces no more blocks. */
  close(): void {
    this.#listeners.clear();
  }
}
