import type { WebSocket } from "ws";

import { isRecord } from "../rpc/quantities.js";
import { Queue } from "../support/async.js";
import { cleanText } from "../support/text.js";
import type { Block, DualChain } from "./chain.js";
import { answerEach, answerEvmBody, answerEvmCall } from "./evm-rpc.js";
import type { EvmSide } from "./like-chain.js";

const KINDS = ["newHeads", "logs", "newPendingTransactions"] as const;
type Kind = (typeof KINDS)[number];

interface Subscription {
  readonly kind: Kind;
  readonly filter: LogFilter;
}

interface LogFilter {
  readonly address?: unknown;
  readonly topics?: unknown;
}

/** Most subscriptions of one client. */
const MOST = 1_000;

const lower = (value: unknown) => String(value).toLowerCase();
const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null
    ? []
    : Array.isArray(value)
      ? value
      : [value];

function matches(log: Record<string, unknown>, filter: LogFilter): boolean {
  const addresses = listOf(filter.address).map(lower);
  const topics = listOf(log["topics"]);
  return (
    (addresses.length === 0 || addresses.includes(lower(log["address"]))) &&
    listOf(filter.topics).every((wanted, i) => {
      const options = listOf(wanted).map(lower);
      return options.length === 0 || options.includes(lower(topics[i]));
    })
  );
}

/**
 * Returns the header that `newHeads` announces: the block without its
 * transactions.
 */
function headOf({ evm }: Block): object {
  const { transactions: _, uncles: __, size: ___, ...head } = evm;
  return head;
}

/** Serves a WebSocket client of the EVM: calls, and `eth_subscribe`. */
export function serveEvmSocket(
  chain: DualChain,
  evm: EvmSide,
  socket: WebSocket,
): void {
  const subscriptions = new Map<string, Subscription>();
  let ids = 0;
  /** A real node answers the requests of a connection one after another. */
  const turns = new Queue();
  const send = (body: object) => {
    if (socket.readyState === socket.OPEN) {
      socket.send(JSON.stringify(body));
    }
  };
  const notify = (subscription: string, result: unknown) => {
    send({
      jsonrpc: "2.0",
      method: "eth_subscription",
      params: { subscription, result },
    });
  };
  const of = (kind: Kind) =>
    [...subscriptions].filter(([, subscription]) => subscription.kind === kind);
  let last = Promise.resolve();
  const stopBlocks = chain.onBlock((block) => {
    if (subscriptions.size === 0) return;
    last = last
      .then(async () => {
        for (const [id] of of("newHeads")) notify(id, headOf(block));
        const interested = of("logs");
        if (interested.length === 0) return;
        for (const log of await logsOf(chain, block)) {
          for (const [id, { filter }] of interested) {
            if (matches(log, filter)) notify(id, log);
          }
        }
      })
      .catch(() => undefined);
  });
  const stopPending = chain.onPending((hash) => {
    for (const [id] of of("newPendingTransactions")) notify(id, hash);
  });
  const stop = () => {
    stopBlocks();
    stopPending();
    subscriptions.clear();
  };
  socket.on("close", stop);
  socket.on("error", stop);

  const subscribe = (params: unknown): string => {
    const kind = nameIn(params);
    const [, filter] = listOf(params);
    const found = KINDS.find((name) => name === kind);
    if (found === undefined) {
      throw new SocketFault(
        -32600,
        kind === "syncing"
          ? "syncing subscription is not implemented"
          : `unsupported method ${kind.slice(0, 60)}`,
      );
    }
    const isFilter =
      filter === undefined || filter === null || isRecord(filter);
    if (found === "logs" && !isFilter) {
      throw new SocketFault(-32600, "invalid criteria");
    }
    if (subscriptions.size >= MOST) {
      throw new SocketFault(-32000, `at most ${MOST} subscriptions`);
    }
    const id = `0x${(++ids).toString(16).padStart(32, "0")}`;
    subscriptions.set(id, {
      kind: found,
      filter: isRecord(filter) ? filter : {},
    });
    return id;
  };

  const own = (call: unknown): object | undefined => {
    const { id: given = null, method, params } = isRecord(call) ? call : {};
    // A real node reads the ID as a number, and answers null for it when it
    // refuses.
    const id = evm.isLikeChain ? Number(given) : given;
    try {
      switch (method) {
        case "eth_subscribe":
          return { jsonrpc: "2.0", id, result: subscribe(params) };
        case "eth_unsubscribe":
          return {
            jsonrpc: "2.0",
            id,
            result: subscriptions.delete(nameIn(params)),
          };
        default:
          return undefined;
      }
    } catch (error) {
      if (!(error instanceof SocketFault)) throw error;
      const { code, message } = error;
      return {
        jsonrpc: "2.0",
        id: evm.isLikeChain ? null : id,
        error: { code, message },
      };
    }
  };

  socket.on("message", (data: Buffer) => {
    const text = String(data);
    let call: unknown;
    try {
      call = JSON.parse(text);
    } catch {
      call = undefined;
    }
    const answer = async () => {
      const refused = evm.isLikeChain ? refuse(text, call) : undefined;
      if (refused !== undefined) return refused;
      return isRecord(call) || Array.isArray(call)
        ? await answerAll(evm, call, own)
        : await answerEvmBody(evm, text);
    };
    const answered = evm.isLikeChain ? turns.run(answer) : answer();
    answered.then(send, () => {
      socket.terminate();
    });
  });
}

class SocketFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

async function answerAll(
  evm: EvmSide,
  call: unknown,
  own: (call: unknown) => object | undefined,
): Promise<object> {
  const isBatch = evm.isLikeChain && Array.isArray(call);
  const one = async (single: unknown) =>
    (isBatch ? noSubscription(single) : own(single)) ??
    (await answerEvmCall(evm, single));
  return Array.isArray(call)
    ? await answerEach(evm, call, one)
    : await one(call);
}

/**
 * Reads the first parameter, a string.
 *
 * @throws SocketFault when it is missing or not a string
 */
function nameIn(params: unknown): string {
  if (Array.isArray(params) && params.length === 0) {
    throw new SocketFault(-32600, "empty parameters");
  }
  const name: unknown = Array.isArray(params) ? params[0] : undefined;
  if (typeof name !== "string") {
    throw new SocketFault(-32600, "invalid parameters");
  }
  return name;
}

const refusal = (message: string, id: unknown = null) => ({
  jsonrpc: "2.0",
  error: { code: -32600, message },
  id,
});

/**
 * Returns the Go type by which a real node reports an ID that is not a number.
 */
const typeName = (id: unknown): string =>
  id === undefined || id === null
    ? "<nil>"
    : Array.isArray(id)
      ? "[]interface {}"
      : typeof id === "object"
        ? "map[string]interface {}"
        : typeof id === "boolean"
          ? "bool"
          : typeof id;

/** Returns a real node's error for a text that is not JSON. */
function unreadable(text: string): string {
  const [first = ""] = text.trimStart();
  return /^[-{["\dtfn]?$/.test(first)
    ? "unexpected end of JSON input"
    : `invalid character '${cleanText(first, 1)}' looking for beginning of value`;
}

/**
 * Returns a real node's refusal of a malformed call; `undefined` when the call
 * is answered. IDs must be numbers, also as strings.
 *
 * @param call `undefined` when the text is not JSON
 */
function refuse(text: string, call: unknown): object | undefined {
  if (call === undefined) return refusal(unreadable(text));
  if (Array.isArray(call)) {
    return call.length === 0 ? refusal("empty batch") : undefined;
  }
  if (call === null) return undefined;
  if (!isRecord(call)) {
    return refusal(
      `json: cannot unmarshal ${typeof call} into Go value of type map[string]interface {}`,
    );
  }
  const { id, jsonrpc, method } = call;
  if (jsonrpc !== "2.0" || typeof method !== "string") {
    return refusal("invalid request", id);
  }
  const isNumber =
    typeof id === "number" || (typeof id === "string" && /^\d+$/.test(id));
  return isNumber
    ? undefined
    : refusal(`invalid type for connection ID: ${typeName(id)}`);
}

/** Returns a real node's refusal of `eth_subscribe` in a batch. */
function noSubscription(call: unknown): object | undefined {
  const { id = null, method } = isRecord(call) ? call : {};
  return method === "eth_subscribe"
    ? {
        jsonrpc: "2.0",
        id,
        error: { code: -32601, message: "notifications not supported" },
      }
    : undefined;
}

async function logsOf(
  chain: DualChain,
  { hash }: Block,
): Promise<readonly Record<string, unknown>[]> {
  const logs = await chain.request({
    method: "eth_getLogs",
    params: [{ blockHash: hash }],
  });
  return Array.isArray(logs) ? logs.filter(isRecord) : [];
}
