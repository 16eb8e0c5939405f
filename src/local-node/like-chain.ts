import { Transaction } from "ethers";

import { BLOCK_POSITION } from "../rpc/methods.js";
import type { RpcProvider, RpcRequest } from "../rpc/provider.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { Queue, sleep } from "../support/async.js";
import type { DualChain } from "./chain.js";
import { asOnChain, noSuchMethod, refused } from "./like-chain-errors.js";

/** The EVM's JSON-RPC, as the endpoints serve it. */
export interface EvmSide extends RpcProvider {
  /**
   * Whether it imitates the pitfalls of a real node: the calls of a batch or a
   * socket are answered one after another, IDs on sockets are numbers, and web
   * pages cannot open sockets.
   */
  readonly isLikeChain: boolean;
}

/**
 * A receipt is looked for at 50 · (2^k − 1) ms: up to k = UNKNOWN_LOOKS when
 * the transaction is unknown, and until RECEIPT_HOLD_MS when it is pending.
 */
const FIRST_LOOK_MS = 50;
const UNKNOWN_LOOKS = 5;
const RECEIPT_HOLD_MS = 29_900;
/** Milliseconds until the index has a block with transactions. */
const INDEX_LATE_MS = 18;
/**
 * Most transactions of one account that wait for an earlier nonce; further ones
 * are dropped without an error.
 */
const QUEUE_LIMIT = 64;

const CLIENT = "Version dev ()\nCompiled at  using Go go1.26.8 (amd64)";

/** Methods that fail until the index has the newest block. */
const OF_THE_INDEX: ReadonlySet<string> = new Set([
  "eth_getBlockByNumber",
  "eth_getBlockByHash",
  "eth_getBlockReceipts",
  "eth_getLogs",
  "eth_feeHistory",
]);

/** Methods of a simulated network that a real node lacks. */
const LACKING: ReadonlySet<string> = new Set([
  "eth_baseFee",
  "eth_blobBaseFee",
  "eth_coinbase",
  "eth_config",
  "eth_hashrate",
  "eth_mining",
  "eth_signTypedData_v4",
]);

/** Most blocks between the first and the last of a query for logs. */
const MOST_LOG_BLOCKS = 10_000n;
/** Most blocks of a fee history. */
const MOST_FEE_BLOCKS = 100n;
/** Most bytes of a transaction. */
const MOST_BYTES = 131_072;
/** Most parameters of calls: overrides of the block are not supported. */
const MOST_PARAMS: Readonly<Record<string, number>> = {
  eth_call: 3,
  eth_estimateGas: 3,
};

/**
 * The EVM's JSON-RPC with the pitfalls of a real node, so that software meets
 * them early: no pending state, receipts that are held back, a late index,
 * transactions dropped without an error, estimates without the rewards of the
 * next block, and no accounts of its own.
 */
export class LikeChain implements EvmSide {
  readonly isLikeChain = true;
  readonly #chain: DualChain;
  /** Transactions are checked one after another. */
  readonly #pool = new Queue();
  #indexedAt = 0;
  #unindexed: string | undefined;

  constructor(chain: DualChain) {
    this.#chain = chain;
    chain.onBlock(({ evm }) => {
      const { transactions } = evm;
      const [first]: readonly unknown[] = Array.isArray(transactions)
        ? transactions
        : [];
      this.#unindexed = isRecord(first) ? String(first["hash"]) : undefined;
      this.#indexedAt = Date.now() + INDEX_LATE_MS;
    });
  }

