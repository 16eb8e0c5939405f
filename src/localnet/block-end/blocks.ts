// At the end of each block, where something is due.

import { toQuantity } from "../../rpc/quantities.js";
import type { Head, LocalNode } from "../node/node.js";
import type { SystemCalls } from "../modules/system.js";

/** What {@link SystemCalls} tells where nothing waits. */
const NEVER = 2n ** 64n - 1n;

const larger = (a: bigint, b: bigint) => (a > b ? a : b);

/** What happens at its time and is not in the modules' books before: see the forks. */
export interface Coming {
  /** Its time, in seconds since 1970; `undefined`: nothing comes. */
  next(): bigint | undefined;
  /** Puts into the books what comes until a time. */
  read(time: bigint): Promise<void>;
}

/** A node may be this much ahead of our clock. */
const SLACK = 2n;

/**
 * What the chain does at the end of blocks. It knows when the next thing is
 * due, and asks for a block's time only where that may have come.
 */
export class BlockEnds {
  readonly #node: LocalNode;
  readonly #system: SystemCalls;
  readonly #coming: Coming;
  #due = NEVER;
  #done = 0n;
  /** The last block whose end was not made here. */
  #before = -1n;
  #clock:
    | { readonly timestamp: bigint; readonly at: number; blocks: bigint }
    | undefined;

  constructor(node: LocalNode, system: SystemCalls, coming: Coming) {
    this.#node = node;
    this.#coming = coming;
    this.#system = system;
  }

  get due(): bigint | undefined {
    return this.#due === NEVER ? undefined : this.#due;
  }

  /**
   * Begins after the block that the state belongs to. `ended`: its end is in
   * the state too; what is due in the same second then waits for the next one.
   */
  async begin(head: Head, ended = false): Promise<void> {
    this.#note(head);
    if (ended) this.#before = head.number;
    this.#done = head.number;
    await this.refresh();
  }

  /** Reads when the next thing is due, after something changed the modules. */
  async refresh(): Promise<void> {
    // Until now blocks came that nobody counted.
    if (this.#due === NEVER) this.forgetTime();
    const due = BigInt(String((await this.#system.view("nextDue"))[0]));
    const next = this.#coming.next();
    this.#due = next !== undefined && next < due ? next : due;
  }

  /** The node's clock was set, or went on unseen. */
  forgetTime(): void {
    this.#clock = undefined;
  }

  /** Whether a block that was just mined may have reached what is due. */
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
   * Does what was due at the ends of the blocks since the last time, each at
   * its own block. `since`: the first block that may have changed the modules;
   * default: the head.
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
      // 0: at the end of the block that made it so.
      const block =
        due === 0n
          ? await this.#block(larger(since ?? latest.number, from), latest)
          : await this.#firstAt(due, from, latest);
      await this.#system.run("endBlock", [block.number, block.timestamp]);
      await this.refresh();
      from = block.number;
      // What this block's end leaves due waits for the next block.
      if (this.#due <= due && ++from > latest.number) break;
    }
    this.#done = latest.number;
  }

  async #block(number: bigint, latest: Head): Promise<Head> {
    return number >= latest.number
      ? latest
      : await this.#node.head(toQuantity(number));
  }

  /** The first block from `from` on whose time is not before `time`. */
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
