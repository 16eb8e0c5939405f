import type { WebSocket } from "ws";

import { isRecord } from "../rpc/quantities.js";
import { Queue } from "../support/async.js";
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

/** Subscriptions that one client may have. */
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

/** The head as subscriptions tell it: without the block's transactions. */
function headOf({ evm }: Block): object {
  const { transactions: _, uncles: __, size: ___, ...head } = evm;
  return head;
}

/** Serves a client of the EVM's WebSocket: calls, and `eth_subscribe`. */
export function serveEvmSocket(
  chain: DualChain,
  evm: EvmSide,
  socket: WebSocket,
): void {
  const subscriptions = new Map<string, Subscription>();
  let ids = 0;
  /** A real node answers one request of a connection after another. */
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

  const subscribe = (params: readonly unknown[]): string => {
    const [kind, filter] = params;
    const found = KINDS.find((name) => name === kind);
    if (found === undefined) {
      throw new SocketFault(
        -32600,
        kind === "syncing"
          ? "syncing subscription is not implemented"
          : `unsupported method ${String(kind).slice(0, 60)}`,
      );
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
    const { id = null, method, params } = isRecord(call) ? call : {};
    const list = listOf(params);
    try {
      switch (method) {
        case "eth_subscribe":
          return { jsonrpc: "2.0", id, result: subscribe(list) };
        case "eth_unsubscribe":
          return {
            jsonrpc: "2.0",
            id,
            result: subscriptions.delete(String(list[0])),
          };
        default:
          return undefined;
      }
    } catch (error) {
      if (!(error instanceof SocketFault)) throw error;
      const { code, message } = error;
      return { jsonrpc: "2.0", id, error: { code, message } };
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
      const wrongId = evm.isLikeChain ? refuseId(call) : undefined;
      if (wrongId !== undefined) return wrongId;
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
  const one = async (single: unknown) =>
    own(single) ?? (await answerEvmCall(evm, single));
  return Array.isArray(call)
    ? await answerEach(evm, call, one)
    : await one(call);
}

/** A real node takes numbers for IDs, also as texts, and answers others with none. */
function refuseId(call: unknown): object | undefined {
  if (!isRecord(call)) return undefined;
  const { id } = call;
  const isNumber =
    typeof id === "number" || (typeof id === "string" && /^\d+$/.test(id));
  return isNumber
    ? undefined
    : {
        jsonrpc: "2.0",
        error: {
          code: -32600,
          message: `invalid type for connection ID: ${id == null ? "<nil>" : typeof id}`,
        },
        id: null,
      };
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