  async request({ method, params = [] }: RpcRequest): Promise<unknown> {
    if (LACKING.has(method)) throw noSuchMethod(method);
    if (
      OF_THE_INDEX.has(method) &&
      this.#unindexed !== undefined &&
      Date.now() < this.#indexedAt
    ) {
      const hash = this.#unindexed;
      throw refused(
        `failed to get rpc block from comet block: failed to get receipts from comet block: tx not found: hash=${hash}, error=GetTxByEthHash ${hash}: ethereum tx not found`,
      );
    }
    const most = MOST_PARAMS[method] ?? Infinity;
    if (params.length > most) {
      const message = `too many arguments, want at most ${most}`;
      throw refused(message, -32602);
    }
    const position = BLOCK_POSITION[method];
    if (position !== undefined) {
      await this.#requireBalance(method, params);
      return await this.#ask(method, withoutPending(method, params, position));
    }
    switch (method) {
      case "eth_getBlockByNumber":
        return await this.#ask(
          method,
          params[0] === "pending" ? ["latest", ...params.slice(1)] : params,
        );
      case "eth_getTransactionByHash": {
        const found = await this.#ask(method, params);
        return isRecord(found) && found["blockNumber"] != null ? found : null;
      }
      case "eth_getTransactionReceipt":
        return await this.#receipt(params);
      case "eth_getLogs":
        await this.#requireRange(params[0]);
        return await this.#ask(method, params);
      case "eth_feeHistory":
        requireFewBlocks(params[0]);
        return await this.#ask(method, params);
      case "eth_getFilterChanges":
      case "eth_getFilterLogs": {
        const found = await this.#ask(method, params);
        if (found === null) {
          throw refused(`filter ${String(params[0])} not found`);
        }
        return found;
      }
      case "eth_accounts":
        return [];
      case "eth_sendTransaction":
        throw refused(
          "failed to find key in the node's keyring; no key for given address or file",
        );
      // Sockets answer this themselves.
      case "eth_subscribe":
        throw refused("notifications not supported", -32601);
      case "eth_sign":
      case "personal_sign":
        throw refused("no key for given address or file");
      case "eth_sendRawTransaction":
        return await this.#pool.run(async () => await this.#send(params));
      case "web3_clientVersion":
        return CLIENT;
      default:
        return await this.#ask(method, params);
    }
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await this.#chain.request({ method, params });
    } catch (error) {
      throw asOnChain(method, params, error);
    }
  }

  /**
   * A call can only send what its sender has; a simulated network lends it.
   *
   * @throws RpcError when the sender has less
   */
  async #requireBalance(
    method: string,
    [call, block, overrides]: readonly unknown[],
  ): Promise<void> {
    const value = isRecord(call) ? call["value"] : undefined;
    if (
      !isRecord(call) ||
      MOST_PARAMS[method] === undefined ||
      !isQuantity(value) ||
      BigInt(value) === 0n ||
      (isRecord(overrides) && Object.keys(overrides).length > 0)
    ) {
      return;
    }
    const at = block === undefined || block === "pending" ? "latest" : block;
    const balance = await this.#ask("eth_getBalance", [
      call["from"] ?? `0x${"0".repeat(40)}`,
      at,
    ]);
    if (fromQuantity(balance, "a balance") < BigInt(value)) {
      const kind = method === "eth_call" ? "Internal" : "Unknown";
      throw refused(
        `rpc error: code = ${kind} desc = insufficient balance for transfer`,
      );
    }
  }

  /** @throws RpcError when a query for logs names blocks that are not there */
  async #requireRange(filter: unknown): Promise<void> {
    if (!isRecord(filter) || filter["blockHash"] !== undefined) return;
    const { fromBlock = "latest", toBlock = "latest" } = filter;
    if (fromBlock === "pending" || toBlock === "pending") {
      throw refused("pending logs are not supported");
    }
    const head = this.#chain.height;
    const [from, to] = [fromBlock, toBlock].map((name) =>
      isQuantity(name) ? BigInt(name) : name === "earliest" ? 1n : head,
    );
    if (from === undefined || to === undefined) return;
    if (from > to || to > head) throw refused("invalid block range params");
    if (to - from > MOST_LOG_BLOCKS) {
      throw refused(`maximum [from, to] blocks distance: ${MOST_LOG_BLOCKS}`);
    }
  }

  async #receipt(params: readonly unknown[]): Promise<unknown> {
    const begin = Date.now();
    for (let look = 0; ; look++) {
      const receipt = await this.#ask("eth_getTransactionReceipt", params);
      if (receipt !== null) return receipt;
      const known = await this.#ask("eth_getTransactionByHash", params);
      if (known === null && look >= UNKNOWN_LOOKS) return null;
      const left = begin + RECEIPT_HOLD_MS - Date.now();
      if (left <= 0) throw refused("request timed out", -32002);
      await sleep(Math.min(FIRST_LOOK_MS * 2 ** look, left));
    }
  }

  async #send(params: readonly unknown[]): Promise<unknown> {
    const sent = readTransaction(params[0]);
    const { from, nonce, hash, fee, chainId, size } = sent;
    if (chainId === 0n) {
      throw refused(
        "only replay-protected (EIP-155) transactions allowed over RPC",
      );
    }
    if (size > MOST_BYTES) {
      throw refused(
        `oversized data: transaction size ${size}, limit ${MOST_BYTES}`,
      );
    }
    if (chainId !== BigInt(this.#chain.evmChainId)) {
      throw refused(
        `incorrect chain-id; expected ${this.#chain.evmChainId}, got ${chainId}`,
      );
    }
    // It would wait for ever.
    const least = await this.#chain.nextBaseFee();
    if (fee < least) {
      throw refused(
        `inserting tx: max fee per gas (${fee}) is lower than the base fee (${least}): insufficient fee`,
      );
    }
    const committed = fromQuantity(
      await this.#ask("eth_getTransactionCount", [from, "latest"]),
      "a nonce",
    );
    if (nonce < committed) {
      throw refused(
        `nonce too low: next nonce ${committed}, tx nonce ${nonce}`,
      );
    }
    const waiting = await this.#waitingOf(from);
    const same = waiting.get(nonce);
    if (same !== undefined) {
      if (same.hash === hash) throw refused("already known");
      if (!raises(sent, same)) {
        throw refused("replacement transaction underpriced");
      }
    }
    let next = committed;
    while (waiting.has(next)) next++;
    const queued = [...waiting.keys()].filter((one) => one > next).length;
    return same === undefined && nonce > next && queued >= QUEUE_LIMIT
      ? hash
      : await this.#ask("eth_sendRawTransaction", params);
  }

  /** Returns an account's pending transactions by nonce. */
  async #waitingOf(from: string): Promise<ReadonlyMap<bigint, Waiting>> {
    const all = await this.#ask("eth_pendingTransactions", []);
    return new Map(
      (Array.isArray(all) ? all : [])
        .filter(isRecord)
        .filter((one) => String(one["from"]).toLowerCase() === from)
        .map((one) => {
          const price = (name: string) =>
            fromQuantity(one[name] ?? one["gasPrice"], "a price");
          return [
            fromQuantity(one["nonce"], "a nonce"),
            {
              hash: String(one["hash"]),
              fee: price("maxFeePerGas"),
              tip: price("maxPriorityFeePerGas"),
            },
          ];
        }),
    );
  }
}

