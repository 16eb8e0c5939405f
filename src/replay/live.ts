import type { NetworkDescription } from "../config/network-description.js";
import { unreadable } from "../live-state/unreadable.js";
import type { BatchProvider, RpcOutcome } from "../rpc/http-client.js";
import type { RpcRequest } from "../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import { explainMissing } from "../sending/explain-missing.js";
import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { shownUrl } from "../support/http.js";
import type { Log } from "../localnet/foresight/trace.js";
import { othersBefore } from "./others.js";
import { type Executed, executedBy } from "./returned.js";

/** A signed transaction as JSON-RPC returns it. */
export type TransactionFields = Readonly<Record<string, unknown>>;

/** A block of the live network with its transactions. */
export interface LiveBlock {
  readonly number: bigint;
  readonly hash: string;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Base units. */
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  readonly coinbase: string;
  readonly transactions: readonly TransactionFields[];
  /**
   * Whether each transaction succeeded; absent if the node does not offer that.
   */
  readonly statuses?: readonly boolean[];
}

/** The outcome of a transaction on the live network. */
export interface LiveOutcome {
  readonly success: boolean;
  /** Gas that was charged. */
  readonly gasUsed: bigint;
  readonly logs: readonly Required<Log>[];
  readonly contractAddress?: string;
  /** What the node RPC recorded, or why that is not known. */
  readonly executed: Executed | { readonly unknown: string };
}

/** A transaction of the live network with its block and outcome. */
export interface LiveTransaction {
  readonly block: LiveBlock;
  /** Index in the block. */
  readonly index: number;
  readonly fields: TransactionFields;
  readonly outcome: LiveOutcome;
  /**
   * Transactions before it in the block that are none of the EVM's block, by
   * their messages; absent if the node RPC does not tell.
   */
  readonly others?: readonly string[];
}

/** How a {@link LiveChain} is reached. */
export interface LiveChainOptions {
  readonly network: NetworkDescription;
  readonly provider: BatchProvider;
  /** HTTP headers of requests to the network's nodes. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads from the live network what a replay needs. */
export class LiveChain {
  readonly #options: LiveChainOptions;

  constructor(options: LiveChainOptions) {
    this.#options = options;
  }

  get network(): NetworkDescription {
    return this.#options.network;
  }

  /** The EVM endpoint. */
  get provider(): BatchProvider {
    return this.#options.provider;
  }

  /**
   * Returns a transaction with its block and outcome.
   *
   * @throws DualstackError when it is unknown or pending, or when the node no
   * longer has the state before it
   */
  async transaction(hash: string): Promise<LiveTransaction> {
    const { provider } = this.#options;
    const found = await provider.request({
      method: "eth_getTransactionByHash",
      params: [hash],
    });
    if (!isRecord(found)) throw await this.#unknown(hash);
    if (typeof found.blockNumber !== "string") {
      throw new DualstackError("the transaction is still pending", {
        transaction: hash,
        network: this.network.name,
        fix: "Trace it once it is in a block.",
      });
    }
    const number = fromQuantity(found.blockNumber, "a block's number");
    const executed = this.#executed(hash);
    const asked = this.#others(number, hash);
    const [block, receipt, state, receipts] = await provider.batch([
      request("eth_getBlockByNumber", toQuantity(number), true),
      request("eth_getTransactionReceipt", hash),
      // Fails when the node has pruned the state before it.
      request("eth_getBalance", String(found.from), toQuantity(number - 1n)),
      request("eth_getBlockReceipts", toQuantity(number)),
    ]);
    this.#requireState(state, number - 1n);
    const statuses = statusesIn(receipts);
    const live = {
      ...blockOf(needed(block)),
      ...(statuses === undefined ? {} : { statuses }),
    };
    const index = live.transactions.findIndex(
      (one) => String(one.hash).toLowerCase() === hash,
    );
    const fields = live.transactions[index];
    if (fields === undefined) {
      throw new DualstackError(
        `the node says that the transaction is in block ${number}, but that block does not have it`,
        {
          transaction: hash,
          ...this.#place,
          fix: "Nodes behind a balancer may disagree: try again, or ask one node.",
        },
      );
    }
    const others = await asked;
    return {
      block: live,
      index,
      fields,
      outcome: { ...outcomeOf(needed(receipt)), executed: await executed },
      ...(others === undefined ? {} : { others }),
    };
  }

  /**
   * Returns a block with its transactions; by default the newest.
   *
   * @throws DualstackError when it does not exist yet
   */
  async block(number?: bigint): Promise<LiveBlock> {
    const answer = await this.#options.provider.request(
      request(
        "eth_getBlockByNumber",
        number === undefined ? "latest" : toQuantity(number),
        true,
      ),
    );
    if (!isRecord(answer)) {
      throw new DualstackError(`there is no block ${number ?? ""} yet`, {
        ...this.#place,
      });
    }
    return blockOf(answer);
  }

