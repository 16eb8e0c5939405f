// Before a request runs: sums up what was foreseen, and what must be arranged
// for it.

import { MOST_CALLS } from "../foresight/call-limit.js";
import type { Correction } from "./construction.js";
import type { Limits } from "./limits.js";
import { type Effect, isPayment, larger } from "../foresight/effects.js";
import type { CallRequest } from "../request/calls.js";
import type { LocalNode } from "../node/node.js";
import type { Observer } from "../foresight/observer.js";
import type { Patches } from "./patches.js";
import { Payments, SeenPayment } from "./payments.js";
import {
  type Debt,
  type Emulated,
  type Findings,
  type Frame,
  inspect,
  inspectCalls,
} from "../foresight/trace.js";

/**
 * What must be arranged for a transaction, and what remains to be done after
 * it.
 */
export interface Plan {
  /** Accounts at which payers' codes must stand while it runs. */
  readonly payers: ReadonlySet<string>;
  /** Payments to take when it has ended. */
  readonly debts: readonly Debt[];
  /** Contracts that it creates and that owe some of these payments. */
  readonly owing: ReadonlySet<string>;
  /** Whether the state of a module may change. */
  readonly touched: boolean;
  /** What it leaves for the ends of blocks to do. */
  readonly effect: Effect;
  readonly creates: boolean;
  readonly destroys: boolean;
  /** Accounts that were called, or whose code ran. */
  readonly called: ReadonlySet<string>;
  /**
   * Whether it may run otherwise than its trace: it reads what differs there,
   * exceeds the call limit, or was not settled by {@link MOST_TRACES} traces.
   */
  readonly unsure: boolean;
  /** Whether it reads the time of its block. */
  readonly readsTime: boolean;
  /** The last trace, if one was made. */
  readonly root?: Frame;
  /** What must be written into the state after a creation. */
  readonly correction?: Correction;
}

export const NO_PLAN: Plan = {
  payers: new Set(),
  debts: [],
  owing: new Set(),
  touched: false,
  effect: "none",
  creates: false,
  destroys: false,
  called: new Set(),
  unsure: false,
  readsTime: false,
};

/**
 * How many times a request is traced at most: control flow may depend on
 * balances that only a correct run has.
 */
const MOST_TRACES = 8;

/** A plan, and the payment that it cannot hide, if there is one. */
interface Prepared {
  readonly plan: Plan;
  readonly seen?: SeenPayment;
}

const NOBODY: {
  readonly to: string | undefined;
  readonly payers: ReadonlySet<string>;
} = { to: undefined, payers: new Set() };

/** Traces requests before they run, to learn which accounts pay and how. */
export class Planner {
  readonly #node: LocalNode;
  readonly #patches: Patches;
  readonly #observer: Observer;
  readonly #accounts: Emulated;
  readonly #limits: Limits;
  /**
   * Accounts that had to pay at once in the last transaction: they often do so
   * again in the next one.
   */
  #last = NOBODY;

  constructor(
    node: LocalNode,
    patches: Patches,
    observer: Observer,
    accounts: Emulated,
    limits: Limits,
  ) {
    this.#node = node;
    this.#patches = patches;
    this.#observer = observer;
    this.#accounts = accounts;
    this.#limits = limits;
  }

  /** Forgets the last transaction, after the state was replaced. */
  forget(): void {
    this.#last = NOBODY;
  }

