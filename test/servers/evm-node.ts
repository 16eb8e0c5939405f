import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

import { Transaction } from "ethers";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { EthereumProvider } from "hardhat/types/providers";

import { Queue, sleep } from "../../src/support/async.js";

const CHAIN_ID = 26218;
/** In base units per gas. */
const BASE_FEE = 1_000_000_000;

/**
 * An EVM JSON-RPC endpoint over HTTP that behaves like a recorded real node: no
 * pending state, receipts that are held back, transactions that are queued or
 * silently dropped, its own error texts. Transactions are really executed, on a
 * simulated chain.
 */

export interface EvmNodeOptions {
  readonly chainId?: number;
  /** Default: any that is free. */
  readonly port?: number;
  /** Milliseconds between blocks; 0 mines only when told to. */
  readonly blockTimeMs?: number;
  /** How long a receipt is held back before the request times out in the server. */
  readonly receiptHoldMs?: number;
  /** Whether the node itself holds the accounts of the test mnemonic. */
  readonly keyring?: boolean;
  /** Whether eth_fillTransaction is available, as on a real node. */
  readonly fill?: boolean;
  /** Whether txpool_* is available; public endpoints often hide it. */
  readonly txpool?: boolean;
  /** How many transactions an account may have queued; further ones are silently dropped. */
  readonly queueLimit?: number;
  /** Milliseconds to the node and back. */
  readonly latencyMs?: number;
  /** Plugins and configuration of the simulated chain behind it. */
  readonly backend?: Parameters<typeof createHardhatRuntimeEnvironment>[0];
  readonly network?: string;
}

export interface SeenRequest {
  readonly method: string;
  readonly params: readonly any[];
}

type Answer =
  | { readonly result: unknown }
  | { readonly error: { code: number; message: string; data?: unknown } };

/** Delays of a request, in milliseconds. */
export interface Late {
  /** On its way to the node. */
  readonly heldMs?: number;
  /** The answer on its way back. */
  readonly lateMs?: number;
}

/** What an intercepted request gets instead of, or after, its answer. */
export type Fault =
  | "drop"
  | "drop-before"
  | "hang"
  | Late
  | Answer
  | { readonly raw: (response: ServerResponse) => void };

interface Pooled {
  readonly hash: string;
  readonly maxFee: bigint;
  readonly tip: bigint;
}

/** A transaction that a client wants to have in the pool. */
interface Offered extends Partial<Pooled> {
  readonly from: string;
  readonly nonce: bigint;
}

const optional = (quantity: string | undefined): bigint | undefined =>
  quantity === undefined ? undefined : BigInt(quantity);

/** A transaction takes the place of another with the same nonce if it pays that much more. */
const isTenthMore = (fee: bigint | undefined, than: bigint): boolean =>
  fee !== undefined && fee * 10n >= than * 11n;

const isLate = (fault: Fault | undefined): fault is Late =>
  typeof fault === "object" && ("heldMs" in fault || "lateMs" in fault);

const fail = (code: number, message: string, data?: unknown): Answer => ({
  error: { code, message, data },
});

/** The network of Hardhat's that an {@link EvmNode} stands before. */
export const simulatedChain = (chainId = CHAIN_ID) =>
  ({
    type: "edr-simulated",
    chainId,
    hardfork: "prague",
    blockGasLimit: 30_000_000,
    mining: { auto: false },
    initialBaseFeePerGas: BASE_FEE,
  }) as const;

