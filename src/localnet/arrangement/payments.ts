// Around a block that may have to run twice: decides how each account pays.

import { DualstackError } from "../../support/errors.js";
import type { Observer, Run, Sights } from "../foresight/observer.js";

const LATE =
  "and its balance is read or spent after that: on a simulated network they leave only when the transaction ends";
const CREATED = `a contract gives tokens to a precompile in the transaction that creates it, ${LATE}`;
const GETS_CODE = `an account gives tokens to a precompile in the transaction that sets its code, ${LATE}`;
const SEES_CODE =
  "an account gives tokens to a precompile, and both its balance and its code are read in the same transaction or block: on a simulated network only one of them can be as on the chain";

/**
 * Thrown when a contract would see that a payment does not run as on the chain,
 * and neither way of paying hides that.
 */
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
 * By default an account pays at the end of its transaction: its code is
 * untouched, and if nothing reads its balance in between, the chain does
 * exactly the same. If something may read the balance, a payer's code stands at
 * the account, so that the balance falls at once; then nothing may read the
 * account's code. Any other payment is refused.
 */
export class Payments {
  readonly #observer: Observer;
  readonly #payers: Set<string>;
  /** Accounts at which no payer's code can stand, each with the reason. */
  readonly #bare = new Map<string, string>();

  constructor(observer: Observer, payers: Iterable<string> = []) {
    this.#observer = observer;
    this.#payers = new Set(payers);
  }

  /** Accounts at which payers' codes must stand. */
  get payers(): ReadonlySet<string> {
    return this.#payers;
  }

  /** Excludes accounts that get code of their own in the transactions. */
  exclude(accounts: readonly string[]): void {
    for (const account of accounts) this.#forbid(account, GETS_CODE);
  }

  #forbid(account: string, why: string): void {
    this.#payers.delete(account);
    this.#bare.set(account, why);
  }

  /**
   * Examines runs, and changes which accounts must carry a payer's code.
   *
   * @param start reads a balance, in base units, as it was before the runs
   * @returns whether all ran as on the chain; otherwise they must run again
   * @throws SeenPayment when another run cannot help
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