  /** Returns the findings of a trace. */
  inspect(root: Frame): Findings {
    return inspect(root, this.#accounts);
  }

  /**
   * Traces a call on the present state.
   *
   * @param tells whether the modules may be told which calls to refuse, which
   * stays told
   * @returns `undefined` if the node cannot run the call at all
   */
  async look(
    call: CallRequest,
    block: unknown,
    tells = false,
  ): Promise<Findings | undefined> {
    let frames: Frame;
    try {
      frames = await (tells ? this.#limits : this.#node).frames(call, block);
    } catch {
      // The balance may not cover the value, for example: the request itself
      // will report that.
      return undefined;
    }
    return this.inspect(frames);
  }

  /**
   * Returns what a call may do, and perhaps more, from a list of its calls,
   * which a node may make for less than a trace.
   *
   * @param paying accounts where payers' codes stand
   * @returns `undefined` if only {@link look} can tell
   */
  async glance(
    call: CallRequest,
    block: unknown,
    paying: ReadonlySet<string>,
  ): Promise<Findings | undefined> {
    const calls =
      call.to === undefined ? undefined : await this.#node.calls(call, block);
    // Only frames tell which calls exceed the limit.
    if (
      calls === undefined ||
      calls.filter(({ to }) => this.#accounts.modules.has(to)).length >
        MOST_CALLS
    )
      return undefined;
    const found = inspectCalls(call, calls, this.#accounts, paying);
    const { creates, destroys } = await this.#observer.facts(found, block);
    return creates || destroys || !this.#sparesDebts(call, found)
      ? undefined
      : found;
  }

  // Whether no debt can have been spent: at most one account owes, and it calls
  // only the emulation and itself.
  #sparesDebts({ from, value }: CallRequest, found: Findings): boolean {
    const [actor, ...others] = found.deferred;
    if (actor === undefined) return true;
    const sends = BigInt(value ?? "0x0") > 0n;
    return (
      others.length === 0 &&
      !(sends && from?.toLowerCase() === actor) &&
      [...found.called].every(
        (account) => account === actor || this.#accounts.all.has(account),
      )
    );
  }

  /**
   * Returns the accounts that need a payer's code in a call, since something
   * may see that they pay only at its end.
   *
   * @throws SeenPayment when a payer's code cannot help
   */
  async payersOf(
    call: CallRequest,
    block: unknown,
    found: Findings,
  ): Promise<ReadonlySet<string>> {
    const payments = new Payments(this.#observer);
    await payments.settled([this.#run(call, block, found)], async (account) =>
      this.#node.balance(account, block),
    );
    return payments.payers;
  }

  /**
   * Returns the accounts that will have to pay at once in the transactions of a
   * block, as far as frames without the emulation's own calls tell.
   */
  async payersIn(roots: readonly Frame[]): Promise<ReadonlySet<string>> {
    const runs = roots.map((root) => ({
      found: { ...this.inspect(root), deferred: this.#payingIn(root) },
      sender: root.from,
      steps: async () => await Promise.resolve([]),
    }));
    const { balances } = await this.#observer.suspect(
      runs,
      NO_PLAN.payers,
      async (account) => await this.#node.balance(account),
    );
    const born = new Set(runs.flatMap(({ found }) => [...found.born]));
    return new Set([...balances.keys()].filter((actor) => !born.has(actor)));
  }

  /** Returns the accounts that pay a module in a frame or below it. */
  #payingIn(root: Frame): ReadonlySet<string> {
    const actors = new Set<string>();
    const visit = ({ type, from, to, input, error, calls }: Frame) => {
      const isPaid = type === "CALL" && error === undefined;
      if (isPaid && this.#accounts.modules.has(to ?? "") && isPayment(input))
        actors.add(from);
      calls?.forEach(visit);
    };
    visit(root);
    return actors;
  }

  /** Whether a call reads an account's code. */
  async looksAt(
    account: string,
    call: CallRequest,
    block: unknown,
    root: Frame,
  ): Promise<boolean> {
    const run = this.#run(call, block, this.inspect(root));
    const start = async () => await Promise.resolve(0n);
    const { codes } = await this.#observer.witness(
      [run],
      new Set([account]),
      start,
      () => true,
    );
    return codes.has(account);
  }

  /**
   * Makes all accounts that must pay at once in a transaction able to do so,
   * and returns what remains to be done after it.
   *
   * For an estimate, the modules stay told which calls to refuse. For a
   * transaction to be sent, the run of its block finds that out, and a trace is
   * made only where {@link glance} is not enough.
   *
   * @param others accounts that must be able to pay besides
   */
  async prepare(
    call: CallRequest,
    block: unknown,
    others: ReadonlySet<string>,
    purpose: "send" | "estimate",
  ): Promise<Prepared> {
    const isSent = purpose === "send";
    let glances = isSent;
    const { to, payers } = this.#last;
    const expected = [
      ...(call.to !== undefined && call.to === to ? payers : []),
    ];
    let payments = new Payments(this.#observer, expected);
    let plan = NO_PLAN;
    for (let round = 0; round < MOST_TRACES; round++) {
      await this.#patches.arrange(new Set([...payments.payers, ...others]));
      const glanced = glances
        ? await this.glance(call, block, payments.payers)
        : undefined;
      const looked = glanced ?? (await this.look(call, block, !isSent));
      if (looked === undefined) break;
      const excess = this.#limits.glean(looked.root);
      const found = excess === undefined ? looked : this.inspect(excess.root);
      const { debts, born, touched, destroys, called, root } = found;
      const facts = await this.#observer.facts(found);
      const run = this.#run(call, block, found);
      plan = {
        payers: new Set(payments.payers),
        debts,
        owing: new Set(
          debts.map(({ actor }) => actor).filter((actor) => born.has(actor)),
        ),
        touched: plan.touched || touched,
        effect: larger(plan.effect, found.effect),
        creates: plan.creates || born.size > 0,
        destroys: plan.destroys || destroys,
        called,
        // A trace pays no fees, and its block has no base fee.
        unsure:
          plan.unsure ||
          excess !== undefined ||
          facts.fees ||
          facts.foreignBalances,
        readsTime: plan.readsTime || facts.time,
        ...(glanced === undefined ? { root } : {}),
      };
      try {
        if (
          await payments.settled(
            [run],
            async (account) => await this.#node.balance(account),
          )
        ) {
          this.#last = { to: call.to, payers: found.paying };
          if (round > 0 || expected.every((one) => found.paying.has(one)))
            return { plan };
          // A payer's code costs gas, so none may stand where nobody pays.
          payments = new Payments(this.#observer, found.paying);
          plan = NO_PLAN;
        }
      } catch (seen) {
        if (!(seen instanceof SeenPayment)) throw seen;
        if (glanced === undefined) return { plan, seen };
        glances = false;
      }
    }
    return { plan: { ...plan, unsure: plan.touched } };
  }

  #run(call: CallRequest, block: unknown, found: Findings) {
    return {
      found,
      sender: call.from?.toLowerCase(),
      steps: async () => await this.#node.steps(call, block),
    };
  }
}
