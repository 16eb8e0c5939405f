// Before a request runs: sums up what was foreseen, and what has to be arranged
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

/** What has to be arranged for a transaction, and what it leaves to be done. */
export interface Plan {
  /** Where payers' codes must stand while it runs. */
  readonly payers: ReadonlySet<string>;
  /** What is to be taken when it has ended. */
  readonly debts: readonly Debt[];
  /** Contracts that it creates and that owe something then. */
  readonly owing: ReadonlySet<string>;
  /** Whether a module may change. */
  readonly touched: boolean;
  /** What that may do to the next end of a block. */
  readonly effect: Effect;
  /** Whether contracts are created. */
  readonly creates: boolean;
  /** Whether contracts are destroyed. */
  readonly destroys: boolean;
  /** All who were called. */
  readonly called: ReadonlySet<string>;
  /** Whether it can go another way than its trace: it sees something that a trace does not have. */
  readonly unsure: boolean;
  /** The last trace, where one was needed. */
  readonly root?: Frame;
  /** What has to be corrected after a creation. */
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
};

/** Control flow may depend on balances that only a right run has: so often it is run again at most. */
export const MAX_ROUNDS = 8;

/** A plan, and what was seen of a payment that cannot be hidden. */
interface Prepared {
  readonly plan: Plan;
  readonly seen?: SeenPayment;
}

const NOBODY: {
  readonly to: string | undefined;
  readonly payers: ReadonlySet<string>;
} = { to: undefined, payers: new Set() };

/** Traces requests before they run, to learn who pays in them, and how. */
export class Planner {
  readonly #node: LocalNode;
  readonly #patches: Patches;
  readonly #observer: Observer;
  readonly #accounts: Emulated;
  readonly #limits: Limits;
  /** Who had to pay at once in the last transaction: often it is the same in the next one. */
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

  /** The state is another one. */
  forget(): void {
    this.#last = NOBODY;
  }

  /** What a trace says of the modules. */
  inspect(root: Frame): Findings {
    return inspect(root, this.#accounts);
  }

  /**
   * What a call does with the modules as the state stands. `undefined`: it
   * cannot be run at all. `tells`: the modules may be told which calls are too
   * many, which stays told.
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
      // Such as too little balance for the value: the request itself will say so.
      return undefined;
    }
    return this.inspect(frames);
  }

  /**
   * The same by a glance at who is called, where the node allows that and it
   * is enough: all that the call may do is in it, and perhaps more. `paying`:
   * where payers' codes stand. `undefined`: only {@link look} tells.
   */
  async glance(
    call: CallRequest,
    block: unknown,
    paying: ReadonlySet<string>,
  ): Promise<Findings | undefined> {
    const calls =
      call.to === undefined ? undefined : await this.#node.calls(call, block);
    // Which of many calls are too many, only frames tell.
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

  // Whether nobody can have spent what he owes: one account owes, and calls nobody but the modules and itself.
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

  /** Whether all who pay in a call can do so when it has ended, and nobody sees that; if not, who needs a payer's code. */
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
   * Who will have to pay at once in transactions of one block, as far as
   * frames without the emulation's own calls tell it.
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

  /** Who pays a module in a frame, or below it. */
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

  /** Whether a call looks at an account's code. */
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
   * Makes all who must pay at once in a transaction able to, `others` besides,
   * and tells what is left to do after it. To be estimated it stays told which
   * calls are too many; to be sent its block tells that, and its trace is not
   * needed where a glance is enough.
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
    const payments = new Payments(
      this.#observer,
      call.to !== undefined && call.to === to ? payers : [],
    );
    let plan = NO_PLAN;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await this.#patches.arrange(new Set([...payments.payers, ...others]));
      const glanced = glances
        ? await this.glance(call, block, payments.payers)
        : undefined;
      const looked = glanced ?? (await this.look(call, block, !isSent));
      if (looked === undefined) break;
      const excess = this.#limits.glean(looked.root);
      const found = excess === undefined ? looked : this.inspect(excess.root);
      const { debts, born, touched, destroys, called, root } = found;
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
        unsure:
          plan.unsure || excess !== undefined || (await this.#isUnsure(found)),
        ...(glanced === undefined ? { root } : {}),
      };
      try {
        if (
          await payments.settled(
            [run],
            async (account) => await this.#node.balance(account),
          )
        ) {
          // Who did not pay needs nothing the next time.
          this.#last = { to: call.to, payers: found.paying };
          return { plan };
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

  // A trace pays no fees, and its block has no base fee.
  async #isUnsure(found: Findings): Promise<boolean> {
    const { fees, foreignBalances } = await this.#observer.facts(found);
    return fees || foreignBalances;
  }
}
