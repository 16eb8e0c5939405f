// Before a block that may have to run twice, and after it: who pays in which
// way.

import { DualstackError } from "../../support/errors.js";
import type { Observer, Run, Sights } from "../foresight/observer.js";

const LATE =
  "and its balance is read or spent after that: on a simulated network they leave only when the transaction ends";
const CREATED = `a contract gives tokens to a precompile in the transaction that creates it, ${LATE}`;
const GETS_CODE = `an account gives tokens to a precompile in the transaction that sets its code, ${LATE}`;
const SEES_CODE =
  "an account gives tokens to a precompile, and both its balance and its code are read in the same transaction or block: on a simulated network only one of them can be as on the chain";

/** Somebody sees a payment of a contract that cannot be made in a way that this is not seen. */
export class SeenPayment extends DualstackError {
  readonly actor: string;

  constructor(actor: string, what: string, { name }: Run) {
    super(what, {
      address: actor,
      ...(name === undefined ? {} : { transaction: name }),
      fix: "Let the contract act in a transaction of its own.",
    });
    this.actor = actor;
  }
}

/**
 * How each account pays in a transaction, or in the transactions of a block.
 *
 * By itself an account pays when the transaction has ended: nothing stands at
 * it, and where nobody looks at its balance in between, that is exactly what
 * happens on the chain. Where somebody may look, a payer's code stands at it,
 * and its balance falls at once; then nobody may look at its code. What is
 * left is refused.
 */
export class Payments {
  readonly #observer: Observer;
  readonly #payers: Set<string>;
  /** At these no payer's code can stand; why. */
  readonly #bare = new Map<string, string>();

  constructor(observer: Observer, payers: Iterable<string> = []) {
    this.#observer = observer;
    this.#payers = new Set(payers);
  }

  /** Where payers' codes must stand. */
  get payers(): ReadonlySet<string> {
    return this.#payers;
  }

  /** These get code of their own in the transactions. */
  exclude(accounts: readonly string[]): void {
    for (const account of accounts) this.#forbid(account, GETS_CODE);
  }

  #forbid(account: string, why: string): void {
    this.#payers.delete(account);
    this.#bare.set(account, why);
  }

  /**
   * Looks at how it went. `start`: balances before.
   *
   * @returns whether all was right; if not, it has to run again
   * @throws SeenPayment where it cannot be right
   */
  async settled(
    runs: readonly Run[],
    start: (account: string) => Promise<bigint>,
  ): Promise<boolean> {
    const suspected = await this.#observer.suspect(runs, this.#payers, start);
    if (suspected.balances.size === 0 && suspected.codes.size === 0)
      return true;
    let witnessed: Sights | undefined;
    const witness = async () =>
      (witnessed ??= await this.#observer.witness(
        runs,
        new Set(suspected.codes.keys()),
        start,
      ));
    const born = new Set(runs.flatMap(({ found }) => [...found.born]));
    let changed = false;
    for (const actor of suspected.codes.keys()) {
      if (!(await witness()).codes.has(actor)) continue;
      this.#forbid(actor, SEES_CODE);
      changed = true;
    }
    for (const actor of suspected.balances.keys()) {
      if (!born.has(actor) && !this.#bare.has(actor)) {
        this.#payers.add(actor);
        changed = true;
        continue;
      }
      const run = (await witness()).balances.get(actor);
      if (run === undefined || changed) continue;
      const why = this.#bare.get(actor) ?? CREATED;
      throw new SeenPayment(actor, why, run);
    }
    return !changed;
  }
}
