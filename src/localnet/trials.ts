// Where a node tells which calls a request makes while it runs: runs requests
// as they are, and looks afterwards whether they reached the emulation.

import type { EmulatedAccounts } from "./modules/emulated-accounts.js";
import type { LocalNode } from "./node/node.js";
import type { CallRequest } from "./request/calls.js";
import { type Outcome, outcomeOf } from "./request/outcome.js";

/** A request that reached nothing of the emulation. */
export interface Ran {
  readonly outcome: Outcome;
  /** Accounts whose code ran, in lower case. */
  readonly called: ReadonlySet<string>;
}

/**
 * How often the state may have been written past the EVM. The node copies all of
 * that for each snapshot and keeps the copy, some KB each time; with more, a run
 * in advance costs less.
 */
const MOST_WRITES = 16;

/** How many kinds of calls are remembered. */
const MOST_KINDS = 1_000;

/**
 * Runs requests that probably do not reach the emulation. A run that did not is
 * exactly what the chain would have done, so nothing need be foreseen for it.
 */
export class Trials {
  /** State that was written past the EVM: see {@link MOST_WRITES}. */
  writes = 0;
  readonly #node: LocalNode;
  readonly #accounts: EmulatedAccounts;
  /** Whether calls reached the emulation the last time, by account and selector. */
  readonly #reached = new Map<string, boolean>();
  #watched = false;
  #running = false;

  constructor(node: LocalNode, accounts: EmulatedAccounts) {
    this.#node = node;
    this.#accounts = accounts;
  }

  /**
   * Runs a request that changes nothing.
   *
   * @returns `undefined` if it may have reached the emulation
   */
  async read(
    call: CallRequest,
    request: () => Promise<unknown>,
  ): Promise<Ran | undefined> {
    if (!this.#node.tellsCalls || this.#accounts.owns(call.to))
      return undefined;
    const isInVain = (account: string) => this.#accounts.all.has(account);
    const { outcome, called } = await this.run(call, request, isInVain);
    return called === undefined ? undefined : { outcome, called };
  }

  /**
   * Runs a request, and returns besides its outcome which accounts' code ran;
   * `undefined` if it may have reached the emulation.
   *
   * @param isInVain see {@link LocalNode.callsDuring}
   */
  async run(
    { to }: CallRequest,
    request: () => Promise<unknown>,
    isInVain?: (account: string) => boolean,
  ): Promise<{
    readonly outcome: Outcome;
    readonly called: ReadonlySet<string> | undefined;
  }> {
    if (!this.#node.tellsCalls || to === undefined)
      return { outcome: await outcomeOf(request()), called: undefined };
    let outcome: Outcome = { value: undefined };
    const listened = async () => {
      outcome = await outcomeOf(request());
    };
    const calls = await this.#node.callsDuring(to, listened, isInVain);
    const called = new Set(calls?.map((one) => one.to));
    const isPlain =
      calls !== undefined &&
      [...called].every((one) => !this.#accounts.all.has(one));
    return { outcome, called: isPlain ? called : undefined };
  }

  /** Counts state that the node was made to write past the EVM meanwhile. */
  countWrites(): void {
    if (this.#node.takeWritten()) this.writes++;
  }

  /** Whether a transaction is worth a trial. */
  isWorthIt(call: CallRequest): boolean {
    return (
      this.possible &&
      this.writes <= MOST_WRITES &&
      !this.#accounts.owns(call.to) &&
      !this.expectsMore(call)
    );
  }

  /**
   * Runs a transaction in a block of its own.
   *
   * @returns `undefined` if it may reach the emulation; nothing of it remains
   * then
   */
  async send(
    call: CallRequest,
    request: () => Promise<unknown>,
  ): Promise<Ran | undefined> {
    this.#running = true;
    try {
      const id = await this.#node.ask("evm_snapshot");
      const ran = await this.read(call, request);
      if (ran === undefined) await this.#node.ask("evm_revert", [id]);
      this.learn(call, ran === undefined);
      return ran;
    } finally {
      this.#running = false;
    }
  }

  /** Whether the network may have blocks that will be undone. */
  get running(): boolean {
    return this.#running;
  }

  /** Whether {@link send} may run transactions. */
  get possible(): boolean {
    return this.#node.tellsCalls && !this.#watched;
  }

  /** Whether such a call reached nothing of the emulation the last time. */
  isPlain(call: CallRequest): boolean {
    return this.#reached.get(kindOf(call)) === false;
  }

  /** Whether such a call reached the emulation the last time. */
  expectsMore(call: CallRequest): boolean {
    return this.#reached.get(kindOf(call)) === true;
  }

  /** Notes whether a call reached the emulation. */
  learn(call: CallRequest, reached: boolean): void {
    if (this.#reached.size >= MOST_KINDS) this.#reached.clear();
    this.#reached.set(kindOf(call), reached);
  }

  /** Notes that somebody watches blocks, and would see one that is undone. */
  watch(): void {
    this.#watched = true;
  }

  /** Forgets everything, after the node was reset. */
  forget(): void {
    this.writes = 0;
    this.#reached.clear();
    this.#watched = false;
  }
}

const kindOf = ({ to = "", data = "0x" }: CallRequest) =>
  to.toLowerCase() + data.slice(0, 10);
