// After the trace of a request that pays: could anything tell that run from the
// chain's?

import { type CodeFacts, factsOf } from "./code.js";
import type { Codes } from "./codes.js";
import type { Patches } from "../arrangement/patches.js";
import { addressAt, type Step } from "../node/struct-logs.js";
import {
  deferredPayment,
  type Emulated,
  type Findings,
  type Frame,
  isDeferral,
} from "./trace.js";

/** A request or transaction that ran, to be examined. */
export interface Run {
  readonly found: Findings;
  /** The sender, in lower case. */
  readonly sender: string | undefined;
  /** Base units that the sender needs for gas at the start. */
  readonly fee?: bigint;
  /** The transaction's hash, for errors. */
  readonly name?: string;
  /** Traces every instruction of the run; slow. */
  readonly steps: () => Promise<readonly Step[]>;
}

/** What runs saw, or may have seen, each with the run that saw it. */
export interface Sights {
  /** Accounts whose balance is read or spent while they owe some of it. */
  readonly balances: ReadonlyMap<string, Run>;
  /** Accounts whose code is read while a payer's code stands there. */
  readonly codes: ReadonlyMap<string, Run>;
}

/** Reads a balance, in base units, as it was before the first run. */
type Start = (account: string) => Promise<bigint>;

/**
 * Tells whether runs could see that a payment is taken only at the end of its
 * transaction, or that a payer's code stands at an account. A run that sees
 * neither is exactly the chain's.
 */
export class Observer {
  readonly #codes: Codes;
  readonly #patches: Patches;
  readonly #accounts: Emulated;

  constructor(codes: Codes, patches: Patches, accounts: Emulated) {
    this.#codes = codes;
    this.#patches = patches;
    this.#accounts = accounts;
  }