  get #place(): ErrorPlace {
    const { name, endpoints } = this.network;
    return {
      network: name,
      ...(endpoints.evmUrl === undefined
        ? {}
        : { endpoint: shownUrl(endpoints.evmUrl) }),
    };
  }

  #requireState(state: RpcOutcome | undefined, height: bigint): void {
    if (state?.ok === true) return;
    throw unreadable(
      "the state before the transaction",
      height,
      state?.error,
      this.#place,
    );
  }

  /** Finds out why the EVM endpoint does not know a transaction. */
  async #unknown(hash: string): Promise<DualstackError> {
    const { endpoints, name } = this.network;
    const { nodeRpcUrl } = endpoints;
    let reason: string | undefined;
    try {
      reason = await explainMissing(nodeRpcUrl, hash, this.#options.headers);
    } catch {
      // Without a reason the transaction is just unknown.
    }
    if (reason !== undefined) {
      return new DualstackError(
        `the transaction has no receipt and ran in no block of the EVM: the framework's side of the chain undid it, but its nonce and gas are spent. The node's reason: ${reason}`,
        { transaction: hash, network: name },
      );
    }
    return new DualstackError("the network does not know this transaction", {
      transaction: hash,
      network: name,
      fix:
        nodeRpcUrl === undefined
          ? "Check the hash and --network. Only the node RPC finds transactions that the framework's side undid: set nodeRpcUrl."
          : "Check the hash and --network.",
    });
  }

  async #others(
    height: bigint,
    hash: string,
  ): Promise<readonly string[] | undefined> {
    const { nodeRpcUrl } = this.network.endpoints;
    if (nodeRpcUrl === undefined) return undefined;
    const { headers } = this.#options;
    return await othersBefore(nodeRpcUrl, height, hash, headers).catch(
      () => undefined,
    );
  }

  async #executed(hash: string): Promise<LiveOutcome["executed"]> {
    const { nodeRpcUrl } = this.network.endpoints;
    if (nodeRpcUrl === undefined) {
      return { unknown: "only the node RPC tells it, and none is configured" };
    }
    try {
      return (
        (await executedBy(nodeRpcUrl, hash, this.#options.headers)) ?? {
          unknown: "the node RPC does not tell it",
        }
      );
    } catch {
      return { unknown: "the node RPC does not answer" };
    }
  }
}

const request = (method: string, ...params: unknown[]): RpcRequest => ({
  method,
  params,
});

function needed(answer: RpcOutcome | undefined): Record<string, unknown> {
  if (answer?.ok === false) throw answer.error;
  if (answer === undefined || !isRecord(answer.result)) {
    throw new DualstackError(
      "the node has the transaction, but not its block or receipt",
      { fix: "It may have pruned them: ask an archive node." },
    );
  }
  return answer.result;
}

const statusesIn = (
  receipts: RpcOutcome | undefined,
): readonly boolean[] | undefined =>
  receipts?.ok === true && Array.isArray(receipts.result)
    ? receipts.result.map((one) => isRecord(one) && one.status === "0x1")
    : undefined;

/** Parses a block of a JSON-RPC answer. */
export function blockOf(fields: Record<string, unknown>): LiveBlock {
  const quantity = (name: string) =>
    fromQuantity(fields[name], `a block's ${name}`);
  return {
    number: quantity("number"),
    hash: String(fields.hash),
    timestamp: quantity("timestamp"),
    baseFee: quantity("baseFeePerGas"),
    gasLimit: quantity("gasLimit"),
    coinbase: String(fields.miner),
    transactions: Array.isArray(fields.transactions)
      ? fields.transactions.filter(isRecord)
      : [],
  };
}

/** Parses a receipt of a JSON-RPC answer. */
export function outcomeOf(
  receipt: Record<string, unknown>,
): Omit<LiveOutcome, "executed"> {
  const logs = Array.isArray(receipt.logs) ? receipt.logs.filter(isRecord) : [];
  return {
    success: receipt.status === "0x1",
    gasUsed: fromQuantity(receipt.gasUsed, "a receipt's gas"),
    logs: logs.map(({ address, topics, data }) => ({
      address: String(address).toLowerCase(),
      topics: Array.isArray(topics) ? topics.map(String) : [],
      data: String(data),
    })),
    ...(typeof receipt.contractAddress === "string"
      ? { contractAddress: receipt.contractAddress.toLowerCase() }
      : {}),
  };
}
