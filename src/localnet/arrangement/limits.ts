// Before a request of too many calls runs, and after it: tells the modules which
// calls those are.

import {
  type CallLimit,
  callLimits,
  keepsCallLimit,
  withoutExcess,
} from "../foresight/call-limit.js";
import type { Emulated, Frame } from "../foresight/trace.js";
import type { LocalNode } from "../node/node.js";
import type { CallRequest } from "../request/calls.js";

/** What accounts that count calls tell; see {@link callLimits}. */
export type Told = ReadonlyMap<string, CallLimit>;

const NOTHING: Told = new Map();
const SILENCE: CallLimit = { balance: 0n, code: "0x" };

/** Every trace may teach what only the next one shows: so often it is run again at most. */
const MAX_ROUNDS = 8;

/** Makes the modules refuse the calls beyond a transaction's limit where they cannot count them. */
export class Limits {
  readonly #node: LocalNode;
  readonly #accounts: Emulated;
  #told = NOTHING;

  constructor(node: LocalNode, accounts: Emulated) {
    this.#node = node;
    this.#accounts = accounts;
  }

  /** What the modules have been told. */
  get told(): Told {
    return this.#told;
  }

  /** Tells them just this; default: nothing. */
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

  /** The state is another one, in which they have been told nothing. */
  forget(): void {
    this.#told = NOTHING;
  }

  /** What they must be told for transactions to run as on the chain. `undefined`: nothing else than they were. */
  lesson(roots: readonly Frame[]): Told | undefined {
    if (roots.every((root) => keepsCallLimit(root, this.#accounts)))
      return undefined;
    const next = callLimits(roots, this.#accounts);
    return isSame(next, this.#told) ? undefined : next;
  }

  /** The frames of a request as on the chain, and what it needs for that, which stays told. */
  async frames(call: CallRequest, block: unknown): Promise<Frame> {
    for (let round = 0; ; round++) {
      const root = await this.#node.frames(call, block);
      const next = round < MAX_ROUNDS ? this.lesson([root]) : undefined;
      if (next === undefined) return root;
      await this.tell(next);
    }
  }

  /** Does something with what is told, and tells what was told before. */
  async aside<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#told;
    try {
      return await task();
    } finally {
      await this.tell(before);
    }
  }

  /**
   * What a request needs to be told, and its frames then, as far as those without
   * it show that. `undefined`: nothing.
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