/** A waiting transaction, with its highest prices of gas and of its tip. */
interface Waiting {
  readonly hash: string;
  readonly fee: bigint;
  readonly tip: bigint;
}

/** Whether a transaction may replace another: both prices a tenth higher. */
const raises = (by: Waiting, other: Waiting): boolean =>
  by.fee * 10n >= other.fee * 11n && by.tip * 10n >= other.tip * 11n;

/**
 * Reads a signed transaction; its chain ID is 0 if it has none.
 *
 * @throws RpcError when it is not one
 */
function readTransaction(raw: unknown) {
  try {
    const signed = Transaction.from(String(raw));
    const { from, nonce, hash, chainId, gasPrice } = signed;
    const fee = signed.maxFeePerGas ?? gasPrice;
    const tip = signed.maxPriorityFeePerGas ?? gasPrice;
    if (from !== null && hash !== null && fee !== null && tip !== null) {
      const size = (String(raw).length - 2) / 2;
      const sender = from.toLowerCase();
      return {
        from: sender,
        nonce: BigInt(nonce),
        hash,
        fee,
        tip,
        chainId,
        size,
      };
    }
  } catch {
    // Refused below.
  }
  throw refused("typed transaction too short");
}

const isQuantity = (value: unknown): value is string =>
  typeof value === "string" && /^0x[0-9a-fA-F]+$/.test(value);

/** @throws RpcError when a fee history is too long */
function requireFewBlocks(count: unknown): void {
  if (isQuantity(count) && BigInt(count) > MOST_FEE_BLOCKS) {
    throw refused(
      `FeeHistory user block count ${BigInt(count)} higher than ${MOST_FEE_BLOCKS}`,
    );
  }
}

/**
 * Replaces the pending block in a state request by the latest: the node has
 * only committed state.
 *
 * @throws RpcError when the block is missing or "safe"
 */
function withoutPending(
  method: string,
  params: readonly unknown[],
  position: number,
): readonly unknown[] {
  const block = params[position];
  if (block === "safe") {
    throw refused(
      `invalid argument ${position}: hex string without 0x prefix`,
      -32602,
    );
  }
  if (block === undefined && method !== "eth_estimateGas") {
    throw refused(`missing value for required argument ${position}`, -32602);
  }
  return block === undefined || block === "pending"
    ? [...params.slice(0, position), "latest", ...params.slice(position + 1)]
    : params;
}
