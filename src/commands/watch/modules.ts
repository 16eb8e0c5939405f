import type { ChainFacts } from "../../chain/index.js";
import type { FrameworkClients } from "../../framework/clients.js";
import { transactionHash } from "../../framework/node-rpc/transaction.js";
import { Fields } from "../../framework/query/values.js";
import { pathPrefixes } from "../../framework/services.js";
import { isRecord } from "../../rpc/quantities.js";
import { cleanText } from "../../support/text.js";

/** An event of the framework's modules. */
export interface ModuleEvent {
  readonly type: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What a transaction did on the framework's side, as far as it concerns an address. */
export interface ModuleTransaction {
  /** The framework's hash. */
  readonly hash: string;
  /** The EVM's hash, if it is an EVM transaction. */
  readonly ethereumHash?: string;
  readonly code: number;
  /** Why it failed, in the node's own words. */
  readonly log?: string;
  /** Types of its messages. */
  readonly messages: readonly string[];
  readonly events: readonly ModuleEvent[];
}

export interface ModuleActivity {
  readonly transactions: readonly ModuleTransaction[];
  /** Events of the block outside its transactions. */
  readonly events: readonly ModuleEvent[];
}

/** Reads all that a block did on the framework's side. */
export type ModuleSource = (height: bigint) => Promise<ModuleActivity>;

/** Reads blocks over the node RPC, or over REST, which lacks the block's own events. */
export function moduleSource(
  clients: FrameworkClients,
  has: { readonly nodeRpc: boolean; readonly rest: boolean },
  facts: ChainFacts,
): ModuleSource | undefined {
  if (has.nodeRpc) {
    return async (height) => await byNodeRpc(clients, height);
  }
  return has.rest
    ? async (height) => await byRest(clients, height, facts)
    : undefined;
}

// Not a search: that needs an index, which may lag or be switched off.
async function byNodeRpc(
  { nodeRpc }: FrameworkClients,
  height: bigint,
): Promise<ModuleActivity> {
  const [{ block }, { results, finalizeBlockEvents }] = await Promise.all([
    nodeRpc.block(height),
    nodeRpc.blockResults(height),
  ]);
  const { messageTypes } = await import("./message-types.js");
  return {
    transactions: results.map(({ code, log, events }, i) => {
      const bytes = block.txs[i] ?? new Uint8Array();
      return transaction({
        hash: transactionHash(bytes),
        code,
        log,
        messages: messageTypes(bytes),
        events: events.map(({ type, attributes }) => toEvent(type, attributes)),
      });
    }),
    events: finalizeBlockEvents.map(({ type, attributes }) =>
      toEvent(type, attributes),
    ),
  };
}

const PAGE = 100n;
const MAX_LOG = 300;

async function byRest(
  { rest }: FrameworkClients,
  height: bigint,
  facts: ChainFacts,
): Promise<ModuleActivity> {
  const path = `${pathPrefixes(facts).framework}tx/v1beta1/txs`;
  const transactions: ModuleTransaction[] = [];
  for (let page = 1n; ; page++) {
    const { body } = await rest.get(path, {
      params: { query: `tx.height=${height}`, page, limit: PAGE },
    });
    const answer = new Fields(body, path);
    for (const one of answer.objects("tx_responses")) {
      const events = one.objects("events").map((event) =>
        toEvent(
          event.text("type"),
          event.objects("attributes").map((entry) => ({
            key: entry.text("key"),
            value: String(entry.at("value") ?? ""),
          })),
        ),
      );
      transactions.push(
        transaction({
          hash: one.text("txhash"),
          code: one.number("code"),
          log: String(one.at("raw_log") ?? ""),
          messages: messagesOf(one.at("tx")),
          events,
        }),
      );
    }
    // REST answers with an error for a page beyond the last.
    if (page * PAGE >= answer.integer("total")) {
      return { transactions, events: [] };
    }
  }
}

function toEvent(
  type: string,
  attributes: readonly { readonly key: string; readonly value: string }[],
): ModuleEvent {
  return {
    type: cleanText(type, 80),
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [
        cleanText(key, 80),
        cleanText(value),
      ]),
    ),
  };
}

// A failed transaction has no message events, so its messages are read from the
// transaction.
function messagesOf(tx: unknown): string[] {
  const body = isRecord(tx) ? tx["body"] : undefined;
  const messages = isRecord(body) ? body["messages"] : undefined;
  return (Array.isArray(messages) ? (messages as unknown[]) : []).flatMap(
    (message) =>
      isRecord(message) && typeof message["@type"] === "string"
        ? [cleanText(message["@type"], 100)]
        : [],
  );
}

function transaction({
  hash,
  code,
  log,
  messages,
  events,
}: {
  readonly hash: string;
  readonly code: number;
  readonly log: string | undefined;
  readonly messages: readonly string[];
  readonly events: readonly ModuleEvent[];
}): ModuleTransaction {
  const of = (type: string, key: string) =>
    events.flatMap((event) =>
      event.type === type && event.attributes[key] !== undefined
        ? [event.attributes[key]]
        : [],
    );
  const [ethereumHash] = of("ethereum_tx", "ethereumTxHash");
  const why = cleanText(log ?? "", MAX_LOG);
  return {
    hash,
    ...(ethereumHash === undefined ? {} : { ethereumHash }),
    code,
    ...(code === 0 || why === "" ? {} : { log: why }),
    messages: [
      ...new Set(messages.length > 0 ? messages : of("message", "action")),
    ],
    events,
  };
}

// Movements that another event describes better, and what happens in every block.
const PLUMBING = new Set([
  "coin_spent",
  "coin_received",
  "message",
  "tx",
  "tx_log",
  "ethereum_tx",
]);
// What the EVM's side already shows for an EVM transaction.
const OF_THE_EVM = new Set(["transfer", ...PLUMBING]);
const EVERY_BLOCK = new Set([
  "commission",
  "rewards",
  "proposer_reward",
  ...PLUMBING,
]);

/** The part of a block's activity that names an address in any of its forms. */
export function concerning(
  { transactions, events }: ModuleActivity,
  forms: readonly string[],
): ModuleActivity {
  const wanted = forms.map((form) => form.toLowerCase());
  const names = ({ attributes }: ModuleEvent) =>
    Object.values(attributes).some((value) => {
      const text = value.toLowerCase();
      return wanted.some((form) => text.includes(form));
    });
  const without = (list: readonly ModuleEvent[], types: ReadonlySet<string>) =>
    list.filter((event) => names(event) && !types.has(event.type));
  return {
    transactions: transactions.flatMap((one) => {
      const isEvm = one.ethereumHash !== undefined;
      const told = without(one.events, isEvm ? OF_THE_EVM : PLUMBING);
      const concerned = isEvm ? told.length > 0 : one.events.some(names);
      return concerned ? [{ ...one, events: told }] : [];
    }),
    events: without(events, EVERY_BLOCK),
  };
}
