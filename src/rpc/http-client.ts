import type { ErrorPlace } from "../support/errors.js";
import { DualstackError } from "../support/errors.js";
import {
  DEFAULT_LIMITS,
  httpExchange,
  type HttpLimits,
  shownUrl,
} from "../support/http.js";
import { cleanText } from "../support/text.js";
import { isPassing, Retrying, type RetryOptions } from "../support/retry.js";
import {
  BatchRefused,
  errorOf,
  isAnswer,
  type RpcAnswer,
  readAnswer,
} from "./http-answer.js";
import { INDEX_RACE, isRead, STARTING } from "./methods.js";
import {
  RpcError,
  rpcErrorOf,
  type RpcProvider,
  type RpcRequest,
} from "./provider.js";

/** The answer to one call of a batch. */
export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError };

/** A provider that answers many calls at once. */
export interface BatchProvider extends RpcProvider {
  /** The answers in the order of the calls; an error of one call does not affect the others. */
  batch(requests: readonly RpcRequest[]): Promise<RpcOutcome[]>;
}

export interface HttpClientOptions extends Partial<HttpLimits>, RetryOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The network's name, for errors. */
  readonly network?: string;
  /** Calls per HTTP request; default: 100. */
  readonly batchSize?: number;
  readonly signal?: AbortSignal;
}

/** Milliseconds: nodes of this kind hold back the answer for a missing receipt for 30 s. */
const RECEIPT_TIMEOUT_MS = 35_000;
const INDEX_WAIT_MS = 50;
const REQUESTS_AT_ONCE = 8;
/** Calls under way in batches that the server wants to be small. */
const BATCHED_CALLS_AT_ONCE = 100;
const LIMIT_EXCEEDED = -32005;
const INTERNAL_ERROR = -32603;
const BATCH_TOO_LARGE =
  /batch.*(?:too large|limit|size|exceed)|too many.*batch/i;
/** Node RPCs name their limit: "batch request exceeds maximum (10) allowed …". */
const MOST_OF_BATCH = /maximum \((\d{1,6})\)/;

