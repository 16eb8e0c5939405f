import { selectorOf } from "../precompiles/selector.js";
import { PAY_MAGIC } from "./accounts.js";
import { type Effect, effectOf, larger } from "./effects.js";

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
  readonly logs?: readonly {
    readonly address: string;
    readonly topics?: readonly string[];
    readonly data?: string;
  }[];
}

/** What a request does with the precompiles. */
export interface Findings {
  /** Accounts that have to pay and cannot: they carry no payer's code. */
  readonly deferred: ReadonlySet<string>;
  /** Accounts that paid by a payer's code. */
  readonly paying: ReadonlySet<string>;
  /** Contracts that the request itself created. */
  readonly born: ReadonlySet<string>;
  /** All who were called, or had their code run. */
  readonly called: ReadonlySet<string>;
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

/**
 * Looks through the frames of a request for what concerns the modules at these
 * (lower-case) addresses. `accounts`: all of the emulation, which pay by
 * themselves.
 */
export function inspect(
  root: Frame,
  modules: ReadonlySet<string>,
  staking: string,
  accounts: ReadonlySet<string>,
): Findings {
  const deferred = new Set<string>();
  const paying = new Set<string>();
  const born = new Set<string>();
  const called = new Set<string>();
  let touched = false;
  let effect: Effect = "none";
  const visit = (frame: Frame) => {
    const { type, to } = frame;
    if (to !== undefined) called.add(to);
    if (CREATES.has(type) && to !== undefined && !accounts.has(frame.from)) {
      born.add(to);
    } else if (type === "CALL" && to !== undefined) {
      if (modules.has(to)) {
        touched = true;
        if (!modules.has(frame.from))
          effect = larger(effect, effectOf(frame.input));
        if (
          to === staking &&
          modules.has(frame.from) &&
          frame.input.startsWith(DEFER)
        ) {
          deferred.add(`0x${frame.input.slice(34, 74)}`);
        }
      } else if (
        modules.has(frame.from) &&
        !accounts.has(to) &&
        frame.input.length === 194 &&
        frame.input.startsWith(PAY_MAGIC, 2)
      ) {
        paying.add(to);
      }
    }
    frame.calls?.forEach(visit);
  };
  visit(root);
  return { deferred, paying, born, called, root, touched, effect };
}
