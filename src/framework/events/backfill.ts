import { INDEX_RACE } from "../../rpc/methods.js";
import { type RpcProvider, rpcErrorOf } from "../../rpc/provider.js";
import { fromQuantity, toQuantity } from "../../rpc/quantities.js";
import { sleep } from "../../support/async.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { type Head, type Log, toHead, toLog } from "./wire.js";

/** Address and topics of logs, as the node takes them. */
export interface RawFilter {
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
}

export interface BackfillOptions {
  readonly provider: RpcProvider;
  readonly network: string;
  /** The most blocks to ask for at once; nodes of this kind allow 10,000. */
  readonly maxRange?: bigint;
  /** Milliseconds for which a request is retried. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_RANGE = 1_000n;
const DEFAULT_PATIENCE_MS = 60_000;
// A new block is indexed after some milliseconds.
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 2_000;

const BLOCK_NOT_READY =
  /invalid block range|failed to fetch header|block not found|header not found|tx not found|unknown block/i;
const TOO_MUCH =
  /blocks distance|query returned more than|too many (?:results|logs)|response size|limit exceeded|range (?:is )?too (?:large|wide)|more than \d+ KiB/i;

/** Fetches over JSON-RPC what subscriptions missed. */
export class Backfill {
  readonly #options: BackfillOptions;
  #range: bigint;

  constructor(options: BackfillOptions) {
    this.#options = options;
    this.#range = options.maxRange ?? DEFAULT_RANGE;
  }

  /** The newest block's number. */
  async head(): Promise<bigint> {
    return await this.#persist("the newest block", async () =>
      fromQuantity(
        await this.#options.provider.request({
          method: "eth_blockNumber",
          params: [],
        }),
        "the newest block",
      ),
    );
  }

  async block(number: bigint): Promise<Head> {
    return await this.#persist(`block ${number}`, async () =>
      // Null until the block is indexed, so it is asked for again.
      toHead(
        await this.#options.provider.request({
          method: "eth_getBlockByNumber",
          params: [toQuantity(number), false],
        }),
      ),
    );
  }

  /**
   * Logs from one block on, up to at most another, in the chain's order.
   *
   * @returns the logs, and the last block for which they are complete
   * @throws DualstackError if the node does not answer in spite of retries
   */
  async logs(
    filter: RawFilter,
    from: bigint,
    to: bigint,
  ): Promise<{ readonly logs: readonly Log[]; readonly upTo: bigint }> {
    for (;;) {
      // Nodes of this kind take block 0 for the newest one.
      const first = from < 1n ? 1n : from;
      const last =
        to < first + this.#range - 1n ? to : first + this.#range - 1n;
      if (last < first) {
        return { logs: [], upTo: to };
      }
      try {
        return { logs: await this.#logs(filter, first, last), upTo: last };
      } catch (error) {
        if (!TOO_MUCH.test(errorText(error)) || last === first) {
          throw error;
        }
        this.#range = (last - first + 1n) / 2n;
      }
    }
  }

  async #logs(
    filter: RawFilter,
    from: bigint,
    to: bigint,
  ): Promise<readonly Log[]> {
    return await this.#persist(
      `the logs of blocks ${from} to ${to}`,
      async () => {
        const answer = await this.#options.provider.request({
          method: "eth_getLogs",
          params: [
            { ...filter, fromBlock: toQuantity(from), toBlock: toQuantity(to) },
          ],
        });
        if (!Array.isArray(answer)) {
          throw new DualstackError(
            "the node answered eth_getLogs without a list",
          );
        }
        return answer
          .map(toLog)
          .sort((a, b) =>
            a.blockNumber === b.blockNumber
              ? a.transactionIndex - b.transactionIndex ||
                a.logIndex - b.logIndex
              : a.blockNumber < b.blockNumber
                ? -1
                : 1,
          );
      },
    );
  }

  // Retries failures that may pass: at once for an index that is not there yet,
  // after growing waits for a node that cannot be reached.
  async #persist<T>(what: string, ask: () => Promise<T>): Promise<T> {
    const { network, signal, patienceMs = DEFAULT_PATIENCE_MS } = this.#options;
    const end = Date.now() + patienceMs;
    for (
      let wait = FIRST_WAIT_MS;
      ;
      wait = Math.min(LONGEST_WAIT_MS, wait * 2)
    ) {
      signal?.throwIfAborted();
      try {
        return await ask();
      } catch (error) {
        if (!passes(error) || Date.now() + wait > end) {
          throw new DualstackError(
            `events were missed and ${what} cannot be fetched: ${errorText(error, 200)}`,
            { network, cause: error },
          );
        }
      }
      await sleep(wait, signal);
    }
  }
}

function passes(error: unknown): boolean {
  const text = errorText(error);
  if (TOO_MUCH.test(text)) {
    return false;
  }
  if (INDEX_RACE.test(text) || BLOCK_NOT_READY.test(text)) {
    return true;
  }
  const code = rpcErrorOf(error)?.code;
  // A refusal of the request itself stays; failures of the transport or inside
  // the node may pass.
  return (
    code === undefined ||
    (code !== 3 && code !== -32600 && code !== -32601 && code !== -32602)
  );
}
