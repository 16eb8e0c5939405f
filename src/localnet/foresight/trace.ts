// Third: reads the frames of a trace, made in advance or after the block.

import { selectors } from "../generated/calls.js";
import { PAY_MAGIC } from "../modules/accounts.js";
import type { EmulatedAccounts } from "../modules/emulated-accounts.js";
import type { CallRequest } from "../request/calls.js";
import { type Effect, effectOf, isView, larger } from "./effects.js";

/** A log of a traced request. */
export interface Log {
  readonly address: string;
  readonly topics?: readonly string[];
  readonly data?: string;
}

/** A frame of a call trace, in the format of geth's callTracer. */
export interface Frame {
  readonly type: string;
  readonly from: string;
  /** Absent if a creation failed early. */
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

/**
 * A call of which only the account whose code runs and the calldata are known.
 */
export interface Called {
  readonly to: string;
  readonly input: string;
}

/** A payment, in base units, that is taken at the end of its transaction. */
export interface Debt {
  readonly actor: string;
  readonly amount: bigint;
}

/** What a request does with the modules; addresses in lower case. */
export interface Findings {
  /**
   * Accounts whose payments were deferred because they carry no payer's code,
   * including deferrals that were reverted.
   */
  readonly deferred: ReadonlySet<string>;
  /** The deferred payments that were not reverted, in order. */
  readonly debts: readonly Debt[];
  /** Accounts that were asked to pay through a payer's code. */
  readonly paying: ReadonlySet<string>;
  /** Contracts that the request itself creates. */
  readonly born: ReadonlySet<string>;
  /** Accounts that were called, or whose code ran. */
  readonly called: ReadonlySet<string>;
  /** Accounts that made calls or sent tokens. */
  readonly acting: ReadonlySet<string>;
  /** Whether a contract self-destructs. */
  readonly destroys: boolean;
  /** Init code and deployed code of the creations. */
  readonly made: readonly string[];
  readonly root: Frame;
  /** Whether a module was called in a way that can change its state. */
  readonly touched: boolean;
  readonly effect: Effect;
}

const CREATES = new Set(["CREATE", "CREATE2"]);

/** A transfer of tokens; addresses in lower case, the amount in base units. */
export interface Payment {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** Whether a module that calls another with this calldata defers a payment. */
export const isDeferral = (input: string): boolean =>
  input.startsWith(selectors.defer);

/** Decodes the calldata of a deferral. */
export const deferredPayment = (input: string): Payment => ({
  from: addressIn(input, 10),
  to: addressIn(input, 74),
  amount: amountIn(input, 138),
});

const debtIn = (input: string): Debt => {
  const { from, amount } = deferredPayment(input);
  return { actor: from, amount };
};

/** Whether this calldata asks an account to pay. */
export const asksToPay = (input: string): boolean =>
  input.length === 194 && input.startsWith(PAY_MAGIC, 2);

/**
 * Decodes the calldata that asks the account `from` to pay.
 *
 * @param isModule whether it is a module account or the reserve, whose calldata
 * has another order
 */
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

/**
 * The emulation's accounts: the precompiles of modules, and all accounts, which
 * need no payer's code to pay.
 */
export type Emulated = Pick<EmulatedAccounts, "modules" | "staking" | "all">;

/** Finds in the frames of a request what concerns the modules. */
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
    // The emulation pays without running the recipient's code: it creates a
    // contract that self-destructs at once.
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
 * Derives the findings of {@link inspect} from the calls of a request that
 * creates and destroys no contract. They may include more than took effect: the
 * calls tell neither who made them nor which were reverted.
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
