// Around a request with too many calls: tells the modules which calls to
// refuse.

import {
  type CallLimit,
  callLimits,
  keepsCallLimit,
  withoutExcess,
} from "../foresight/call-limit.js";
import type { Emulated, Frame } from "../foresight/trace.js";
import type { LocalNode } from "../node/node.js";
import type { CallRequest } from "../request/calls.js";

/** What the counter accounts tell the modules; see {@link callLimits}. */
export type Told = ReadonlyMap<string, CallLimit>;

const NOTHING: Told = new Map();
const SILENCE: CallLimit = { balance: 0n, code: "0x" };

/**
 * How many times a request is traced again at most: each trace may reveal what
 * the modules must be told for the next one.
 */
const MOST_RETRACES = 8;

/**
 * Makes the modules refuse the calls beyond a transaction's limit where they
 * cannot count the calls themselves.
 */
export class Limits {
  readonly #node: LocalNode;
  readonly #accounts: Emulated;
  #told = NOTHING;

  constructor(node: LocalNode, accounts: Emulated) {
    this.#node = node;
    this.#accounts = accounts;
  }

  /** What the counter accounts tell now. */
  get told(): Told {
    return this.#told;
  }

  /**
   * Replaces what the counter accounts tell.
   *
   * @param next by default nothing
   */
  async tell(next: Told = NOTHING): Promise<void> {
    const before = this.#told;
    this.#told = next;
    await Promise.all(
      [...new Set([...before.keys(), ...next.keys()])].flatMap((account) => {
        const [was, is] = [before.get(account), next.get(account)];
        const { balance, code } = is ?? SILENCE;
        return [
          balance === (was ?? SILENCE).balance
            ? undefined
            : this.#node.setBalance(account, balance),
          code === (was ?? SILENCE).code
            ? undefined
            : this.#node.setCode(account, code),
        ];
      }),
    );
  }

  /**
   * Notes that the state was replaced by one whose counter accounts tell
   * nothing.
   */
  forget(): void {
    this.#told = NOTHING;
  }

  /**
   * Returns what the modules must be told for transactions to run as on the
   * chain; `undefined` if they need nothing new.
   */
  lesson(roots: readonly Frame[]): Told | undefined {
    if (roots.every((root) => keepsCallLimit(root, this.#accounts)))
      return undefined;
    const next = callLimits(roots, this.#accounts);
    return isSame(next, this.#told) ? undefined : next;
  }

  /**
   * Returns the frames of a request as on the chain. What the modules had to be
   * told for them stays told.
   */
  async frames(call: CallRequest, block: unknown): Promise<Frame> {
    for (let round = 0; ; round++) {
      const root = await this.#node.frames(call, block);
      const next = round < MOST_RETRACES ? this.lesson([root]) : undefined;
      if (next === undefined) return root;
      await this.tell(next);
    }
  }

  /**
   * Runs a task that may tell the modules something, and restores what they
   * were told before.
   */
  async aside<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#told;
    try {
      return await task();
    } finally {
      await this.tell(before);
    }
  }

  /**
   * Returns what the modules must be told for a request, and its frames under
   * that, derived from the frames without it. `undefined` if they need nothing
   * new.
   */
  glean(
    root: Frame,
  ): { readonly told: Told; readonly root: Frame } | undefined {
    const told = this.lesson([root]);
    return told === undefined
      ? undefined
      : { told, root: withoutExcess(root, this.#accounts) };
  }
}

const isSame = (a: Told, b: Told) =>
  a.size === b.size &&
  [...a].every(([account, { balance, code }]) => {
    const other = b.get(account);
    return balance === other?.balance && code === other.code;
  });
