import type { ChainFacts } from "../../chain/index.js";
import type { Head } from "../../framework/events/wire.js";
import { cleanText } from "../../support/text.js";
import { formatUnits } from "../../support/units.js";
import { nativeMoney } from "../money.js";
import type { Happening } from "../watch/index.js";
import type { Target } from "../watch/target.js";

const GWEI_DECIMALS = 9;
const MAX_LINE = 400;

/** One line for what happened. */
export function watchLine(happening: Happening, facts: ChainFacts): string {
  return cleanText(lineOf(happening, facts), MAX_LINE);
}

function lineOf(happening: Happening, facts: ChainFacts): string {
  switch (happening.type) {
    case "block":
      return `block ${happening.block}  ${happening.hash}`;
    case "pending":
      return `pending  ${happening.hash}`;
    case "log": {
      const what =
        "event" in happening
          ? `${happening.contract}.${happening.event}(${shownArgs(happening.args)})`
          : `unknown event ${happening.topics[0] ?? "without a topic"}`;
      return `block ${happening.block}  log  ${happening.address}  ${what}  in ${happening.transaction}`;
    }
    case "transaction": {
      const { from, to, value, succeeded, gasUsed, hash } = happening;
      const target = to ?? `new contract ${happening.contractAddress ?? ""}`;
      const { tokens, symbol } = nativeMoney(value, facts);
      return `block ${happening.block}  transaction  ${from} to ${target}  ${tokens} ${symbol}  ${succeeded ? "succeeded" : "FAILED"}, gas ${gasUsed}  ${hash}`;
    }
    case "framework-transaction": {
      const { messages, events, code, hash, ethereumHash } = happening;
      const names = messages.map((name) => name.split(".").at(-1) ?? name);
      const failed = code === 0 ? "" : `  FAILED with code ${code}`;
      return `block ${happening.block}  framework  ${[...names, ...events.map(shownEvent)].join(", ")}${failed}  ${ethereumHash ?? hash}`;
    }
    case "framework-event":
      return `block ${happening.block}  framework  ${shownEvent({ type: happening.event, attributes: happening.attributes })}`;
    case "gap":
      return `block ${happening.block}  missing  ${happening.reason}`;
    case "connection":
      return happening.connected ? "connected" : "disconnected";
  }
}

const shownEvent = ({
  type,
  attributes,
}: {
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
}) =>
  `${type}(${Object.entries(attributes)
    .filter(([key]) => key !== "msg_index" && key !== "mode")
    .map(([key, value]) => `${key} ${value}`)
    .join(", ")})`;

const shownArgs = (args: Readonly<Record<string, unknown>>) =>
  Object.entries(args)
    .map(([name, value]) => `${name} ${shownValue(value)}`)
    .join(", ");

const shownValue = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? JSON.stringify(value, (_key, entry: unknown) =>
        typeof entry === "bigint" ? entry.toString() : entry,
      )
    : cleanText(value, 100);

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
    const time = new Date(Number(head.timestamp) * 1000)
      .toISOString()
      .slice(11, 19);
    parts.push(`block ${head.number} at ${time} UTC`);
    if (head.baseFeePerGas !== undefined) {
      parts.push(
        `base fee ${formatUnits(head.baseFeePerGas, GWEI_DECIMALS)} gwei`,
      );
    }
  }
  parts.push(`${count} ${NOUNS[watched]}`);
  if (!connected) {
    parts.push("connection lost, trying again");
  }
  return parts.join("  ");
}

const NOUNS = {
  blocks: "seen",
  logs: "logs",
  pending: "transactions",
  address: "happenings",
} as const;
