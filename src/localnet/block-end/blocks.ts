// Runs what is due at the end of a block: unbonding, votes, the validator set.

import { toQuantity } from "../../rpc/quantities.js";
import type { Head, LocalNode } from "../node/node.js";
import type { SystemCalls } from "../modules/system.js";

/** The `nextDue` of the modules when nothing is due. */
const NEVER = 2n ** 64n - 1n;

const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/**
 * Entries of a forked chain that fall due and are read into the modules' books
 * only then.
 */
export interface Coming {
  /**
   * Returns when the next entry is due, in Unix seconds; `undefined` for none.
   */
  next(): bigint | undefined;
  /**
   * Reads the entries that are due until a time, in Unix seconds, into the
   * books.
   */
  read(time: bigint): Promise<void>;
}

/** Seconds that a node's clock may be ahead of this process's. */
const SLACK = 2n;

/**
 * Runs what the chain does at the end of blocks. It keeps the time at which
 * something is due next, and asks for a block's time only when that time may
 * have come.
 */
export class BlockEnds {
  readonly #node: LocalNode;
  readonly #system: SystemCalls;
  readonly #coming: Coming;
  #due = NEVER;
  #done = 0n;
  /** The last block whose end had run already when the state was taken over. */
  #before = -1n;
  #clock:
    | { readonly timestamp: bigint; readonly at: number; blocks: bigint }
    | undefined;

  constructor(node: LocalNode, system: SystemCalls, coming: Coming) {
    this.#node = node;
    this.#coming = coming;
    this.#system = system;
  }

  /** When something is due next, in Unix seconds; `undefined` if nothing is. */
  get due(): bigint | undefined {
    return this.#due === NEVER ? undefined : this.#due;
  }

  /**
   * Starts after the block that the state belongs to.
   *
   * @param ended whether the state includes that block's end; what is due in
   * the same second then waits for the next block
   */
  async begin(head: Head, ended = false): Promise<void> {
    this.#note(head);
    if (ended) this.#before = head.number;
    this.#done = head.number;
    await this.refresh();
  }

  /**
   * Reads again when something is due next, after the modules' state changed.
   */
  async refresh(): Promise<void> {
    // Blocks were not counted as long as nothing was due.
    if (this.#due === NEVER) this.forgetTime();
    const due = BigInt(String((await this.#system.view("nextDue"))[0]));
    const next = this.#coming.next();
    this.#due = next !== undefined && next < due ? next : due;
  }

  /**
   * Forgets the node's time, after its clock was set or blocks were mined
   * unseen.
   */
  forgetTime(): void {
    this.#clock = undefined;
  }

  /**
   * Counts a block that was just mined, and returns whether its time may have
   * reached what is due.
   */
  mayBeDue(): boolean {
    if (this.#clock !== undefined) this.#clock.blocks++;
    if (this.#due === NEVER) return false;
    if (this.#clock === undefined) return true;
    const { timestamp, at, blocks } = this.#clock;
    const latest =
      timestamp + BigInt(Math.ceil((Date.now() - at) / 1000)) + blocks + SLACK;
    return this.#due <= latest;
  }

  /**
   * Runs what was due at the ends of the blocks since the last time, each at
   * its own block.
   *
   * @param since the first block that may have changed the modules; default:
   * the newest block
   */
  async process(since?: bigint): Promise<void> {
    const latest = await this.#node.head();
    this.#note(latest);
    let from = this.#done < latest.number ? this.#done + 1n : latest.number;
    while (this.#due <= latest.timestamp) {
      const due = this.#due;
      if (due !== 0n && latest.number <= this.#before) break;
      const next = this.#coming.next();
      if (next !== undefined && next <= due) {
        await this.#coming.read(next);
        await this.refresh();
        continue;
      }
      // 0 is due at the end of the block that set it.
      const block =
        due === 0n
          ? await this.#block(larger(since ?? latest.number, from), latest)
          : await this.#firstAt(due, from, latest);
      await this.#system.run("endBlock", [block.number, block.timestamp]);
      await this.refresh();
      from = block.number;
      // What is still due after this block's end waits for the next block.
      if (this.#due <= due && ++from > latest.number) break;
    }
    this.#done = latest.number;
  }

  async #block(number: bigint, latest: Head): Promise<Head> {
    return number >= latest.number
      ? latest
      : await this.#node.head(toQuantity(number));
  }

  /** Finds the first block from `from` on whose time is `time` or later. */
  async #firstAt(time: bigint, from: bigint, latest: Head): Promise<Head> {
    let low = from;
    let high = latest;
    while (low < high.number) {
      const middle = (low + high.number) / 2n;
      const block = await this.#node.head(toQuantity(middle));
      if (block.timestamp >= time) high = block;
      else low = middle + 1n;
    }
    return high;
  }

  #note(head: Head): void {
    this.#clock = { timestamp: head.timestamp, at: Date.now(), blocks: 0n };
  }

  save() {
    return { due: this.#due, done: this.#done };
  }

  restore(saved: { readonly due: bigint; readonly done: bigint }): void {
    this.#due = saved.due;
    this.#done = saved.done;
    this.#clock = undefined;
  }
}
