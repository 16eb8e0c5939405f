import type { ChainFacts } from "../../chain/index.js";
import { cleanText } from "../../support/text.js";
import { nativeMoney, tokens } from "../shared/money.js";
import { labelled, onNetwork } from "../shared/layout.js";
import { ToldValues, type ToldView } from "../shared/told-values.js";
import type { Changes } from "../../replay/changes.js";
import type { Check } from "../../replay/compare.js";
import type { RawEvent, ToldCall } from "./decode.js";
import type { TraceReport } from "./report.js";

export const DIFFERS =
  "the transaction did something different here than on the chain";

export const PROGRESS = "replaying on a fork of the previous block";

/** How the report is printed. */
export interface TraceView extends ToldView {
  readonly depth?: number;
  readonly gas?: boolean;
}

export function lines(report: TraceReport, view: TraceView): string[] {
  const told = new ToldValues(view, false);
  const { calls, block, index, earlier, hash, success, failure } = report;
  const { others = [] } = report;
  const before =
    index === undefined || earlier === undefined
      ? "after it"
      : `transaction ${index + 1}; ${earlier === index ? `the ${index} before it ran first` : "those before it were left out"}`;
  return [
    onNetwork(hash === undefined ? "A call" : `Transaction ${hash}`, report),
    ...labelled([
      [
        "block",
        hash === undefined
          ? `${block - 1n}, ${before}`
          : `${block}, ${index === 0 ? "the first transaction" : before}`,
      ],
      ...(others.length === 0
        ? []
        : [
            [
              "not run",
              `what came before it on the framework's side: ${others.join(", ")}`,
            ] as const,
          ]),
      ["from", told.address(calls.from)],
      [
        "result",
        success ? "succeeded" : `failed: ${cleanText(innermost(calls), 400)}`,
      ],
      ["gas", gasText(report)],
      ...(report.contractAddress === undefined
        ? []
        : [["created", report.contractAddress] as const]),
    ]),
    "",
    "Calls",
    ...new Tree(view).of(calls),
    ...(failure === undefined
      ? []
      : [
          "",
          "Where it failed",
          ...failure.stack.map((line) => `  at ${cleanText(line, 300)}`),
        ]),
    ...changeLines(report.changes, view.facts, told),
    ...(report.checks === undefined
      ? []
      : ["", "Compared with the chain", ...checkLines(report.checks)]),
  ];
}

function gasText({ gasUsed, gasCharged }: TraceReport): string {
  return gasCharged === undefined
    ? `${gasUsed} used`
    : `${gasUsed} used here, ${gasCharged} charged by the chain`;
}

/** The reason of the deepest call that failed last and took its callers with it. */
function innermost(call: ToldCall): string {
  const inner = call.calls.findLast(
    (one) => one.error !== undefined && one.output === call.output,
  );
  return inner === undefined
    ? (call.reason ?? call.error ?? "no reason given")
    : innermost(inner);
}

class Tree {
  readonly #view: TraceView;
  readonly #told: ToldValues;

  constructor(view: TraceView) {
    this.#view = view;
    this.#told = new ToldValues(view, true);
  }

  of(call: ToldCall, level = 1): string[] {
    const indent = "  ".repeat(level);
    const { depth = Infinity } = this.#view;
    const deeper =
      level < depth
        ? call.calls.flatMap((inner) => this.of(inner, level + 1))
        : call.calls.length === 0
          ? []
          : [`${indent}  … ${count(call)} more: raise --depth`];
    return [
      `${indent}${this.#line(call)}`,
      ...deeper,
      ...call.events.map((event) => `${indent}  event ${this.#event(event)}`),
    ];
  }