interface Call {
  readonly jsonrpc: "2.0";
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * JSON-RPC over HTTP, bounded in time and size. Reads are retried while the
 * server is unreachable, slow, overloaded or has not indexed a block yet;
 * anything that may change state is sent once.
 *
 * @example
 * const client = new HttpClient({ url: "https://node.example/evm" });
 * await client.request({ method: "eth_blockNumber" }); // "0x10"
 */
export class HttpClient implements BatchProvider {
  readonly #options: HttpClientOptions;
  readonly #place: ErrorPlace;
  readonly #retrying: Retrying;
  #batchSize: number;
  #nextId = 1;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#place = {
      network: options.network,
      endpoint: shownUrl(options.url),
    };
    this.#retrying = new Retrying(options, {
      passes: (error) =>
        isPassing(error) || (error instanceof RpcError && passes(error)),
      backoffMs: (error) =>
        error instanceof RpcError && INDEX_RACE.test(error.message)
          ? INDEX_WAIT_MS
          : undefined,
    });
    this.#batchSize = Math.max(1, options.batchSize ?? 100);
  }

  /**
   * @throws RpcError for an error answered by the node
   * @throws DualstackError if there is no answer, or it is not JSON-RPC
   */
  async request(request: RpcRequest): Promise<unknown> {
    const call = this.#call(request);
    return await this.#asking(isRead(request.method), async () => {
      const answer = await this.#exchange(call);
      // A node that cannot parse the request answers with an error without an id.
      const ours =
        isAnswer(answer) &&
        (answer.id === call.id ||
          ((answer.id ?? null) === null && answer.error));
      if (!ours) {
        throw new DualstackError(
          "the node answered a request that it was not sent",
          this.#place,
        );
      }
      const error = errorOf(answer, this.#place);
      if (error === undefined) {
        return answer.result;
      }
      throw error;
    });
  }

  /** @throws DualstackError if there is no answer, or it is not JSON-RPC */
  async batch(requests: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    while (outcomes.length < requests.length) {
      const rest = requests.slice(outcomes.length);
      const size = this.#batchSize;
      if (size === 1 || rest.length === 1) {
        outcomes.push(...(await this.#singly(rest)));
        continue;
      }
      const atOnce = Math.min(
        REQUESTS_AT_ONCE,
        Math.max(1, Math.floor(BATCHED_CALLS_AT_ONCE / size)),
      );
      const parts: Promise<RpcOutcome[]>[] = [];
      for (let at = 0; at < rest.length && parts.length < atOnce; at += size) {
        parts.push(this.#together(rest.slice(at, at + size)));
      }
      outcomes.push(...(await Promise.all(parts)).flat());
    }
    return outcomes;
  }

  async #together(requests: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    const calls = requests.map((request) => this.#call(request));
    let answers: readonly RpcAnswer[];
    try {
      answers = await this.#asking(
        requests.every(({ method }) => isRead(method)),
        async () => this.#batchAnswers(calls, await this.#exchange(calls)),
      );
    } catch (error) {
      if (!(error instanceof BatchRefused)) {
        throw error;
      }
      const { tooLarge, most = Infinity } = error;
      const smaller = most < calls.length ? most : Math.floor(calls.length / 2);
      this.#batchSize = tooLarge ? Math.max(1, smaller) : 1;
      return await this.batch(requests);
    }
    const byId = new Map(answers.map((answer) => [answer.id, answer]));
    const outcomes = calls.map(({ id }) => this.#outcome(byId.get(id)));
    // Calls that failed temporarily are retried on their own.
    const again = calls.flatMap(({ id, method }, index) => {
      const outcome = outcomes[index];
      const passing =
        outcome?.ok === false && (!byId.has(id) || passes(outcome.error));
      return passing && isRead(method) ? [index] : [];
    });
    const repeated = await this.#singly(
      again.flatMap((index) => requests[index] ?? []),
    );
    for (const [position, outcome] of repeated.entries()) {
      outcomes[again[position] ?? -1] = outcome;
    }
    return outcomes;
  }

  // Instead of answers there may be one error for the whole batch, on its own
  // or in a list.
  #batchAnswers(
    calls: readonly Call[],
    answer: RpcAnswer | readonly unknown[],
  ): readonly RpcAnswer[] {
    const answers = (isAnswer(answer) ? [answer] : answer).filter(isAnswer);
    const [first] = answers;
    if (calls.length > 1 && answers.length === 1 && first !== undefined) {
      const error = errorOf(first, this.#place);
      if (error !== undefined) {
        if (passes(error)) {
          throw error;
        }
        const told = `${error.message} ${cleanText(error.data ?? "")}`;
        const [, most] = MOST_OF_BATCH.exec(told) ?? [];
        throw new BatchRefused(
          BATCH_TOO_LARGE.test(told),
          most === undefined ? undefined : Number(most),
        );
      }
    }
    return answers;
  }

  #outcome(answer: RpcAnswer | undefined): RpcOutcome {
    const error =
      answer === undefined
        ? new RpcError(
            "the node left this call of a batch unanswered",
            INTERNAL_ERROR,
            undefined,
            this.#place,
          )
        : errorOf(answer, this.#place);
    return error === undefined
      ? { ok: true, result: answer?.result }
      : { ok: false, error };
  }

  async #singly(requests: readonly RpcRequest[]): Promise<RpcOutcome[]> {
    const outcomes: RpcOutcome[] = [];
    for (let at = 0; at < requests.length; at += REQUESTS_AT_ONCE) {
      const part = requests.slice(at, at + REQUESTS_AT_ONCE);
      outcomes.push(
        ...(await Promise.all(
          part.map(async (request) => await outcomeOf(this, request)),
        )),
      );
    }
    return outcomes;
  }

  #call(request: RpcRequest): Call {
    return {
      jsonrpc: "2.0",
      id: this.#nextId++,
      method: request.method,
      params: request.params ?? [],
    };
  }

  async #asking<T>(mayRepeat: boolean, task: () => Promise<T>): Promise<T> {
    const { signal } = this.#options;
    return mayRepeat
      ? await this.#retrying.run(task, { signal })
      : await task();
  }

  async #exchange(
    body: Call | readonly Call[],
  ): Promise<RpcAnswer | readonly unknown[]> {
    const { url, headers, network, maxBytes, signal } = this.#options;
    const calls = "method" in body ? [body] : body;
    const waits = calls.some(
      ({ method }) => method === "eth_getTransactionReceipt",
    );
    const answer = await httpExchange({
      url,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      name: "the node",
      network,
      timeoutMs:
        this.#options.timeoutMs ??
        (waits ? RECEIPT_TIMEOUT_MS : DEFAULT_LIMITS.timeoutMs),
      maxBytes,
      signal,
    });
    return readAnswer(answer, calls.length > 1, this.#place);
  }
}

/**
 * Lets a provider of single requests answer batches: for networks in this
 * process, where a round trip costs nothing.
 */
export function batchBySingleRequests(provider: RpcProvider): BatchProvider {
  return {
    request: async (request) => await provider.request(request),
    batch: async (requests) =>
      await Promise.all(
        requests.map(async (request) => await outcomeOf(provider, request)),
      ),
  };
}

/** The outcome of one call: an answer or the node's error; anything else is thrown. */
async function outcomeOf(
  provider: RpcProvider,
  request: RpcRequest,
): Promise<RpcOutcome> {
  try {
    return { ok: true, result: await provider.request(request) };
  } catch (error) {
    if (error instanceof RpcError) {
      return { ok: false, error };
    }
    const foreign = rpcErrorOf(error);
    if (foreign === undefined) {
      throw error;
    }
    const { message, code, data } = foreign;
    return {
      ok: false,
      error: new RpcError(message, code, data, { cause: error }),
    };
  }
}

function passes(error: RpcError): boolean {
  return (
    error.code === LIMIT_EXCEEDED ||
    INDEX_RACE.test(error.message) ||
    STARTING.test(error.message)
  );
}
