import type { Comet38Client } from "@cosmjs/tendermint-rpc";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

import type { ChainFacts } from "../../chain/facts.js";
import { sleep } from "../../support/async.js";
import { setBounded } from "../../support/bounded.js";
import { HttpError, shownUrl } from "../../support/http.js";
import { once } from "../../support/once.js";
import type { RetryOptions } from "../../support/retry.js";
import {
  closed,
  FrameworkError,
  heightInFuture,
  reasonOf,
  refusal,
} from "../errors.js";
import { checkHeight } from "../height.js";
import type { Json } from "../json.js";
import { type QueryOptions, type Rpc, serviceName } from "../services.js";
import type {
  NodeBlock,
  NodeBlockResults,
  NodeStatus,
  NodeTransactions,
  NodeValidators,
  QueryAnswer,
  QueryProof,
} from "./answers.js";
import { isLost, isNotOfTheNode, isUnreachable } from "./outcome.js";
import type { FrameworkSender, SenderOptions } from "./sender.js";
import { checkTransaction, transactionHash } from "./transaction.js";
import type {
  Broadcast,
  FindOptions,
  HandedOver,
  IncludedTransaction,
  TransactionNode,
} from "./transactions.js";
import {
  CometTransport,
  type CometTransportOptions,
  NODE_RPC,
} from "./transport.js";
import { OneByOne } from "./turns.js";

export interface NodeRpcOptions extends CometTransportOptions {
  readonly facts: ChainFacts;
}

type Said = Pick<Broadcast, "code" | "codespace" | "log">;

const MAX_SAID = 1_000;

/** A value of a module's store, as raw bytes. */
export interface StoredValue {
  /** Null if nothing is stored under the key. */
  readonly value: Uint8Array | null;
  readonly height: bigint;
  /** Proof of the value (ICS-23), if it was asked for. */
  readonly proof: QueryProof | undefined;
}

/**
 * The node's own RPC. Always uses CosmJS' client for CometBFT 0.38: nodes of
 * this kind report a version that makes the library choose an older one.
 */
export class NodeRpcClient implements TransactionNode {
  readonly #options: NodeRpcOptions;
  /** Retries reads. */
  readonly #patient = once(async () => await this.#connect());
  /** Does not retry: for callers that do so themselves. */
  readonly #impatient = once(async () => await this.#connect({ retries: 0 }));
  /** What the node said about bytes when it saw them first. */
  readonly #said = new Map<string, Said>();
  readonly #turns = new OneByOne();
  readonly #closed = new AbortController();

  constructor(options: NodeRpcOptions) {
    this.#options = options;
  }

  /** The network and the endpoint's address, as errors show them. */
  get place(): { readonly network: string; readonly endpoint: string } {
    const { network, url } = this.#options;
    return { network, endpoint: shownUrl(url) };
  }