  #line(call: ToldCall): string {
    const { type, value, error, reason } = call;
    const kind = type === "CALL" ? "" : `${type.toLowerCase()} `;
    const sent =
      value === 0n || type === "DELEGATECALL"
        ? ""
        : ` with ${tokens(nativeMoney(value, this.#view.facts))}`;
    const outcome =
      error === undefined
        ? this.#results(call)
        : `  FAILED: ${cleanText(reason ?? error, 200)}`;
    return `${kind}${this.#called(call)}${sent}${outcome}  [${this.#gas(call)}]`;
  }

  #called({ type, to, contract, method, args, input }: ToldCall): string {
    if (type.startsWith("CREATE")) {
      return `new contract ${to === undefined ? "" : this.#told.hash(to)}`;
    }
    const target = to === undefined ? "nobody" : this.#told.address(to);
    const name =
      contract === undefined || target.startsWith(`${contract} (`)
        ? target
        : `${contract} (${target})`;
    if (method !== undefined && args !== undefined) {
      const values = this.#told.arguments({ contract: contract ?? "", args });
      return `${name}.${method}(${values})`;
    }
    return input === "0x"
      ? name
      : `${name}.${input.slice(0, 10)}(${(input.length - 2) / 2} bytes)`;
  }

  #results({ contract = "", results }: ToldCall): string {
    if (results === undefined || Object.keys(results).length === 0) return "";
    const [[name, only] = ["", undefined], ...more] = Object.entries(results);
    if (more.length === 0 && (only === true || /^\d+$/.test(name))) {
      return only === true ? "" : ` = ${this.#told.value(only)}`;
    }
    return ` = ${cleanText(this.#told.arguments({ contract, args: results }), 300)}`;
  }

  #event(event: ToldCall["events"][number]): string {
    if ("event" in event) {
      const { contract, args } = event;
      return `${contract}.${event.event}(${this.#told.arguments({ contract, args })})`;
    }
    return this.#rawEvent(event);
  }

  #rawEvent({ address, topics }: RawEvent): string {
    return `${this.#told.hash(topics[0] ?? "without a topic")} of ${this.#told.address(address)}`;
  }

  #gas({ gas, gasUsed, calls }: ToldCall): string {
    if (this.#view.gas !== true) return `${gasUsed} gas`;
    const inner = calls.reduce((sum, one) => sum + one.gasUsed, 0n);
    return `${gasUsed} gas of ${gas}, ${gasUsed - inner} its own`;
  }
}

const count = ({ calls }: ToldCall): number =>
  calls.reduce((sum, one) => sum + 1 + count(one), 0);

function changeLines(
  changes: Changes,
  facts: ChainFacts,
  told: ToldValues,
): string[] {
  const { balances, delegations, unbonding, rewards, votes } = changes;
  const amount = (value: bigint) => tokens(nativeMoney(value, facts));
  const moved = ({ before, after }: { before: bigint; after: bigint }) =>
    `${amount(before)} to ${amount(after)} (${after > before ? "+" : "-"}${amount(after > before ? after - before : before - after)})`;
  const stakes = (what: string, list: Changes["delegations"]) =>
    list.map(
      (one) =>
        [
          what,
          `${told.address(one.delegator)} with ${told.address(one.validator)}: ${moved(one)}`,
        ] as const,
    );
  const found = [
    ...balances.map(
      (one) =>
        ["balance", `${told.address(one.account)}: ${moved(one)}`] as const,
    ),
    ...stakes("delegated", delegations),
    ...stakes("unbonding", unbonding),
    ...stakes("rewards", rewards),
    ...votes.map(
      ({ proposal, voter, before, after }) =>
        [
          "vote",
          `${told.address(voter)} on proposal ${proposal}: ${cleanText(before === "" ? "none" : before, 100)} to ${cleanText(after === "" ? "none" : after, 100)}`,
        ] as const,
    ),
  ];
  return [
    "",
    "What changed",
    ...(found.length === 0 ? ["  nothing"] : labelled(found)),
  ];
}

function checkLines(checks: readonly Check[]): string[] {
  return labelled(
    checks.map((check) => [check.what, checkText(check)] as const),
  );
}

function checkText({ what, result, chain, replay, why }: Check): string {
  const because = why === undefined ? "" : `: ${why}`;
  if (result === "agrees") return "the same";
  if (result === "unchecked") return `not compared${because}`;
  const values =
    what === "logs"
      ? `${listLength(chain)} on the chain, ${listLength(replay)} here, or with different values`
      : `${cleanText(String(chain), 200)} on the chain, ${cleanText(String(replay), 200)} here`;
  return `DIFFERENT${because} (${values})`;
}

const listLength = (value: unknown): number =>
  Array.isArray(value) ? value.length : 0;
