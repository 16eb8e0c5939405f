import { sleep } from "../support/async.js";
import {
  BLOCK_POSITION,
  INDEX_RACE,
  isRead,
  NO_BLOCK,
  STARTING,
} from "./methods.js";
import type { Ask, Exchange, Layer, Next } from "./pipeline.js";
import { RpcError, rpcErrorOf } from "./provider.js";
import { TransportError } from "./transport-error.js";

const RETRY_WAITS_MS = [100, 300, 900];
/**
 * Milliseconds after the first try within which another may begin: a node that
 * hangs takes its time for each.
 */
const RETRY_FOR_MS = 15_000;
/** Milliseconds between tries while a node is away that answered before. */
const OUTAGE_WAIT_MS = 2_000;
/** Milliseconds that such a node may be away. */
const OUTAGE_MS = 32_000;
const LIMIT_EXCEEDED = -32005;
const NEWEST = new Set<unknown>(["latest", "pending", "finalized", "safe"]);

/** What reads know about the node. */
export interface Outages {
  /** Whether it has ever answered; one that never did is not waited for. */
  readonly wasThere: () => boolean;
  /** Milliseconds that one request may take; a node that is away is not waited for any longer. */
  readonly timeoutMs?: number;
  /** Called when nothing answers at its address. */
  readonly onAway?: () => void;
}

/** Whether an error means that a node is away or starting, and worth waiting for. */
function isOutage(error: unknown): boolean {
  return error instanceof TransportError
    ? error.fault === "lost" || error.fault === "unreachable"
    : STARTING.test(rpcErrorOf(error)?.message ?? "");
}

/** Whether a failed read is worth another try. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TransportError) {
    // Requests that failed with "busy" have been retried already, as late as
    // the server asked.
    return error.fault === "lost" || error.fault === "unreachable";
  }
  const rpc = rpcErrorOf(error);
  return (
    rpc !== undefined &&
    rpc.code !== 3 &&
    (rpc.code === LIMIT_EXCEEDED ||
      INDEX_RACE.test(rpc.message) ||
      STARTING.test(rpc.message))
  );
}

/**
 * Reads that get through: rewrites what a node of this kind refuses or
 * misunderstands, and retries failures that pass.
 */
export class Reads implements Layer {
  readonly #ask: Ask;
  readonly #outages: Outages;

  constructor(ask: Ask, outages: Outages) {
    this.#ask = ask;
    this.#outages = outages;
  }

  async handle(exchange: Exchange, next: Next): Promise<unknown> {
    if (!isRead(exchange.method)) {
      return await next(exchange);
    }
    const read = {
      method: exchange.method,
      params: adapt(exchange.method, exchange.params),
    };
    const started = Date.now();
    try {
      return await answered(read, next(read));
    } catch (error) {
      return await this.#again(read, error, started);
    }
  }

  async #again(
    { method, params }: Exchange,
    first: unknown,
    started: number,
  ): Promise<unknown> {
    let error = first;
    for (let i = 0; isPassing(error); i++) {
      if (error instanceof TransportError && error.fault === "unreachable") {
        this.#outages.onAway?.();
      }
      const wait = this.#wait(i, error, Date.now() - started);
      if (wait === undefined) {
        break;
      }
      await sleep(wait);
      try {
        return await answered({ method, params }, this.#ask(method, params));
      } catch (newer) {
        error = newer;
      }
    }
    throw error;
  }

  /** Milliseconds until the next try; `undefined` if there is none. */
  #wait(round: number, error: unknown, passedMs: number): number | undefined {
    const wait = RETRY_WAITS_MS[round];
    if (wait !== undefined && passedMs <= RETRY_FOR_MS) {
      return wait;
    }
    const { wasThere, timeoutMs = OUTAGE_MS } = this.#outages;
    return isOutage(error) &&
      (wasThere() || !(error instanceof TransportError)) &&
      passedMs + OUTAGE_WAIT_MS <= Math.min(OUTAGE_MS, timeoutMs)
      ? OUTAGE_WAIT_MS
      : undefined;
  }
}

/** Asks as `Reads` does, for the requests of other layers. */
export function retrying(ask: Ask, outages: Outages): Ask {
  const reads = new Reads(ask, outages);
  return async (method, params = []) =>
    await reads.handle({ method, params }, (x) => ask(x.method, x.params));
}

/**
 * A node that starts has no newest block for some seconds. It answers `null`, or
 * as for the number of a block that it does not have.
 */
async function answered(
  { method, params }: Exchange,
  answer: Promise<unknown>,
): Promise<unknown> {
  const isBlock = method === "eth_getBlockByNumber";
  const position = isBlock ? 0 : BLOCK_POSITION[method];
  if (position === undefined || !NEWEST.has(params[position])) {
    return await answer;
  }
  let cause: unknown;
  try {
    const found = await answer;
    // A node need not have a block that is pending, final or safe.
    if (!isBlock || params[0] !== "latest" || found !== null) {
      return found;
    }
  } catch (error) {
    if (rpcErrorOf(error)?.message !== "header not found") {
      throw error;
    }
    cause = error;
  }
  throw new RpcError(NO_BLOCK, -32000, undefined, { cause });
}

function adapt(method: string, params: unknown[]): unknown[] {
  const position = BLOCK_POSITION[method];
  if (position !== undefined && params.length >= position) {
    const block = params[position];
    // The node refuses `safe` there, and a read without a block. Blocks are
    // final at once on this chain: safe, finalized and latest are the same.
    if (block === undefined || block === null || block === "safe") {
      return params.toSpliced(position, 1, "latest");
    }
  }
  if (method === "eth_getLogs") {
    const [filter] = params;
    // The node takes block 0 for the newest one, whose logs would come twice.
    if (
      typeof filter === "object" &&
      filter !== null &&
      "fromBlock" in filter &&
      filter.fromBlock === "0x0"
    ) {
      return [{ ...filter, fromBlock: "0x1" }];
    }
  }
  return params;
}
