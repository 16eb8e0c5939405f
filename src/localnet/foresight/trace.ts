// Third: reads the frames of a run in advance, and those of a block that has
// been mined.

import { selectorOf } from "../../precompiles/selector.js";
import { PAY_MAGIC } from "../modules/accounts.js";
import type { EmulatedAccounts } from "../modules/emulated-accounts.js";
import type { CallRequest } from "../request/calls.js";
import { type Effect, effectOf, isView, larger } from "./effects.js";

/** An event of a traced request. */
export interface Log {
  readonly address: string;
  readonly topics?: readonly string[];
  readonly data?: string;
}

/** One frame of a traced request, as geth's callTracer tells it. */
export interface Frame {
  readonly type: string;
  readonly from: string;
  /** Absent where a creation failed early. */
  readonly to?: string;
  readonly input: string;
  readonly output?: string;
  readonly value?: string;
  readonly gas?: string;
  readonly gasUsed?: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
  readonly logs?: readonly Log[];
}

/** A call of which only this is known: the account whose code runs, and the calldata. */
export interface Called {
  readonly to: string;
  readonly input: string;
}

/** A payment that is taken when its transaction has ended. */
export interface Debt {
  readonly actor: string;
  readonly amount: bigint;
}

/** What a request does with the precompiles. */
export interface Findings {
  /** Accounts whose payments were put off: they carry no payer's code. Also where that was reverted. */
  readonly deferred: ReadonlySet<string>;
  /** The payments that were put off and not reverted, in their order. */
  readonly debts: readonly Debt[];
  /** Accounts that paid by a payer's code. */
  readonly paying: ReadonlySet<string>;
  /** Contracts that the request itself created. */
  readonly born: ReadonlySet<string>;
  /** All who were called, or had their code run. */
  readonly called: ReadonlySet<string>;
  /** All who called, or sent tokens. */
  readonly acting: ReadonlySet<string>;
  /** Whether contracts were destroyed. */
  readonly destroys: boolean;
  /** Codes that were run or made by creations. */
  readonly made: readonly string[];
  readonly root: Frame;
  /** Whether a module was called in a way that may have changed it. */
  readonly touched: boolean;
  readonly effect: Effect;
}

/** By this a module notes a payment for later. */
const DEFER = selectorOf({
  name: "defer",
  inputs: [{ type: "address" }, { type: "address" }, { type: "uint256" }],
});

const CREATES = new Set(["CREATE", "CREATE2"]);

/** Tokens that move; addresses in lower case, the amount in base units. */
export interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** Whether a module, which calls with this, puts a payment off. */
export const isDeferral = (input: string): boolean => input.startsWith(DEFER);

/** What is put off. */
export const deferredPayment = (input: string): Payment => ({
  from: addressIn(input, 10),
  to: addressIn(input, 74),
  amount: amountIn(input, 138),
});

const debtIn = (input: string): Debt => {
  const { from, amount } = deferredPayment(input);
  return { actor: from, amount };
};

/** Whether an account that is called with this is asked to pay. */
export const asksToPay = (input: string): boolean =>
  input.length === 194 && input.startsWith(PAY_MAGIC, 2);

/** What an account is asked to pay. @param isModule it is a module's, or the reserve: these are asked otherwise */
export const paymentAsked = (
  from: string,
  input: string,
  isModule: boolean,
): Payment =>
  isModule
    ? { from, to: addressIn(input, 66), amount: amountIn(input, 130) }
    : { from, to: addressIn(input, 130), amount: amountIn(input, 66) };

const addressIn = (input: string, at: number) =>
  `0x${input.slice(at + 24, at + 64)}`;
const amountIn = (input: string, at: number) =>
  BigInt(`0x${input.slice(at, at + 64)}`);

/** Of the emulation's accounts: the modules, and all of them, which pay by themselves. */
export type Emulated = Pick<EmulatedAccounts, "modules" | "staking" | "all">;

/** Looks through the frames of a request for what concerns the modules. */
export function inspect(
  root: Frame,
  { modules, staking, all: accounts }: Emulated,
): Findings {
  const deferred = new Set<string>();
  const debts: Debt[] = [];
  const acting = new Set<string>();
  const made: string[] = [];
  const paying = new Set<string>();
  const born = new Set<string>();
  const called = new Set<string>();
  let touched = false;
  let destroys = false;
  let effect: Effect = "none";
  const visit = (frame: Frame, undone: boolean) => {
    const { type, to } = frame;
    const failed = undone || frame.error !== undefined;
    if (to !== undefined) called.add(to);
    acting.add(frame.from);
    if (type === "SELFDESTRUCT") destroys = true;
    // A payment by which no code runs creates a contract that is gone at once.
    if (CREATES.has(type) && accounts.has(frame.from)) return;
    if (CREATES.has(type)) {
      if (to !== undefined) born.add(to);
      made.push(frame.input, frame.output ?? "0x");
    } else if (type === "CALL" && to !== undefined) {
      if (modules.has(to)) {
        touched = true;
        if (!modules.has(frame.from))
          effect = larger(effect, effectOf(frame.input));
        if (
          to === staking &&
          modules.has(frame.from) &&
          isDeferral(frame.input)
        ) {
          const debt = debtIn(frame.input);
          deferred.add(debt.actor);
          if (!failed) debts.push(debt);
        }
      } else if (
        modules.has(frame.from) &&
        !accounts.has(to) &&
        asksToPay(frame.input)
      ) {
        paying.add(to);
      }
    }
    frame.calls?.forEach((inner) => visit(inner, failed));
  };
  visit(root, false);
  return {
    deferred,
    debts,
    paying,
    born,
    called,
    acting,
    made,
    destroys,
    root,
    touched,
    effect,
  };
}

/**
 * The same from all calls of a request that creates and destroys nothing, as
 * far as they tell it: all of it may be more than was. Who called is not known,
 * nor what was undone.
 */
export function inspectCalls(
  request: CallRequest,
  calls: readonly Called[],
  { modules, staking }: Emulated,
  payers: ReadonlySet<string>,
): Findings {
  const deferred = new Set<string>();
  const debts: Debt[] = [];
  const paying = new Set<string>();
  const called = new Set<string>();
  let touched = false;
  let effect: Effect = "none";
  for (const { to, input } of calls) {
    called.add(to);
    if (modules.has(to)) {
      touched ||= !isView(input);
      effect = larger(effect, effectOf(input));
    }
    if (to === staking && isDeferral(input) && input.length === 202) {
      const debt = debtIn(input);
      deferred.add(debt.actor);
      debts.push(debt);
    }
    if (payers.has(to) && asksToPay(input)) paying.add(to);
  }
  return {
    deferred,
    debts,
    paying,
    born: new Set(),
    called,
    acting: new Set(),
    made: [],
    destroys: false,
    root: {
      type: "CALL",
      from: request.from?.toLowerCase() ?? "0x",
      to: request.to?.toLowerCase() ?? "0x",
      input: request.data ?? "0x",
      value: request.value ?? "0x0",
    },
    touched,
    effect,
  };
}
