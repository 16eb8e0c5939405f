import type { Head } from "../../framework/events/wire.js";
import { cleanText } from "../../support/text.js";
import {
  isPlumbing,
  isPrecompile,
  ToldValues,
  type ToldView,
} from "../shared/told-values.js";
import { formatUnits } from "../../support/units.js";
import { nativeMoney, tokens } from "../shared/money.js";
import type { Happening } from "./happening.js";
import type { Target } from "./target.js";

const GWEI_DECIMALS = 9;
const MAX_LINE = 400;
const OF_THE_EVM = /\.MsgEthereumTx$/;

/** How things are told on a terminal. */
export interface WatchView extends ToldView {
  /** Columns of the terminal, where lines are to fit. */
  readonly columns: number | undefined;
}

/** One line for what happened; where it would not fit, addresses and hashes are shortened in the middle. */
export function watchLine(happening: Happening, view: WatchView): string {
  const line = (short: boolean) =>
    cleanText(new Line(view, short).of(happening), MAX_LINE);
  const whole = line(false);
  const { columns } = view;
  if (columns === undefined || whole.length <= columns) {
    return whole;
  }
  const short = line(true);
  return short.length <= columns ? short : `${short.slice(0, columns - 1)}…`;
}

class Line {
  readonly #view: WatchView;
  readonly #told: ToldValues;

  constructor(view: WatchView, short: boolean) {
    this.#view = view;
    this.#told = new ToldValues(view, short);
  }

  of(happening: Happening): string {
    const { facts } = this.#view;
    switch (happening.type) {
      case "block": {
        const { block, timestamp, transactions, gasUsed, hash } = happening;
        const held =
          transactions === undefined || gasUsed === undefined
            ? ""
            : `  ${counted(transactions, "transaction")}, gas ${gasUsed}`;
        return `${clock(timestamp)}  block ${block}${held}  ${this.#told.hash(hash)}`;
      }
      case "pending": {
        const { hash, from, to, value } = happening;
        const moved =
          from === undefined || value === undefined
            ? ""
            : `  ${this.#told.address(from)} to ${to === undefined || to === null ? "a new contract" : this.#told.address(to)}  ${tokens(nativeMoney(value, facts))}`;
        return `pending  ${this.#told.hash(hash)}${moved}`;
      }
      case "log": {
        const what =
          "event" in happening
            ? `${happening.contract}.${happening.event}(${this.#told.arguments(happening)})`
            : `unknown event ${this.#told.hash(happening.topics[0] ?? "without a topic")}`;
        const emitter =
          "event" in happening && isPrecompile(happening.contract)
            ? ""
            : `${this.#told.address(happening.address)}  `;
        return `block ${happening.block}  ${emitter}${what}  in ${this.#told.hash(happening.transaction)}`;
      }
      case "transaction": {
        const { from, to, value, succeeded, gasUsed, hash } = happening;
        const target =
          to === null
            ? `new contract ${this.#told.address(happening.contractAddress ?? "")}`
            : this.#told.address(to);
        return `block ${happening.block}  ${this.#told.address(from)} to ${target}  ${tokens(nativeMoney(value, facts))}  ${succeeded ? "succeeded" : "FAILED"}, gas ${gasUsed}  ${this.#told.hash(hash)}`;
      }
      case "framework-transaction": {
        const { messages, events, code, log, hash, ethereumHash } = happening;
        const names = messages
          .filter((name) => !OF_THE_EVM.test(name))
          .map((name) => name.split(".").at(-1) ?? name);
        const failed =
          code === 0
            ? ""
            : `  FAILED${log === undefined ? ` with code ${code}` : `: ${log}`}`;
        const told = [...names, ...events.map((event) => this.#event(event))];
        return `block ${happening.block}  ${told.join(", ")}${failed}  ${this.#told.hash(ethereumHash ?? hash)}`;
      }
      case "framework-event":
        return `block ${happening.block}  ${this.#event({ type: happening.event, attributes: happening.attributes })}`;
      case "gap":
        return `block ${happening.block}  missing  ${happening.reason}`;
      case "connection":
        return happening.connected ? "connected" : "disconnected";
    }
  }

  #event({
    type,
    attributes,
  }: {
    readonly type: string;
    readonly attributes: Readonly<Record<string, string>>;
  }): string {
    return `${type}(${Object.entries(attributes)
      .filter(([key]) => !isPlumbing(key))
      .map(([key, value]) => `${key} ${this.#told.attribute(value)}`)
      .join(", ")})`;
  }
}

const counted = (count: number, noun: string) =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

const clock = (timestamp: bigint) =>
  new Date(Number(timestamp) * 1000).toISOString().slice(11, 19);

/** The status: what is watched, the newest block, how much there was. */
export function watchStatus({
  network,
  watched,
  head,
  count,
  connected,
}: {
  readonly network: string;
  readonly watched: Target["kind"];
  readonly head: Head | undefined;
  readonly count: number;
  readonly connected: boolean;
}): string {
  const parts = [network];
  if (head === undefined) {
    parts.push("waiting for a block");
  } else {
    parts.push(`block ${head.number} at ${clock(head.timestamp)} UTC`);
    if (head.baseFeePerGas !== undefined) {
      parts.push(
        `base fee ${formatUnits(head.baseFeePerGas, GWEI_DECIMALS)} gwei`,
      );
    }
  }
  parts.push(counted(count, NOUNS[watched]));
  if (!connected) {
    parts.push("connection lost, trying again");
  }
  return parts.join("  ");
}

const NOUNS = {
  blocks: "block",
  logs: "log",
  pending: "transaction",
  address: "event",
} as const;

/** Before pending transactions, since nodes do not promise them. */
export const PENDING_HAS_GAPS =
  "Nodes do not announce every pending transaction. To miss nothing, watch an address or logs.";

/** Where nothing happens but by this process. */
export const IN_THIS_PROCESS =
  'This network exists only in this process, so you only see what this process does. To watch other processes, start "npx hardhat node" and use --network localhost.';
