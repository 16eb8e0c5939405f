import type { WebSocket } from "ws";

import type { Block, DualChain } from "../chain.js";
import type { TransactionRecord } from "../history.js";
import {
  answerCall,
  type Call,
  errorJson,
  parseCalls,
  readCall,
} from "./answer.js";
import { finalized } from "./block-results.js";
import {
  blockJson,
  type ConsensusValidator,
  resultJson,
  transactionJson,
  validatorJson,
} from "./blocks.js";
import { internalError, RpcFault } from "./error.js";
import { jsonParams, text } from "./params.js";
import { type Condition, parseSearch, TOO_LONG } from "./search-query.js";
import { announces, attributesOf } from "./search.js";

/** Most subscriptions of one client. */
const MOST = 5;

interface Subscription {
  readonly id: unknown;
  readonly query: string;
  readonly conditions: readonly Condition[];
}

/** An event for subscribers: what it is matched by, and what is sent. */
interface Announced {
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly data: { readonly type: string; readonly value: unknown };
}

/** Serves a WebSocket client of the node RPC: calls and subscriptions. */
export function serveSocket(chain: DualChain, socket: WebSocket): void {
  const subscriptions = new Map<string, Subscription>();
  const send = (body: object) => {
    if (socket.readyState === socket.OPEN) {
      socket.send(JSON.stringify({ jsonrpc: "2.0", ...body }));
    }
  };
  // Chains the announcements, so that they follow the order of the blocks.
  let last = Promise.resolve();
  const stop = chain.onBlock((block) => {
    if (subscriptions.size === 0) return;
    last = last
      .then(async () => {
        for (const event of await eventsOf(chain, block)) {
          announce(subscriptions.values(), event, send);
        }
      })
      .catch(() => undefined);
  });
  socket.on("close", stop);
  socket.on("error", stop);
  socket.on("message", (data: Buffer) => {
    void receive(chain, String(data), subscriptions, send);
  });
}

function announce(
  subscriptions: Iterable<Subscription>,
  { attributes, data }: Announced,
  send: (body: object) => void,
): void {
  for (const { id, query, conditions } of subscriptions) {
    if (announces(attributes, conditions)) {
      const events = Object.fromEntries(attributes);
      send({ id, result: { query, data, events } });
    }
  }
}

async function receive(
  chain: DualChain,
  message: string,
  subscriptions: Map<string, Subscription>,
  send: (body: object) => void,
): Promise<void> {
  let call: Call | undefined;
  try {
    call = readCall(parseCalls(message));
  } catch (error) {
    send({ error: errorJson(error) });
    return;
  }
  if (call === undefined) return;
  const { id, method, params } = call;
  try {
    switch (method) {
      case "subscribe":
        subscribe(subscriptions, id, queryIn(params));
        break;
      case "unsubscribe":
        if (!subscriptions.delete(keyOf(conditionsOf(queryIn(params))))) {
          throw internalError("subscription not found");
        }
        break;
      case "unsubscribe_all":
        if (subscriptions.size === 0) {
          throw internalError("subscription not found");
        }
        subscriptions.clear();
        break;
      default:
        send(await answerCall(chain, call));
        return;
    }
    send({ id, result: {} });
  } catch (error) {
    send({ id, error: errorJson(error) });
  }
}

/** @throws RpcFault when it is no text */
const queryIn = (params: unknown): string =>
  text(jsonParams({ query: "string" }, params), "query");

/** Two spellings of a query are one subscription. */
const keyOf = (conditions: readonly Condition[]) => JSON.stringify(conditions);

function subscribe(
  subscriptions: Map<string, Subscription>,
  id: unknown,
  query: string,
): void {
  if (subscriptions.size >= MOST) {
    throw internalError(`max_subscriptions_per_client ${MOST} reached`);
  }
  const conditions = conditionsOf(query);
  const key = keyOf(conditions);
  if (subscriptions.has(key)) {
    throw internalError("already subscribed");
  }
  subscriptions.set(key, { id, query, conditions });
}

function conditionsOf(query: string) {
  try {
    return parseSearch(query);
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    const why = error.data ?? "";
    throw internalError(
      why === TOO_LONG ? why : `failed to parse query: ${why}`,
    );
  }
}

/** Returns what a block announces, in a node's order. */
async function eventsOf(
  chain: DualChain,
  block: Block,
): Promise<readonly Announced[]> {
  const transactions = await chain.transactionsAt(block.height);
  const whole = await blockJson(chain, block, transactions);
  const { results, changes } = await finalized(chain, block);
  return [
    ...blockEvent(whole, results),
    headerEvent(whole),
    ...transactions.map(transactionEvent),
    ...(changes.length === 0 ? [] : [validatorsEvent(changes)]),
  ];
}

type BlockJson = Awaited<ReturnType<typeof blockJson>>;
type Results = Awaited<ReturnType<typeof finalized>>["results"];

/** Announces a block, and its events without the rest. */
function blockEvent(
  { block_id, block }: BlockJson,
  results: Results,
): readonly Announced[] {
  const { events } = results;
  const { height } = block.header;
  return [
    {
      attributes: attributesOf(events, { "tm.event": "NewBlock" }),
      data: {
        type: "tendermint/event/NewBlock",
        value: { block, block_id, result_finalize_block: results },
      },
    },
    {
      attributes: attributesOf(events, { "tm.event": "NewBlockEvents" }),
      data: {
        type: "tendermint/event/NewBlockEvents",
        value: { height, events, num_txs: String(block.data.txs.length) },
      },
    },
  ];
}

const validatorsEvent = (
  changes: readonly ConsensusValidator[],
): Announced => ({
  attributes: attributesOf([], { "tm.event": "ValidatorSetUpdates" }),
  data: {
    type: "tendermint/event/ValidatorSetUpdates",
    value: { validator_updates: changes.map(validatorJson) },
  },
});

function headerEvent({ block: { header } }: BlockJson): Announced {
  return {
    attributes: attributesOf([], { "tm.event": "NewBlockHeader" }),
    data: {
      type: "tendermint/event/NewBlockHeader",
      value: { header },
    },
  };
}

/** Leaves out what has its type's zero value, as the event does. */
const withoutZeros = (result: object) =>
  Object.fromEntries(
    Object.entries(result).filter(
      ([, value]) => value !== 0 && value !== "" && value !== null,
    ),
  );

function transactionEvent(record: TransactionRecord): Announced {
  const { tx } = transactionJson(record);
  const { height, index, hash, events } = record;
  return {
    attributes: attributesOf(events, {
      "tm.event": "Tx",
      "tx.height": String(height),
      "tx.hash": hash,
    }),
    data: {
      type: "tendermint/event/Tx",
      value: {
        TxResult: {
          height: String(height),
          ...(index === 0 ? {} : { index }),
          tx,
          result: withoutZeros(resultJson(record)),
        },
      },
    },
  };
}