  /**
   * Calls any method of the node RPC, including those without a typed method
   * here; returns the node's answer as it is. Bounded in time and size.
   *
   * @example await nodeRpc.request("consensus_params", { height: "5" })
   * @throws FrameworkError for an error answered by the node
   */
  async request(
    method: string,
    params: Readonly<Record<string, string | number | boolean>> = {},
  ): Promise<Json> {
    this.#closed.signal.throwIfAborted();
    const { result } = await this.#transport().execute({
      jsonrpc: "2.0",
      id: 1,
      method,
      params,
    });
    return result;
  }

  async #comet(): Promise<Comet38Client> {
    this.#closed.signal.throwIfAborted();
    return await this.#patient();
  }

  async #connect(retry?: RetryOptions): Promise<Comet38Client> {
    const { Comet38Client } = await import("@cosmjs/tendermint-rpc");
    return Comet38Client.create(this.#transport(retry));
  }

  #transport(retry?: RetryOptions): CometTransport {
    const { signal } = this.#closed;
    const { signal: ended } = this.#options;
    return new CometTransport({
      ...this.#options,
      ...(retry === undefined ? {} : { retry }),
      signal: ended === undefined ? signal : AbortSignal.any([signal, ended]),
    });
  }

  /**
   * The node, its newest block and whether it is catching up.
   *
   * @throws FrameworkError if the node does not answer or refuses
   */
  async status(): Promise<NodeStatus> {
    return await (await this.#comet()).status();
  }

  /**
   * A block; the newest one by default.
   *
   * @throws FrameworkError if the node does not answer, or has no such height
   */
  async block(height?: bigint): Promise<NodeBlock> {
    return await this.#at(height, async (comet, at) => await comet.block(at));
  }

  /**
   * The results of a block's transactions, with their events; of the newest
   * block by default.
   *
   * @throws FrameworkError if the node does not answer, or has no such height
   */
  async blockResults(height?: bigint): Promise<NodeBlockResults> {
    return await this.#at(
      height,
      async (comet, at) => await comet.blockResults(at),
    );
  }

  /**
   * The whole set of validators that signs a block; by default the newest one.
   *
   * @throws FrameworkError if the node does not answer, or has no such height
   */
  async validators(height?: bigint): Promise<NodeValidators> {
    return await this.#at(
      height,
      async (comet, at) => await comet.validatorsAll(at),
    );
  }

  async #at<T>(
    height: bigint | undefined,
    ask: (comet: Comet38Client, height: number | undefined) => Promise<T>,
  ): Promise<T> {
    const at = toNumber(height);
    try {
      return await ask(await this.#comet(), at);
    } catch (error) {
      throw height !== undefined &&
        error instanceof FrameworkError &&
        error.fault === "height-in-future"
        ? heightInFuture(height, this.place, error.serverText)
        : error;
    }
  }

  /**
   * Searches framework transactions by their events, such as `tx.height=5`, one
   * page at a time (30 by default).
   *
   * @throws FrameworkError if the node does not answer or refuses
   */
  async transactions(
    query: string,
    page: { page?: number; perPage?: number } = {},
  ): Promise<NodeTransactions> {
    return await (
      await this.#comet()
    ).txSearch({ query, page: page.page, per_page: page.perPage });
  }

  /**
   * Queries the application by a path; request and answer are bytes.
   *
   * @throws FrameworkError for a code other than 0, or another height than the
   * one asked for
   */
  async abciQuery(
    path: string,
    data: Uint8Array,
    options: { readonly height?: bigint; readonly prove?: boolean } = {},
  ): Promise<QueryAnswer> {
    const answer = await (
      await this.#comet()
    ).abciQuery({
      path,
      data,
      height: toNumber(options.height),
      prove: options.prove ?? false,
    });
    if (answer.code !== undefined && answer.code !== 0) {
      throw refusal(
        NODE_RPC,
        {
          code: answer.code,
          codespace: answer.codespace,
          text: answer.log ?? "",
        },
        this.place,
        this.#options.facts,
        options.height,
      );
    }
    if (
      options.height !== undefined &&
      answer.height !== Number(options.height)
    ) {
      throw new FrameworkError(
        `${NODE_RPC} answered for height ${answer.height ?? "(none)"} instead of ${options.height}`,
        { ...this.place, fault: "wrong-height" },
      );
    }
    return answer;
  }

  /** A transport for generated query clients, over `abci_query`. */
  rpc({ height }: QueryOptions = {}): Rpc {
    return {
      request: async (service, method, data) =>
        (
          await this.abciQuery(
            `/${serviceName(service, this.#options.facts)}/${method}`,
            data,
            { height },
          )
        ).value,
    };
  }

  /**
   * Reads a key in a module's store, such as `bank`.
   *
   * @throws FrameworkError for state that the node no longer has, which the
   * node itself reports as success without a value
   */
  async stored(
    store: string,
    key: Uint8Array,
    options: { readonly height?: bigint; readonly prove?: boolean } = {},
  ): Promise<StoredValue> {
    const answer = await this.abciQuery(`/store/${store}/key`, key, options);
    if (answer.value.length === 0 && (answer.log ?? "") !== "") {
      throw refusal(NODE_RPC, { text: answer.log ?? "" }, this.place);
    }
    return {
      value: answer.value.length === 0 ? null : answer.value,
      height: BigInt(answer.height ?? 0),
      proof: answer.proof,
    };
  }

  /**
   * Submits a signed framework transaction. The node checks it, but does not
   * wait for a block. Bytes that the node has seen before are looked up, since
   * its answer does not tell whether it accepted them.
   *
   * @throws FrameworkError for bytes that are not such a transaction, before
   * they are sent; with the hash and the fault `unknown` if it may or may not
   * have been accepted
   */
  async broadcast(tx: Uint8Array): Promise<Broadcast> {
    let answer: HandedOver;
    try {
      answer = await this.handOver(tx);
    } catch (error) {
      if (isLost(error)) {
        const taken = { code: 0, codespace: "", log: "" };
        setBounded(this.#said, transactionHash(tx), taken, MAX_SAID);
      }
      throw error;
    }
    const { hash } = answer;
    if (!answer.seen) {
      const { code, codespace, log } = answer;
      setBounded(this.#said, hash, { code, codespace, log }, MAX_SAID);
      return { hash, code, codespace, log, repeated: false };
    }
    const found = await this.transaction(hash);
    const said = found ?? this.#said.get(hash);
    if (said === undefined) {
      throw new FrameworkError(
        "the node has seen these bytes before, and no block holds them: they are on their way, or were refused",
        {
          ...this.place,
          transaction: hash,
          fault: "unknown",
          fix: "Wait for it by its hash; if it does not come, sign it again with another memo or fee.",
        },
      );
    }
    const { code, codespace, log } = said;
    return {
      hash,
      code,
      codespace,
      log,
      repeated: true,
      height: found?.height,
    };
  }

  /**
   * Submits a signed framework transaction once, and returns the node's own
   * answer.
   *
   * @throws FrameworkError with the hash and the fault `unknown` if there is no
   * answer, or it is not the node's: the transaction may have been accepted
   */
  async handOver(tx: Uint8Array): Promise<HandedOver> {
    await checkTransaction(tx);
    const hash = transactionHash(tx);
    try {
      const comet = await this.#impatient();
      const { code, codespace, log } = await comet.broadcastTxSync({ tx });
      return {
        hash,
        code,
        codespace: codespace ?? "",
        log: log ?? "",
        seen: false,
      };
    } catch (error) {
      if (
        error instanceof FrameworkError &&
        /tx already (?:seen|exists)/.test(error.serverText)
      ) {
        return { hash, seen: true };
      }
      if (isUnreachable(error) || !isNotOfTheNode(error)) {
        throw error;
      }
      throw new FrameworkError(
        `the node may or may not have accepted the transaction: ${reasonOf(error)}`,
        {
          ...this.place,
          transaction: hash,
          fault: "unknown",
          fix: "Look it up by its hash before you send it again.",
          cause: error,
        },
      );
    }
  }

  /**
   * A framework transaction by its hash, or `null` while no block holds it.
   *
   * @throws FrameworkError if the node does not answer or refuses, or the hash
   * is malformed
   */
  async transaction(hash: string): Promise<IncludedTransaction | null> {
    return await this.#lookUp(await this.#comet(), hash);
  }

  async #lookUp(
    comet: Comet38Client,
    hash: string,
  ): Promise<IncludedTransaction | null> {
    const bytes = hashBytes(hash);
    try {
      const { height, result } = await comet.tx({ hash: bytes });
      return {
        hash: bytesToHex(bytes).toUpperCase(),
        height: BigInt(height),
        code: result.code,
        codespace: result.codespace ?? "",
        log: result.log ?? "",
        gasWanted: result.gasWanted,
        gasUsed: result.gasUsed,
        events: result.events,
      };
    } catch (error) {
      if (error instanceof FrameworkError && error.fault === "not-found") {
        return null;
      }
      throw error;
    }
  }

  /**
   * Waits until a block holds a transaction. Requests that fail meanwhile do
   * not end the wait.
   *
   * @throws FrameworkError after `timeoutMs` (default: 60 s); the transaction
   * may still be included
   */
  async waitFor(
    hash: string,
    options: {
      readonly timeoutMs?: number;
      readonly pollMs?: number;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<IncludedTransaction> {
    const { timeoutMs = 60_000, pollMs = 300, signal } = options;
    let failure: unknown;
    const found = await this.findIncluded([hash], {
      timeoutMs,
      pollMs,
      signal,
      onFailure: (error) => {
        failure = error;
      },
    });
    if (found !== undefined) {
      return found;
    }
    throw new FrameworkError(
      `no block held the transaction within ${timeoutMs / 1000} s${failure === undefined ? "" : `; at last: ${reasonOf(failure)}`}`,
      {
        ...this.place,
        transaction: hash,
        fault: "timeout",
        fix: "It may still be included; look it up later before you send it again.",
        cause: failure,
      },
    );
  }

  /**
   * The first of several transactions that a block holds; `undefined` after
   * `timeoutMs`.
   *
   * @throws FrameworkError if the node refuses a request
   */
  async findIncluded(
    hashes: readonly string[],
    options: FindOptions,
  ): Promise<IncludedTransaction | undefined> {
    const { timeoutMs, pollMs, signal, onFailure } = options;
    const end = Date.now() + timeoutMs;
    for (;;) {
      // The wait that the server asked for.
      let asked = 0;
      for (const hash of hashes) {
        try {
          const found = await this.#lookUp(await this.#impatient(), hash);
          if (found !== null) {
            return found;
          }
        } catch (error) {
          if (!isNotOfTheNode(error)) {
            throw error;
          }
          onFailure?.(error);
          asked = error instanceof HttpError ? (error.waitMs ?? 0) : 0;
        }
      }
      const wait = Math.max(pollMs, asked);
      if (Date.now() + pollMs > end) {
        return undefined;
      }
      await sleep(Math.min(wait, end - Date.now()), this.#until(signal));
    }
  }

  /**
   * Signs and sends framework transactions with a private key that you pass.
   *
   * @throws Error for a private key that is not 32 bytes
   */
  async sender(options: SenderOptions): Promise<FrameworkSender> {
    const { FrameworkSender } = await import("./sender.js");
    return await FrameworkSender.create(this, this.#options.facts, {
      turns: this.#turns,
      ...options,
    });
  }

  /** Aborts requests under way; later ones fail. */
  async close(): Promise<void> {
    this.#closed.abort(closed(NODE_RPC, this.#options.network));
    await Promise.resolve();
  }

  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined
      ? this.#closed.signal
      : AbortSignal.any([this.#closed.signal, signal]);
  }
}

function toNumber(height: bigint | undefined): number | undefined {
  if (height === undefined) {
    return undefined;
  }
  checkHeight(height);
  return Number(height);
}

function hashBytes(hash: string): Uint8Array {
  if (!/^(?:0x)?[0-9a-fA-F]{64}$/.test(hash)) {
    throw new FrameworkError("a transaction's hash has 64 hexadecimal digits", {
      fault: "invalid-request",
    });
  }
  return hexToBytes(hash.replace(/^0x/, ""));
}
