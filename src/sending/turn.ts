import type { SentByAccount } from "./sent.js";

/** The place of a transaction among those of its account. */
export class Turn {
  readonly from: string;
  readonly account: SentByAccount;
  readonly #count: () => Promise<bigint>;
  #nonce: Promise<bigint> | undefined;
  #ended = false;
  /** The nonce, once it is known. */
  nonce: bigint | undefined;
  /** Whether the nonce is the account's next, and not one that the sender gave. */
  chosenHere = true;

  /** @param count asks how many of the account's transactions the node has */
  constructor(
    from: string,
    account: SentByAccount,
    count: () => Promise<bigint>,
  ) {
    this.from = from;
    this.account = account;
    this.#count = count;
  }

  /** Waits for the turn and takes a nonce: the given one, or the account's next. */
  async take(given?: bigint): Promise<bigint> {
    this.#nonce ??= this.#take(given);
    return await this.#nonce;
  }

  async #take(given: bigint | undefined): Promise<bigint> {
    await this.account.slots.take();
    try {
      const count = given ?? (await this.#count());
      // Synchronous from here: nothing may come between finding a free nonce
      // and taking it.
      const nonce = given ?? this.account.firstFree(count);
      this.chosenHere = given === undefined;
      this.account.begin(nonce);
      this.nonce = nonce;
      return nonce;
    } catch (error) {
      this.account.slots.release();
      this.#nonce = undefined;
      throw error;
    }
  }

  /** Ends the turn, once the node has answered or never will. */
  end(): void {
    if (this.nonce !== undefined && !this.#ended) {
      this.#ended = true;
      this.account.end(this.nonce);
      this.account.slots.release();
    }
  }
}
