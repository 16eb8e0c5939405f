import type { LocalEngine } from "../../localnet/engine.js";
import { toQuantity } from "../../rpc/quantities.js";
import { setBounded } from "../../support/bounded.js";
import type { Block } from "../block.js";
import type { Books } from "./books.js";
import { emulatedBooks } from "./emulated.js";
import type { Surroundings } from "./reading.js";
import { Views } from "./views.js";

/** Number of heights whose books, with their cached answers, are kept. */
const BOOKS_KEPT = 32;

/** Opens the books at the end of a block, and keeps them for the next reader. */
export class KeptBooks {
  readonly #engine: LocalEngine;
  readonly #around: Surroundings;
  readonly #kept = new Map<string, Books>();
  #changes = 0;

  constructor(engine: LocalEngine, around: Surroundings) {
    this.#engine = engine;
    this.#around = around;
  }

  /**
   * Notes that the state may have changed without a block: the newest block's
   * books are opened anew then.
   */
  change(): void {
    this.#changes++;
  }

  /** Forgets all books, after the chain went back. */
  forget(): void {
    this.#kept.clear();
  }

  /**
   * Returns the books at a height.
   *
   * @param head the newest block
   */
  at(height: bigint, head: Block): Books {
    const key =
      height === head.height ? `${head.hash} ${this.#changes}` : String(height);
    let books = this.#kept.get(key);
    if (books === undefined) {
      books = this.open(toQuantity(height));
      setBounded(this.#kept, key, books, BOOKS_KEPT);
    }
    return books;
  }

  /** Opens the books at a block, such as `latest`, for this reader only. */
  open(block: string): Books {
    const read = async (method: string, params: readonly unknown[]) =>
      await this.#engine.read(method, params);
    const { addresses } = this.#engine.settings;
    return emulatedBooks(new Views(read, addresses, block), this.#around);
  }
}