export class EvmNode {
  readonly requests: SeenRequest[] = [];
  /** An estimate to return instead of the real one, so that a test knows it exactly. */
  forcedEstimate: bigint | undefined;
  /** What it estimated, without the caller's buffer. */
  readonly estimates = new Set<bigint>();
  /** Checks of transactions go one after another. */
  readonly pool = new Queue();
  /** Whether a transaction of the other stack holds an account's place in the pool. */
  isReserved: (address: string) => boolean = () => false;
  readonly #options: Required<Omit<EvmNodeOptions, "backend" | "network">>;
  readonly #provider: EthereumProvider;
  readonly #close: () => Promise<void>;
  readonly #server = createServer(
    (request, response) => void this.#serve(request, response),
  );
  readonly #dropped = new Set<string>();
  #faults: {
    method: string;
    times: number;
    fault: Fault | ((params: readonly any[]) => Fault | undefined);
  }[] = [];
  #awayUntil = 0;
  #refused = 0;
  #timer: NodeJS.Timeout | undefined;
  #mining: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(
    provider: EthereumProvider,
    close: () => Promise<void>,
    options: Required<Omit<EvmNodeOptions, "backend" | "network">>,
  ) {
    this.#provider = provider;
    this.#close = close;
    this.#options = options;
  }

  static async start(given: EvmNodeOptions = {}): Promise<EvmNode> {
    const options = {
      chainId: CHAIN_ID,
      port: 0,
      blockTimeMs: 150,
      receiptHoldMs: 3_000,
      keyring: false,
      fill: false,
      txpool: true,
      queueLimit: 64,
      latencyMs: 0,
      ...given,
    };
    const hre = await createHardhatRuntimeEnvironment(
      given.backend ?? {
        networks: { chain: simulatedChain(options.chainId) },
      },
    );
    const connection = await hre.network.create(given.network ?? "chain");
    await connection.provider.request({
      method: "evm_setAutomine",
      params: [false],
    });
    const node = new EvmNode(
      connection.provider,
      () => connection.close(),
      options,
    );
    await new Promise<void>((resolve) =>
      node.#server.listen(options.port, "127.0.0.1", resolve),
    );
    if (options.blockTimeMs > 0) {
      node.#timer = setInterval(() => void node.mine(), options.blockTimeMs);
    }
    return node;
  }

  /** The base URL that a user would configure; the EVM endpoint is below it at /evm. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get evmUrl(): string {
    return `${this.baseUrl}/evm`;
  }

  /** The chain behind, without anything that this server does to clients. */
  get chain(): EthereumProvider {
    return this.#provider;
  }

  async mine(): Promise<void> {
    this.#mining = this.pool.run(async () => {
      if (!this.#closed) {
        // Real nodes have a floor under the base fee, and tips that stay equal.
        await this.#provider.request({
          method: "hardhat_setNextBlockBaseFeePerGas",
          params: [`0x${BASE_FEE.toString(16)}`],
        });
        await this.#provider.request({ method: "evm_mine", params: [] });
      }
    });
    await this.#mining;
  }

  /** Lets the next `times` requests of a method run into a fault. */
  inject(
    method: string,
    fault: Fault | ((params: readonly any[]) => Fault | undefined),
    times = 1,
  ): void {
    this.#faults.push({ method, times, fault });
  }

  clearFaults(): void {
    this.#faults = [];
  }

  /** Forgets a pending transaction, as a node of this kind may silently do. */
  async forget(hash: string): Promise<void> {
    await this.#provider.request({
      method: "hardhat_dropTransaction",
      params: [hash],
    });
    this.#dropped.add(hash.toLowerCase());
  }

  /** Restarts: the pool is empty afterwards. */
  async restart(): Promise<void> {
    await this.pool.run(async () => {
      const pending: any = await this.#provider.request({
        method: "eth_pendingTransactions",
      });
      for (const { hash } of pending) {
        await this.forget(hash);
      }
    });
  }

  /** Goes away for some time, in milliseconds, during which a gateway answers with 502. */
  leave(forMs: number): void {
    this.#awayUntil = Date.now() + forMs;
  }

  /** How many requests came while the node was away. */
  get refused(): number {
    return this.#refused;
  }

  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  clear(): void {
    this.requests.length = 0;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#mining;
    this.#closed = true;
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#close();
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const { latencyMs } = this.#options;
    if (latencyMs > 0) {
      await sleep(latencyMs);
    }
    if (Date.now() < this.#awayUntil) {
      // Answers like a gateway whose node is away.
      this.#refused++;
      response.writeHead(502).end("<html>Bad Gateway</html>");
      return;
    }
    const send = (status: number, body: unknown) => {
      if (!response.destroyed) {
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(body));
      }
    };
    if (request.method !== "POST" || request.url !== "/evm") {
      response.writeHead(request.url === "/evm" ? 405 : 404).end();
      return;
    }
    let body: any;
    try {
      body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    } catch {
      send(200, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32700, message: "parse error" },
      });
      return;
    }
    if (Array.isArray(body)) {
      if (body.length > 1000) {
        send(200, [
          {
            jsonrpc: "2.0",
            id: body[0]?.id,
            error: { code: -32600, message: "batch too large" },
          },
        ]);
        return;
      }
      // One after another, as the node does.
      const answers = [];
      for (const item of body) {
        answers.push({
          jsonrpc: "2.0",
          id: item.id,
          ...(await this.#answer(item)),
        });
      }
      send(200, answers);
      return;
    }
    let fault = this.#takeFault(body.method, body.params ?? []);
    if (isLate(fault)) {
      const { heldMs = 0, lateMs = 0 } = fault;
      fault = undefined;
      await sleep(heldMs);
      const answer = await this.#answer(body);
      await sleep(lateMs);
      send(200, { jsonrpc: "2.0", id: body.id, ...answer });
      return;
    }
    if (fault === "drop-before") {
      this.requests.push({ method: body.method, params: body.params ?? [] });
      request.socket.destroy();
      return;
    }
    if (fault === "hang") {
      this.requests.push({ method: body.method, params: body.params ?? [] });
      return;
    }
    if (typeof fault === "object" && "raw" in fault) {
      this.requests.push({ method: body.method, params: body.params ?? [] });
      fault.raw(response);
      return;
    }
    const answer = typeof fault === "object" ? fault : await this.#answer(body);
    if (typeof fault === "object") {
      this.requests.push({ method: body.method, params: body.params ?? [] });
    }
    if (fault === "drop") {
      request.socket.destroy();
      return;
    }
    send(200, { jsonrpc: "2.0", id: body.id, ...answer });
  }

  #takeFault(method: string, params: readonly any[]): Fault | undefined {
    const entry = this.#faults.find((f) => f.method === method && f.times > 0);
    if (entry === undefined) {
      return undefined;
    }
    const fault =
      typeof entry.fault === "function" ? entry.fault(params) : entry.fault;
    if (fault !== undefined) {
      entry.times--;
    }
    return fault;
  }

  async #answer({
    method,
    params = [],
  }: {
    method: string;
    params?: any[];
  }): Promise<Answer> {
    this.requests.push({ method, params: structuredClone(params) });
    try {
      return await this.#dispatch(method, params);
    } catch (error) {
      const { code, message, data } = error as {
        code?: number;
        message: string;
        data?: any;
      };
      const reason = /reverted with reason string '(.*)'/.exec(message)?.[1];
      const revertData = typeof data === "string" ? data : data?.data;
      if (revertData !== undefined && revertData !== "0x") {
        return fail(
          3,
          reason === undefined
            ? "execution reverted"
            : `execution reverted: ${reason}`,
          revertData,
        );
      }
      return fail(
        code ?? -32000,
        /revert/i.test(message) ? "execution reverted" : message,
      );
    }
  }

  async #dispatch(method: string, params: any[]): Promise<Answer> {
    const pass = async () => ({
      result: await this.#provider.request({ method, params }),
    });
    switch (method) {
      case "eth_getBalance":
      case "eth_getCode":
      case "eth_getStorageAt":
      case "eth_getTransactionCount":
      case "eth_call":
      case "eth_estimateGas": {
        const position = method === "eth_getStorageAt" ? 2 : 1;
        const tag = params[position];
        if (method === "eth_estimateGas" && this.forcedEstimate !== undefined) {
          return { result: `0x${this.forcedEstimate.toString(16)}` };
        }
        if (tag === "safe") {
          return fail(
            -32602,
            `invalid argument ${position}: hex string without 0x prefix`,
          );
        }
        if (tag === undefined && method !== "eth_estimateGas") {
          return fail(
            -32602,
            `missing value for required argument ${position}`,
          );
        }
        if (
          BigInt(params[0]?.value ?? 0) > 0n &&
          BigInt(params[0].value) > (await this.#balanceOf(params[0].from))
        ) {
          return fail(
            -32000,
            `rpc error: code = ${method === "eth_call" ? "Internal" : "Unknown"} desc = insufficient balance for transfer`,
          );
        }
        if (tag === "pending" || tag === undefined) {
          params = [
            ...params.slice(0, position),
            "latest",
            ...params.slice(position + 1),
          ];
        }
        const result =
          method === "eth_estimateGas" && params.length > 2
            ? await this.pool.run(() => this.#estimateWithBalances(params))
            : await this.#provider.request({ method, params });
        if (method === "eth_estimateGas") {
          this.estimates.add(BigInt(String(result)));
        }
        return { result };
      }
      case "eth_getBlockByNumber":
        return {
          result: await this.#provider.request({
            method,
            params: params[0] === "pending" ? ["latest", params[1]] : params,
          }),
        };
      case "eth_accounts":
        return this.#options.keyring ? await pass() : { result: [] };
      case "eth_sendTransaction":
        return await this.pool.run(() => this.#sendTransaction(params[0]));
      case "eth_sendRawTransaction":
        return await this.#sendRaw(params[0]);
      case "eth_getTransactionByHash": {
        const found: any = (await pass()).result;
        return { result: found?.blockNumber == null ? null : found };
      }
      case "eth_getTransactionReceipt":
        return await this.#receipt(params[0]);
      case "eth_fillTransaction":
        return this.#options.fill
          ? await this.#fill(params[0])
          : this.#unknown(method);
      case "txpool_contentFrom":
        return this.#options.txpool
          ? await this.#contentFrom(params[0])
          : this.#unknown(method);
      case "web3_clientVersion":
        return {
          result: "Version dev ()\nCompiled at  using Go go1.26.8 (amd64)",
        };
      default:
        return /^(?:hardhat|evm|anvil)_/.test(method)
          ? this.#unknown(method)
          : await pass();
    }
  }

  async #result(method: string, params: any[]): Promise<unknown> {
    const answer = await this.#dispatch(method, params);
    return "result" in answer ? answer.result : undefined;
  }

  #unknown(method: string): Answer {
    return fail(-32601, `the method ${method} does not exist/is not available`);
  }

  async #sendTransaction(transaction: any): Promise<Answer> {
    const accounts: any = await this.#provider.request({
      method: "eth_accounts",
    });
    if (
      !this.#options.keyring ||
      !accounts.includes(String(transaction.from).toLowerCase())
    ) {
      return fail(
        -32000,
        "failed to find key in the node's keyring; no key for given address or file",
      );
    }
    // The keyring counts like everything else: from the committed nonce.
    const nonce =
      transaction.nonce ??
      (await this.#provider.request({
        method: "eth_getTransactionCount",
        params: [transaction.from, "latest"],
      }));
    const refusal = await this.#refuse({
      from: transaction.from,
      nonce: BigInt(nonce),
      maxFee: optional(transaction.maxFeePerGas ?? transaction.gasPrice),
      tip: optional(transaction.maxPriorityFeePerGas ?? transaction.gasPrice),
    });
    if (refusal !== undefined) {
      return refusal;
    }
    return {
      result: await this.#provider.request({
        method: "eth_sendTransaction",
        params: [{ ...transaction, nonce }],
      }),
    };
  }

  async #sendRaw(raw: string): Promise<Answer> {
    let transaction: Transaction;
    try {
      transaction = Transaction.from(raw);
    } catch {
      return fail(-32000, "typed transaction too short");
    }
    if (transaction.chainId !== BigInt(this.#options.chainId)) {
      return fail(
        -32000,
        `incorrect chain-id; expected ${this.#options.chainId}, got ${transaction.chainId}`,
      );
    }
    const hash = transaction.hash ?? "";
    return await this.pool.run(async () => {
      const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction;
      const refusal = await this.#refuse({
        from: transaction.from ?? "",
        nonce: BigInt(transaction.nonce),
        hash,
        maxFee: maxFeePerGas ?? gasPrice ?? undefined,
        tip: maxPriorityFeePerGas ?? gasPrice ?? undefined,
      });
      if (refusal !== undefined) {
        return refusal;
      }
      await this.#provider.request({
        method: "eth_sendRawTransaction",
        params: [raw],
      });
      return { result: hash };
    });
  }

  async #refuse({
    from,
    nonce,
    hash,
    maxFee,
    tip,
  }: Offered): Promise<Answer | undefined> {
    const committed = BigInt(
      String(
        await this.#provider.request({
          method: "eth_getTransactionCount",
          params: [from, "latest"],
        }),
      ),
    );
    if (nonce < committed) {
      return fail(
        -32000,
        `nonce too low: next nonce ${committed}, tx nonce ${nonce}`,
      );
    }
    if (this.isReserved(from)) {
      return fail(-32000, `address ${from}: address already reserved`);
    }
    const pending = await this.#pendingOf(from);
    const same = pending.get(nonce);
    if (same !== undefined && same.hash === hash) {
      return fail(-32000, "already known");
    }
    const baseFee = await this.#baseFee();
    if (maxFee !== undefined && maxFee < baseFee) {
      return fail(
        -32000,
        `inserting tx: max fee per gas (${maxFee}) is lower than the base fee (${baseFee}): insufficient fee`,
      );
    }
    if (same !== undefined) {
      return isTenthMore(maxFee, same.maxFee) && isTenthMore(tip, same.tip)
        ? undefined
        : fail(-32000, "replacement transaction underpriced");
    }
    let next = committed;
    while (pending.has(next)) {
      next++;
    }
    const queued = [...pending.keys()].filter((n) => n > next).length;
    if (nonce > next && queued >= this.#options.queueLimit) {
      return { result: hash ?? `0x${"00".repeat(32)}` };
    }
    return undefined;
  }

  async #baseFee(): Promise<bigint> {
    const block: any = await this.#provider.request({
      method: "eth_getBlockByNumber",
      params: ["latest", false],
    });
    return BigInt(block.baseFeePerGas);
  }

  async #pendingOf(from: string): Promise<Map<bigint, Pooled>> {
    const transactions: any = await this.#provider.request({
      method: "eth_pendingTransactions",
    });
    return new Map(
      transactions
        .filter((t: any) => t.from.toLowerCase() === from.toLowerCase())
        .map((t: any) => [
          BigInt(t.nonce),
          {
            hash: t.hash,
            maxFee: BigInt(t.maxFeePerGas ?? t.gasPrice),
            tip: BigInt(t.maxPriorityFeePerGas ?? t.gasPrice),
          },
        ]),
    );
  }

  /**
   * An estimate with other balances (`[call, block, { [address]: { balance } }]`),
   * which the chain behind does not offer. A block in between would be overwritten
   * in part: what it pays to these accounts.
   */
  async #estimateWithBalances([call, block, overrides]: readonly any[]) {
    const ask = (method: string, params: unknown[]) =>
      this.#provider.request({ method, params });
    const before: [string, unknown][] = [];
    try {
      for (const [address, { balance }] of Object.entries<any>(overrides)) {
        before.push([
          address,
          await ask("eth_getBalance", [address, "latest"]),
        ]);
        await ask("hardhat_setBalance", [address, balance]);
      }
      return await ask("eth_estimateGas", [call, block]);
    } finally {
      for (const [address, balance] of before) {
        await ask("hardhat_setBalance", [address, balance]);
      }
    }
  }

  async #balanceOf(address: string | undefined): Promise<bigint> {
    return address === undefined
      ? 0n
      : BigInt(
          String(
            await this.#provider.request({
              method: "eth_getBalance",
              params: [address, "latest"],
            }),
          ),
        );
  }

  async #contentFrom(from: string): Promise<Answer> {
    const pending = await this.#pendingOf(from);
    return {
      result: {
        pending: Object.fromEntries(
          [...pending].map(([nonce, { hash }]) => [
            nonce.toString(),
            { hash, from },
          ]),
        ),
        queued: {},
      },
    };
  }

  async #receipt(hash: string): Promise<Answer> {
    const end = Date.now() + this.#options.receiptHoldMs;
    for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
      if (this.#closed) {
        return { result: null };
      }
      const receipt = await this.#provider.request({
        method: "eth_getTransactionReceipt",
        params: [hash],
      });
      if (receipt !== null) {
        return { result: receipt };
      }
      const known = await this.#provider.request({
        method: "eth_getTransactionByHash",
        params: [hash],
      });
      if (known === null) {
        return { result: null };
      }
      if (Date.now() > end) {
        return fail(-32002, "request timed out");
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async #fill(request: any): Promise<Answer> {
    if (request.from === undefined) {
      return fail(-32603, "method handler crashed");
    }
    const ask = (method: string, ...params: any[]) =>
      this.#provider.request({ method, params });
    // As cosmos/evm v0.7 does it: on the state of genesis.
    const gas =
      request.gas ?? (await this.#result("eth_estimateGas", [request, "0x0"]));
    const nonce =
      request.nonce ??
      (await ask("eth_getTransactionCount", request.from, "latest"));
    const block: any = await ask("eth_getBlockByNumber", "latest", false);
    const base = BigInt(block.baseFeePerGas);
    return {
      result: {
        raw: "0x02",
        tx: {
          type: "0x2",
          chainId: `0x${this.#options.chainId.toString(16)}`,
          nonce,
          to: request.to ?? null,
          gas,
          gasPrice: null,
          maxPriorityFeePerGas: request.maxPriorityFeePerGas ?? "0x7735940",
          maxFeePerGas:
            request.maxFeePerGas ??
            `0x${(base * 2n + 125_000_000n).toString(16)}`,
          value: request.value ?? "0x0",
          input: request.data ?? request.input ?? "0x",
          accessList: [],
          v: "0x0",
          r: "0x0",
          s: "0x0",
          yParity: "0x0",
          hash: `0x${"11".repeat(32)}`,
        },
      },
    };
  }
}
