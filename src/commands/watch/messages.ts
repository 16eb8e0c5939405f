import { isAddress, parseAddress } from "../../address/index.js";
import type { ChainFacts } from "../../chain/index.js";
import type { Head } from "../../framework/events/wire.js";
import { isRecord } from "../../rpc/quantities.js";
import { cleanText } from "../../support/text.js";
import { formatUnits } from "../../support/units.js";
import { nativeMoney, tokens } from "../shared/money.js";
import { coinMoney, instant } from "../modules/values.js";
import { PRECOMPILE_NAMES } from "../../precompiles/index.js";
import type { Happening } from "./happening.js";
import type { Target } from "./target.js";
import { shortenMiddle, timeText } from "../shared/layout.js";

const GWEI_DECIMALS = 9;
const MAX_LINE = 400;
/** Attributes and arguments that say nothing to people. */
const PLUMBING = new Set([
  "msg_index",
  "mode",
  "module",
  "newShares",
  "new_shares",
]);
const SHORT = 11;
const OF_THE_EVM = /\.MsgEthereumTx$/;

/** How things are told on a terminal. */
export interface WatchView {
  readonly facts: ChainFacts;
  /** The name of an address, which is given as 0x… in lower case. */
  readonly nameOf: (address: string) => string | undefined;
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
  readonly #short: boolean;

  constructor(view: WatchView, short: boolean) {
    this.#view = view;
    this.#short = short;
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
        return `${clock(timestamp)}  block ${block}${held}  ${this.#hash(hash)}`;
      }
      case "pending": {
        const { hash, from, to, value } = happening;
        const moved =
          from === undefined || value === undefined
            ? ""
            : `  ${this.#address(from)} to ${to === undefined || to === null ? "a new contract" : this.#address(to)}  ${tokens(nativeMoney(value, facts))}`;
        return `pending  ${this.#hash(hash)}${moved}`;
      }
      case "log": {
        const what =
          "event" in happening
            ? `${happening.contract}.${happening.event}(${this.#arguments(happening)})`
            : `unknown event ${this.#hash(happening.topics[0] ?? "without a topic")}`;
        const emitter =
          "event" in happening && isPrecompile(happening.contract)
            ? ""
            : `${this.#address(happening.address)}  `;
        return `block ${happening.block}  ${emitter}${what}  in ${this.#hash(happening.transaction)}`;
      }
      case "transaction": {
        const { from, to, value, succeeded, gasUsed, hash } = happening;
        const target =
          to === null
            ? `new contract ${this.#address(happening.contractAddress ?? "")}`
            : this.#address(to);
        return `block ${happening.block}  ${this.#address(from)} to ${target}  ${tokens(nativeMoney(value, facts))}  ${succeeded ? "succeeded" : "FAILED"}, gas ${gasUsed}  ${this.#hash(hash)}`;
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
        return `block ${happening.block}  ${told.join(", ")}${failed}  ${this.#hash(ethereumHash ?? hash)}`;
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
      .filter(([key]) => !PLUMBING.has(key))
      .map(([key, value]) => `${key} ${this.#attribute(value)}`)
      .join(", ")})`;
  }

  // "7atest,5stable" are amounts, and bech32 texts addresses.
  #attribute(value: string): string {
    const coins = value
      .split(",")
      .map((part) =>
        /^(\d{1,78})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(part),
      );
    return coins.every((coin) => coin !== null)
      ? coins
          .map(([, amount = "0", denom = ""]) =>
            tokens(
              coinMoney({ denom, amount: BigInt(amount) }, this.#view.facts),
            ),
          )
          .join(" and ")
      : this.#text(value);
  }

  #arguments({
    contract,
    args,
  }: {
    readonly contract: string;
    readonly args: Readonly<Record<string, unknown>>;
  }): string {
    const ofChain = isPrecompile(contract);
    return Object.entries(args)
      .filter(([name]) => !(ofChain && PLUMBING.has(name)))
      .map(([name, value]) => {
        if (ofChain && typeof value === "bigint") {
          if (name === "amount" || name === "commission") {
            return `${name} ${tokens(nativeMoney(value, this.#view.facts))}`;
          }
          if (name === "completionTime") {
            return `${name} ${timeText(instant(value))}`;
          }
        }
        return `${name} ${this.#value(value)}`;
      })
      .join(", ");
  }

  #value(value: unknown): string {
    if (Array.isArray(value)) {
      return value.map((one: unknown) => this.#value(one)).join(" and ");
    }
    if (isRecord(value)) {
      const { denom, amount } = value;
      return typeof denom === "string" && typeof amount === "bigint"
        ? tokens(coinMoney({ denom, amount }, this.#view.facts))
        : `{${Object.entries(value)
            .map(([name, one]) => `${name} ${this.#value(one)}`)
            .join(", ")}}`;
    }
    return typeof value === "string"
      ? this.#text(value)
      : cleanText(value, 100);
  }

  #text(value: string): string {
    const { bech32Prefix: prefix } = this.#view.facts;
    if (isAddress(value, { prefix })) {
      return this.#address(value);
    }
    return /^0x[0-9a-fA-F]{64}$/.test(value)
      ? this.#hash(value)
      : cleanText(value, 100);
  }

  /** An address by its name, else as 0x… in whatever form it came. */
  #address(value: string): string {
    const { facts, nameOf } = this.#view;
    const options = { prefix: facts.bech32Prefix };
    if (!isAddress(value, options)) {
      return cleanText(value, 100);
    }
    const { hex } = parseAddress(value, options);
    const name = nameOf(hex.toLowerCase());
    // Anybody can take any moniker: the address stands beside it.
    return name === undefined
      ? this.#hash(hex)
      : `${name} (${shortenMiddle(hex, SHORT)})`;
  }

  #hash(value: string): string {
    return this.#short ? shortenMiddle(value, SHORT) : value;
  }
}

const isPrecompile = (contract: string) =>
  PRECOMPILE_NAMES.some((name) => name === contract);

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
  'This network exists only in this process, so only what the process itself does happens there. To watch another process, start "npx hardhat node" and use --network localhost.';
