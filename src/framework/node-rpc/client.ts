import type { Comet38Client, comet38 } from "@cosmjs/tendermint-rpc";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";

import type { ChainFacts } from "../../chain/facts.js";
import { sleep } from "../../support/async.js";
import { FrameworkError, refusal } from "../errors.js";
import { type QueryOptions, type Rpc, serviceName } from "../services.js";
import type { FrameworkSender, SenderOptions } from "./sender.js";
import { checkTransaction, transactionHash } from "./transaction.js";
import {
  CometTransport,
  type CometTransportOptions,
  NODE_RPC,
} from "./transport.js";

export interface NodeRpcOptions extends CometTransportOptions {
  readonly facts: ChainFacts;
}

/** What a node said of a transaction that was handed to it. */
export interface Broadcast {
  /** Hex, upper case. */
  readonly hash: string;
  /** 0, or why the transaction is refused, in the numbering of `codespace`. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  /** Whether the node had the same bytes before. */
  readonly repeated: boolean;
  /** The block that holds it, for one that was sent before. */
  readonly height?: bigint;
}

/** A framework transaction in a block. */
export interface IncludedTransaction {
  /** Hex, upper case. */
  readonly hash: string;
  readonly height: bigint;
  /** 0 for success, in the numbering of `codespace`. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly {
    readonly type: string;
    readonly attributes: readonly {
      readonly key: string;
      readonly value: string;
    }[];
  }[];
}

/** A value of a module's store, as it lies there. */
export interface StoredValue {
  /** Null where nothing is stored. */
  readonly value: Uint8Array | null;
  readonly height: bigint;
  /** Proof of the value (ICS-23), if it was asked for. */
  readonly proof: NonNullable<comet38.AbciQueryResponse["proof"]> | undefined;
}

/**
 * The node's own RPC. Always CosmJS' client for CometBFT 0.38: nodes of this
 * kind report a version that the library's own choice takes for an older one.
 */
export class NodeRpcClient {
  readonly #options: NodeRpcOptions;
  readonly #transport: CometTransport;
  #client: Promise<Comet38Client> | undefined;

  constructor(options: NodeRpcOptions) {
    this.#options = options;
    this.#transport = new CometTransport(options);
  }

  /** CosmJS' client with all its calls, bounded in time and size. */
  async comet(): Promise<Comet38Client> {
    this.#client ??= (async () => {
      const { Comet38Client } = await import("@cosmjs/tendermint-rpc");
      return Comet38Client.create(this.#transport);
    })();
    return await this.#client;
  }

  async status() {
    return await (await this.comet()).status();
  }

  async block(height?: bigint) {
    return await (await this.comet()).block(toNumber(height));
  }

  async blockResults(height?: bigint) {
    return await (await this.comet()).blockResults(toNumber(height));
  }

  async validators(height?: bigint) {
    return await (await this.comet()).validatorsAll(toNumber(height));
  }

  async transactions(
    query: string,
    page: { page?: number; perPage?: number } = {},
  ) {
    return await (
      await this.comet()
    ).txSearch({ query, page: page.page, per_page: page.perPage });
  }

  /** @throws FrameworkError for a code other than 0 */
  async abciQuery(
    path: string,
    data: Uint8Array,
    options: { readonly height?: bigint; readonly prove?: boolean } = {},
  ): Promise<comet38.AbciQueryResponse> {
    const answer = await (
      await this.comet()
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
        this.#transport.place,
      );
    }
    if (
      options.height !== undefined &&
      options.height !== 0n &&
      answer.height !== Number(options.height)
    ) {
      throw new FrameworkError(
        `${NODE_RPC} answered for height ${answer.height ?? "(none)"} instead of ${options.height}`,
        { ...this.#transport.place, fault: "wrong-height" },
      );
    }
    return answer;
  }

  /** Carries requests of generated query clients over `abci_query`. */
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
   * Reads a module's store by key, for instance `bank`.
   *
   * @throws FrameworkError for a state that the node no longer has, which the
   * node itself reports as success without a value
   */
  async stored(
    store: string,
    key: Uint8Array,
    options: { readonly height?: bigint; readonly prove?: boolean } = {},
  ): Promise<StoredValue> {
    const answer = await this.abciQuery(`/store/${store}/key`, key, options);
    if (answer.value.length === 0 && (answer.log ?? "") !== "") {
      throw refusal(
        NODE_RPC,
        { text: answer.log ?? "" },
        this.#transport.place,
      );
    }
    return {
      value: answer.value.length === 0 ? null : answer.value,
      height: BigInt(answer.height ?? 0),
      proof: answer.proof,
    };
  }

  /**
   * Hands a signed framework transaction to the node, which checks it but does
   * not wait for a block. Bytes that the node has already are looked up.
   *
   * @throws FrameworkError for bytes that are no such transaction, unsent
   */
  async broadcast(tx: Uint8Array): Promise<Broadcast> {
    await checkTransaction(tx);
    const hash = transactionHash(tx);
    try {
      const answer = await (await this.comet()).broadcastTxSync({ tx });
      return {
        hash: bytesToHex(answer.hash).toUpperCase(),
        code: answer.code,
        codespace: answer.codespace ?? "",
        log: answer.log ?? "",
        repeated: false,
      };
    } catch (error) {
      if (
        !(error instanceof FrameworkError) ||
        !/tx already (?:seen|exists)/.test(error.serverText)
      ) {
        throw error;
      }
      const found = await this.transaction(hash);
      return {
        hash,
        code: found?.code ?? 0,
        codespace: found?.codespace ?? "",
        log: found?.log ?? "",
        repeated: true,
        height: found?.height,
      };
    }
  }

  /** A framework transaction by its hash, or null while no block holds it. */
  async transaction(hash: string): Promise<IncludedTransaction | null> {
    const bytes = hashBytes(hash);
    try {
      const { height, result } = await (await this.comet()).tx({ hash: bytes });
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
   * Waits until a block holds a transaction.
   *
   * @throws FrameworkError after `timeoutMs` (default: 60 s); it may still be included
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
    const end = Date.now() + timeoutMs;
    for (;;) {
      const found = await this.transaction(hash);
      if (found !== null) {
        return found;
      }
      if (Date.now() + pollMs > end) {
        throw new FrameworkError(
          `no block held the transaction within ${timeoutMs / 1000} s`,
          {
            ...this.#transport.place,
            transaction: hash,
            fault: "timeout",
            fix: "It may still be included; look it up later before you send it again.",
          },
        );
      }
      await sleep(pollMs, signal);
    }
  }

  /** Signs and sends framework transactions with a key of the network; loads CosmJS' signing. */
  async sender(options: SenderOptions): Promise<FrameworkSender> {
    const { createSender } = await import("./sender.js");
    return await createSender(this, this.#options.facts, options);
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    (await client?.catch(() => undefined))?.disconnect();
  }
}

function toNumber(height: bigint | undefined): number | undefined {
  if (height === undefined) {
    return undefined;
  }
  if (height < 0n || height > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`${height} is not a height`);
  }
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
