// Knows what the chain's own node tells of transactions that are about to be
// replayed on a fork.

import type { LiveReader } from "../../live-state/reader.js";
import {
  callKey,
  type Foreseeable,
  type Foreseen,
  foreseenIn,
} from "./foreseen.js";

/**
 * Reads accounts and storage slots, by address in lower case, before the
 * simulator asks for them one by one.
 */
export type Prefetch = (
  words: ReadonlyMap<string, Iterable<string>>,
  height: bigint,
) => Promise<void>;

/** The chain's own next block, as far as its node traces it in advance. */
export class ForeseenBlock {
  readonly #reader: LiveReader;
  readonly #prefetch: Prefetch | undefined;
  #foreseen: Promise<Foreseen> | undefined;
  #time = 0n;

  constructor(reader: LiveReader, prefetch: Prefetch | undefined) {
    this.#reader = reader;
    this.#prefetch = prefetch;
  }

  /**
   * Reads ahead what transactions of the chain will meet, as far as its node
   * traces them.
   *
   * @param time of their block, in Unix seconds
   */
  announce(transactions: readonly Foreseeable[], time: bigint): void {
    this.#time = time;
    const hashes = transactions.map(({ hash }) => hash);
    this.#foreseen = this.#reader.traces(hashes).then((traces) => {
      const foreseen = foreseenIn(transactions, traces);
      // Not awaited: the simulator itself waits for what it needs.
      void this.#prefetch?.(foreseen.words, this.#reader.height);
      return foreseen;
    });
  }

  /** The outcome of {@link announce}. */
  get told(): Promise<Foreseen> | undefined {
    return this.#foreseen;
  }

  /** The block's time in Unix seconds. */
  get time(): bigint {
    return this.#time;
  }

  /** Returns the number that a call returns in it, if that is known. */
  async answerTo(
    call: Parameters<typeof callKey>[0],
  ): Promise<bigint | undefined> {
    const answer = (await this.#foreseen)?.answers.get(callKey(call));
    return answer?.length === 66 ? BigInt(answer) : undefined;
  }

  /** Returns the lowest number that calls of a method return in it. */
  async firstAnswer(to: string, selector: string): Promise<bigint | undefined> {
    const start = ` ${to} ${selector}`.toLowerCase();
    const answers = [...((await this.#foreseen)?.answers ?? [])]
      .filter(([key, answer]) => key.includes(start) && answer.length === 66)
      .map(([, answer]) => BigInt(answer));
    return answers.reduce<bigint | undefined>(
      (least, one) => (least === undefined || one < least ? one : least),
      undefined,
    );
  }
}