  /**
   * Returns what all code that ran can do together, the emulation's excepted.
   */
  async facts(
    { called, made }: Pick<Findings, "called" | "made">,
    block: unknown = "latest",
  ): Promise<CodeFacts> {
    let all = factsOf("0x");
    const add = (facts: CodeFacts) => {
      all = {
        reach: all.reach,
        balances: all.balances || facts.balances,
        foreignBalances: all.foreignBalances || facts.foreignBalances,
        codes: all.codes || facts.codes,
        sizes: all.sizes || facts.sizes,
        fees: all.fees || facts.fees,
        time: all.time || facts.time,
        varies: all.varies || facts.varies,
        creates: all.creates || facts.creates,
        destroys: all.destroys || facts.destroys,
      };
    };
    for (const code of made) add(factsOf(code));
    for (const account of called) {
      if (!this.#accounts.all.has(account))
        add(await this.#codes.of(account, block));
    }
    return all;
  }

  /**
   * Returns what consecutive runs may have seen, judged by what their code can
   * do.
   *
   * @param paying accounts where payers' codes stand
   */
  async suspect(
    runs: readonly Run[],
    paying: ReadonlySet<string>,
    start: Start,
    block: unknown = "latest",
  ): Promise<Sights> {
    const balances = new Map<string, Run>();
    const codes = new Map<string, Run>();
    const owing = new Set<string>();
    for (const run of runs) {
      const { found } = run;
      if (owing.size === 0 && found.deferred.size === 0 && paying.size === 0)
        continue;
      const facts = await this.facts(found, block);
      for (const actor of owing) {
        if (mayRead(run, facts, actor) || this.#failsWith(run, actor))
          balances.set(actor, run);
      }
      for (const actor of found.deferred) {
        if (mayRead(run, facts, actor)) balances.set(actor, run);
        owing.add(actor);
      }
      for (const actor of paying) {
        if (facts.codes || (facts.sizes && this.#patches.showsSize(actor)))
          codes.set(actor, run);
      }
    }
    for (const actor of owing) {
      const run = await this.#overspending(runs, actor, start);
      if (run !== undefined) balances.set(actor, run);
    }
    return { balances, codes };
  }

  /**
   * Returns what runs did see, from every instruction where need be.
   *
   * @param showsSize whether EXTCODESIZE shows that a payer's code stands at an
   * account
   */
  async witness(
    runs: readonly Run[],
    paying: ReadonlySet<string>,
    start: Start,
    showsSize = (account: string) => this.#patches.showsSize(account),
  ): Promise<Sights> {
    const balances = new Map<string, Run>();
    const codes = new Map<string, Run>();
    const owing = new Set<string>();
    for (const run of runs) {
      for (const actor of owing) {
        if (this.#failsWith(run, actor)) balances.set(actor, run);
      }
      const facts = await this.facts(run.found);
      const looksAtBalances =
        facts.balances && owing.size + run.found.deferred.size > 0;
      const looksAtCodes = (facts.codes || facts.sizes) && paying.size > 0;
      if (looksAtBalances || looksAtCodes) {
        const steps = await run.steps();
        this.#read(run, steps, owing, paying, showsSize, { balances, codes });
      }
      for (const { actor } of run.found.debts) owing.add(actor);
    }
    for (const actor of owing) {
      const run = await this.#overspending(runs, actor, start);
      if (run !== undefined) balances.set(actor, run);
    }
    return { balances, codes };
  }

  // A call that fails may do so for lack of balance, and so reveal it.
  #failsWith({ found }: Run, actor: string): boolean {
    return found.acting.has(actor) && fails(found.root);
  }

  /**
   * Returns the run in which an account spends tokens that it would no longer
   * have if its debts were taken at once.
   */
  async #overspending(
    runs: readonly Run[],
    actor: string,
    start: Start,
  ): Promise<Run | undefined> {
    const acts = ({ found, sender }: Run) =>
      sender === actor || found.acting.has(actor);
    if (
      runs.filter(acts).length < 2 &&
      !runs.some(({ found }) => spends(found.root, actor))
    )
      return undefined;
    let left = await start(actor);
    for (const run of runs) {
      if (run.sender === actor) left -= run.fee ?? 0n;
      let short = left < 0n;
      const visit = (frame: Frame) => {
        if (frame.error !== undefined) return;
        const owed = this.#owedBy(actor, frame);
        if (owed !== undefined) left -= owed;
        else if (!borrows(frame)) {
          const value = BigInt(frame.value ?? "0x0");
          if (frame.from === actor) left -= value;
          if (frame.to === actor) left += value;
        }
        if (left < 0n) short = true;
        frame.calls?.forEach(visit);
      };
      visit(run.found.root);
      if (short) return run;
    }
    return undefined;
  }

  /** Returns what a call from module to module defers that `actor` owes. */
  #owedBy(actor: string, { type, from, to, input }: Frame): bigint | undefined {
    const { modules } = this.#accounts;
    if (
      type !== "CALL" ||
      !modules.has(from) ||
      !modules.has(to ?? "") ||
      !isDeferral(input)
    )
      return undefined;
    const payment = deferredPayment(input);
    return payment.from === actor ? payment.amount : undefined;
  }

  #read(
    run: Run,
    steps: readonly Step[],
    owing: ReadonlySet<string>,
    paying: ReadonlySet<string>,
    showsSize: (account: string) => boolean,
    sights: { balances: Map<string, Run>; codes: Map<string, Run> },
  ): void {
    const { root, deferred } = run.found;
    const created: string[] = [];
    const collect = (frame: Frame) => {
      if (frame.type.startsWith("CREATE") && frame !== root)
        created.push(frame.to ?? "");
      frame.calls?.forEach(collect);
    };
    collect(root);
    const contexts: string[] = [root.to ?? ""];
    const now = new Set(owing);
    const reads = (account: string, here: string) => {
      if (!this.#accounts.all.has(here) && now.has(account))
        sights.balances.set(account, run);
    };
    for (const step of steps) {
      contexts.length = step.depth;
      const here = contexts[step.depth - 1] ?? "";
      switch (step.op) {
        case "CALL":
        case "STATICCALL": {
          const target = addressAt(step, 1);
          contexts[step.depth] = target;
          if (this.#accounts.modules.has(target) && deferred.has(here))
            now.add(here);
          break;
        }
        case "DELEGATECALL":
        case "CALLCODE":
          contexts[step.depth] = here;
          break;
        case "CREATE":
        case "CREATE2":
          contexts[step.depth] = created.shift() ?? "";
          break;
        case "SELFBALANCE":
        case "SELFDESTRUCT":
          reads(here, here);
          break;
        case "BALANCE":
          reads(addressAt(step, 0), here);
          break;
        case "EXTCODESIZE":
        case "EXTCODEHASH":
        case "EXTCODECOPY": {
          const account = addressAt(step, 0);
          const shows = step.op !== "EXTCODESIZE" || showsSize(account);
          if (shows && paying.has(account) && !this.#accounts.all.has(here))
            sights.codes.set(account, run);
          break;
        }
      }
    }
  }
}

// Without BALANCE, only an account's own code can read its balance.
const mayRead = ({ found }: Run, facts: CodeFacts, actor: string) =>
  facts.foreignBalances || (facts.balances && found.called.has(actor));

const fails = (frame: Frame): boolean =>
  frame.error !== undefined || (frame.calls?.some(fails) ?? false);

const borrows = ({ type }: Frame) =>
  type === "DELEGATECALL" || type === "CALLCODE";

const spends = (frame: Frame, actor: string): boolean =>
  (frame.from === actor &&
    !borrows(frame) &&
    BigInt(frame.value ?? "0x0") > 0n) ||
  (frame.calls?.some((inner) => spends(inner, actor)) ?? false);
