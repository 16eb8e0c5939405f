// What requests of every kind do first: wait for their turn, and bring the
// emulation to the state that they need.

import { isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import type { LocalChain } from "./chain.js";
import type { CodeFacts, Reach } from "./foresight/code.js";
import type { Codes } from "./foresight/codes.js";
import { ReadWriteLock } from "./lock.js";
import type { LocalNode } from "./node/node.js";
import type { CallRequest } from "./request/calls.js";

/** Whether code that this can do may see where a payer's code stands. */
export const seesCodes = ({
  reach,
  codes,
}: Pick<CodeFacts, "reach" | "codes">) =>
  codes || reach === "reads" || reach === "others";

/**
 * The way of requests to the emulated chain: together as long as they only
 * read, and one at a time if they change anything.
 */
export class Access {
  readonly #chain: LocalChain;
  readonly #codes: Codes;
  readonly #node: LocalNode;
  readonly #lock = new ReadWriteLock();
  #closed = false;

  constructor(chain: LocalChain, codes: Codes, node: LocalNode) {
    this.#chain = chain;
    this.#codes = codes;
    this.#node = node;
  }

  /** Whether the connection is closed. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether nothing changes the chain, and nobody waits for that. */
  get free(): boolean {
    return this.#lock.free;
  }

  /** Runs a task beside others that change nothing. */
  async shared<T>(task: () => Promise<T>): Promise<T> {
    return await this.#lock.shared(task);
  }

  /** Runs a task alone, even if the connection was closed meanwhile. */
  async alone<T>(task: () => Promise<T>): Promise<T> {
    return await this.#lock.exclusive(task);
  }

  /**
   * Runs a task alone.
   *
   * @param done what has not happened if it does not run
   * @throws DualstackError when the connection was closed
   */
  async change<T>(
    task: () => Promise<T>,
    done = "this request was handled",
  ): Promise<T> {
    return await this.alone(async () => {
      if (this.#closed)
        throw new DualstackError(`the connection was closed before ${done}`);
      return await task();
    });
  }

  /** Waits for running requests, and refuses later ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.alone(async () => undefined);
  }

  /**
   * Returns how far a request can reach. On a fork, even a read may meet books
   * that must be read first. Whatever arranges no payers' codes for itself
   * meets none of the last transaction's.
   *
   * @param arranges whether requests that reach others arrange them
   */
  async reach(
    call: CallRequest,
    arranges: boolean,
    block?: unknown,
  ): Promise<Reach> {
    const facts = await this.#codes.called(call, block);
    const { reach } = facts;
    if (!(arranges && reach === "others") && seesCodes(facts))
      await this.unveil();
    return reach === "reads" && this.#chain.live !== undefined
      ? "others"
      : reach;
  }

  /** Removes the payers' codes that the last transaction left. */
  async unveil(): Promise<void> {
    if (this.#chain.veils.stand)
      await this.change(() => this.#chain.veils.remove());
  }

  /** Replaces a block hash (EIP-1898) by the block's number, if it exists. */
  async numbered(block: unknown): Promise<unknown> {
    if (!isRecord(block) || block.blockHash === undefined) return block;
    const found = await this.shared(async () =>
      this.#node.ask("eth_getBlockByHash", [block.blockHash, false]),
    );
    return isRecord(found) ? found.number : block;
  }

  /** Installs the modules, unless they are. */
  async ensure(): Promise<void> {
    const { installation } = this.#chain;
    if (!installation.done) await this.alone(() => installation.ensure());
  }

  /** Installs the modules with all that their gas depends on. */
  async ready(): Promise<void> {
    if (!this.#chain.installation.isReady)
      await this.alone(() => this.#chain.installation.ready());
  }

  /** Does so only if this request can meet the modules. */
  async readyFor(call: CallRequest): Promise<void> {
    const without = async () =>
      await this.#chain.preparation.planOfPlain(call, "pending");
    if (
      !this.#chain.installation.isReady &&
      (await this.shared(without)) === undefined
    )
      await this.ready();
  }
}
