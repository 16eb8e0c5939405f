import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

import { bech32 } from "@scure/base";

import { sleep } from "../../src/support/async.js";
import {
  bankSend,
  check,
  type Check,
  execute,
  type Executed,
  transactionHash,
} from "./bank-send.js";
import type { Late } from "./evm-node.js";
import { Fault } from "../../src/local-node/fault.js";
import { query } from "../../src/local-node/query/index.js";
import { TestLedger } from "./ledger.js";
import { indexed } from "../../src/local-node/history.js";
import { NO_ANSWER } from "../../src/local-node/node-rpc/abci.js";
import { CONSENSUS_PARAMS } from "../../src/local-node/node-rpc/blocks.js";
import { errorJson } from "../../src/local-node/node-rpc/answer.js";
import { RpcFault } from "../../src/local-node/node-rpc/error.js";
import type { Chain } from "./state.js";

const now = async <T>(task: () => Promise<T>) => await task();
const senderOf = (bytes: Uint8Array) => bankSend(bytes).fromAddress;

const NEVER = Symbol("never answers");

/** A gateway's answer in place of the node's. */
export interface Page {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the node gets the request before that. */
  readonly passedOn?: boolean;
}

/** What happens to a request instead of a plain answer; delays in milliseconds. */
export type Disturbance =
  | "drop"
  | "drop-before"
  | Late
  | (Page & { readonly passedOn?: false });

/** The EVM's side of the same accounts, if there is one. */
export interface OtherStack {
  /** Updates the accounts' sequences. */
  refresh(): Promise<void>;
  /** Whether EVM transactions hold an account's place in the pool. */
  holds(address: string): Promise<boolean>;
  /** Checks one transaction at a time, for both stacks. */
  alone<T>(check: () => Promise<T>): Promise<T>;
  /** Executes a checked transaction in the next block. */
  execute(
    bytes: Uint8Array,
  ): Promise<{ readonly included: Promise<Executed | undefined> }>;
}

/** The node RPC: status, queries of state and stores, transactions. */
export class NodeRpcServer {
  readonly methods: string[] = [];
  lastHeaders: Readonly<Record<string, unknown>> = {};
  /** Keeps transactions until {@link include}, instead of putting them into a block at once. */
  holdTransactions = false;
  /** How many times the connection breaks after a broadcast was accepted. */
  loseAnswers = 0;
  readonly transactions = new Map<string, Executed>();
  /** What the status says. */
  catchingUp = false;
  /** How many blocks this node is behind the others. */
  lag = 0n;
  /** Refuses every transaction for this reason. */
  refuse: (Check & { readonly codespace: string }) | undefined;
  /** The EVM's side of the same accounts. */
  otherStack: OtherStack | undefined;
  /** Decides what happens to a request. */
  disturb: (method: string) => Disturbance | undefined = () => undefined;
  /** Transaction hashes in the pool, by sender. */
  readonly senders = new Map<string, string>();
  #awayUntil = 0;
  #pages: { readonly method: string; readonly page: Page; times: number }[] =
    [];
  readonly #pending: Uint8Array[] = [];
  readonly #seen = new Set<string>();
  readonly #chain: Chain;
  readonly #server: Server;

  private constructor(chain: Chain) {
    this.#chain = chain;
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
  }

  static async start(chain: Chain): Promise<NodeRpcServer> {
    const server = new NodeRpcServer(chain);
    await new Promise<void>((resolve) =>
      server.#server.listen(0, "127.0.0.1", resolve),
    );
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Lets a gateway answer the next requests of a method. */
  answerWith(method: string, page: Page, times = 1): void {
    this.#pages.push({ method, page, times });
  }

  clearPages(): void {
    this.#pages = [];
  }

  /** Goes away for some milliseconds, during which a gateway answers with 502. */
  leave(forMs: number): void {
    this.#awayUntil = Date.now() + forMs;
  }

  /** Forgets everything like a restarted node: an empty pool, and no transaction seen. */
  forget(): void {
    this.#pending.length = 0;
    this.#seen.clear();
    this.senders.clear();
  }

  /** Puts waiting transactions into blocks. */
  include(): void {
    for (const bytes of this.#pending.splice(0)) {
      const executed = execute(this.#chain, bytes);
      this.transactions.set(executed.hash, executed);
    }
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let text = "";
    for await (const chunk of request) {
      text += String(chunk);
    }
    const send = (status: number, body: object) => {
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", ...body }));
    };
    let call: { id: number; method: string; params: Record<string, any> };
    try {
      call = JSON.parse(text);
    } catch {
      send(500, {
        error: {
          code: -32700,
          message: "Parse error. Invalid JSON",
          data: "error unmarshaling request: unexpected end of JSON input",
        },
      });
      return;
    }
    this.methods.push(call.method);
    this.lastHeaders = request.headers;
    const entry = this.#pages.find(
      ({ method, times }) => method === call.method && times > 0,
    );
    if (entry !== undefined) {
      entry.times--;
    }
    const disturbance =
      Date.now() < this.#awayUntil
        ? { status: 502, body: "<html>Bad Gateway</html>" }
        : this.disturb(call.method);
    if (typeof disturbance === "object" && "status" in disturbance) {
      response.writeHead(disturbance.status).end(disturbance.body);
      return;
    }
    if (disturbance === "drop-before") {
      request.socket.destroy();
      return;
    }
    const { heldMs = 0, lateMs = 0 } =
      typeof disturbance === "object" ? disturbance : {};
    await sleep(heldMs);
    try {
      const result =
        entry !== undefined && entry.page.passedOn !== true
          ? undefined
          : await this.#answer(call.method, call.params);
      if (entry !== undefined) {
        const { status, headers, body = "<html>a gateway</html>" } = entry.page;
        response.writeHead(status, headers).end(body);
        return;
      }
      if (result === NEVER) {
        return;
      }
      await sleep(lateMs);
      if (disturbance === "drop") {
        request.socket.destroy();
        return;
      }
      if (call.method === "broadcast_tx_sync" && this.loseAnswers > 0) {
        this.loseAnswers--;
        request.socket.destroy();
        return;
      }
      send(200, { id: call.id, result });
    } catch (error) {
      if (!(error instanceof RpcFault)) {
        throw error;
      }
      send(200, { id: call.id, error: errorJson(error) });
    }
  }

  async #answer(method: string, params: Record<string, any>): Promise<unknown> {
    await this.otherStack?.refresh();
    switch (method) {
      case "status":
        return this.#status();
      case "health":
        return {};
      case "block":
        return this.#block(BigInt(params["height"] ?? this.#chain.height));
      case "block_results":
        return this.#blockResults(
          BigInt(params["height"] ?? this.#chain.height),
        );
      case "abci_query":
        return { response: await this.#abci(params) };
      case "broadcast_tx_sync":
        return await (this.otherStack?.alone ?? now)(
          async () =>
            await this.#broadcast(Buffer.from(params["tx"], "base64")),
        );
      case "tx":
        return this.#tx(
          Buffer.from(params["hash"], "base64").toString("hex").toUpperCase(),
        );
      default:
        throw new RpcFault(-32601, "Method not found");
    }
  }

  #block(height: bigint): unknown {
    this.#checkHeight(height);
    const block = this.#chain.blocks.get(height) ?? this.#chain.head;
    const hash = block.hash.slice(2).toUpperCase();
    const id = { hash, parts: { total: 1, hash } };
    const time = new Date(Number(block.timestamp) * 1000).toISOString();
    return {
      block_id: id,
      block: {
        header: {
          version: { block: "11" },
          chain_id: this.#chain.chainId,
          height: String(height),
          time,
          last_block_id: id,
          last_commit_hash: hash,
          data_hash: hash,
          validators_hash: hash,
          next_validators_hash: hash,
          consensus_hash: hash,
          app_hash: hash,
          last_results_hash: hash,
          evidence_hash: hash,
          proposer_address: "DF2998CA6E9600712EFADE102062353B90CF5A9D",
        },
        data: {
          txs: (this.#chain.modules.get(height)?.transactions ?? []).map(
            ({ bytes }) => Buffer.from(bytes).toString("base64"),
          ),
        },
        evidence: { evidence: [] },
        last_commit: {
          height: String(height - 1n),
          round: 0,
          block_id: id,
          signatures: [
            {
              block_id_flag: 2,
              validator_address: "DF2998CA6E9600712EFADE102062353B90CF5A9D",
              timestamp: time,
              signature: Buffer.alloc(64, 1).toString("base64"),
            },
          ],
        },
      },
    };
  }

  #blockResults(height: bigint): unknown {
    this.#checkHeight(height);
    const modules = this.#chain.modules.get(height);
    return {
      height: String(height),
      txs_results:
        modules?.transactions.map(({ code = 0, log = "", events }) => ({
          code,
          data: null,
          log,
          info: "",
          gas_wanted: "100000",
          gas_used: "50000",
          events: indexed(events),
          codespace: code === 0 ? "" : "sdk",
        })) ?? null,
      finalize_block_events: indexed(modules?.events ?? []),
      validator_updates: null,
      consensus_param_updates: {
        ...CONSENSUS_PARAMS,
        version: {},
        abci: {},
        authority: {},
      },
      app_hash: "SwlVfQOKK5FzCqcApHGoJXcyXuI6w38ZhRzK4kJ3pqQ=",
    };
  }

  #checkHeight(height: bigint): void {
    if (height > this.#chain.height) {
      throw new RpcFault(
        -32603,
        "Internal error",
        `height ${height} must be less than or equal to the current blockchain height ${this.#chain.height}`,
      );
    }
  }

  async #broadcast(bytes: Uint8Array): Promise<unknown> {
    const hash = transactionHash(bytes);
    if (this.#seen.has(hash)) {
      throw new RpcFault(-32603, "Internal error", "tx already seen");
    }
    const result = check(this.#chain.state, bytes, this.#chain);
    if (result === undefined) {
      return NEVER;
    }
    // Refused ones too: they are never checked again.
    this.#seen.add(hash);
    const refusal = this.refuse ?? (await this.#isTaken(result, bytes));
    if (refusal !== undefined) {
      return { ...refusal, data: "", hash };
    }
    if (result.code === 0) {
      await this.#take(bytes);
    }
    return {
      ...result,
      data: "",
      codespace: result.code === 0 ? "" : "sdk",
      hash,
    };
  }

  // One pending transaction per account, on either stack.
  async #isTaken({ code }: Check, bytes: Uint8Array) {
    const sender = senderOf(bytes);
    if (this.otherStack === undefined || code !== 0) {
      return undefined;
    }
    if (this.senders.has(sender)) {
      const { sequence = 0n } = this.#chain.state.accounts.get(sender) ?? {};
      return {
        code: 32,
        codespace: "sdk",
        log: `account sequence mismatch, expected ${sequence + 1n}, got ${sequence}: incorrect account sequence`,
      };
    }
    return (await this.otherStack.holds(sender))
      ? { code: 1, codespace: "", log: "address already reserved" }
      : undefined;
  }

  async #take(bytes: Uint8Array): Promise<void> {
    if (this.otherStack !== undefined) {
      const sender = senderOf(bytes);
      const hash = transactionHash(bytes);
      this.senders.set(sender, hash);
      const { included } = await this.otherStack.execute(bytes);
      void included.then((executed) => {
        if (executed !== undefined) {
          this.transactions.set(executed.hash, executed);
        }
        if (this.senders.get(sender) === hash) {
          this.senders.delete(sender);
        }
      });
      return;
    }
    this.#pending.push(bytes);
    if (!this.holdTransactions) {
      this.include();
    }
  }

  #tx(hash: string): unknown {
    const found = this.transactions.get(hash);
    if (found === undefined) {
      throw new RpcFault(-32603, "Internal error", `tx (${hash}) not found`);
    }
    return {
      hash,
      height: String(found.height),
      index: 0,
      tx_result: {
        code: found.code,
        data: null,
        log: found.log,
        info: "",
        gas_wanted: String(found.gasWanted),
        gas_used: String(found.gasUsed),
        events: [
          {
            type: "tx",
            attributes: [{ key: "fee", value: "1atest", index: true }],
          },
        ],
        codespace: found.code === 0 ? "" : "sdk",
      },
      tx: Buffer.from(found.bytes).toString("base64"),
    };
  }

  async #abci(params: Record<string, any>) {
    const path = String(params["path"]);
    const data = Buffer.from(String(params["data"] ?? ""), "hex");
    const asked = BigInt(params["height"] ?? "0");
    const height = String(asked === 0n ? this.#chain.height : asked);
    const answer = { ...NO_ANSWER, height };
    const store = /^\/store\/([a-z]+)\/key$/.exec(path)?.[1];
    if (store !== undefined) {
      return {
        ...answer,
        key: data.toString("base64"),
        ...this.#stored(store, data, asked),
      };
    }
    const [, service = "", name = ""] = path.split("/");
    try {
      const bytes = await query(
        new TestLedger(this.#chain),
        service,
        name,
        data,
        asked,
      );
      return { ...answer, value: Buffer.from(bytes).toString("base64") };
    } catch (error) {
      if (error instanceof Fault) {
        return {
          ...answer,
          ...error.abci,
          height: error.abci.code === 26 ? "0" : height,
        };
      }
      return {
        ...answer,
        code: 1,
        codespace: "undefined",
        log: String(error instanceof Error ? error.message : error),
      };
    }
  }

  // The bank's balances, as in its store: 02, 14, 20 bytes, denomination.
  #stored(store: string, key: Buffer, asked: bigint) {
    if (store !== "bank") {
      return {
        code: 4,
        codespace: "store",
        log: `no such store: ${store}: unknown request`,
      };
    }
    const state = asked === 0n ? this.#chain.state : this.#chain.at(asked);
    if (state === undefined) {
      return { log: "version does not exist" };
    }
    const address = bech32.encode(
      "cosmos",
      bech32.toWords(key.subarray(2, 22)),
    );
    const amount = state.balances
      .get(address)
      ?.find(({ denom }) => denom === key.subarray(22).toString())?.amount;
    return amount === undefined
      ? {}
      : { value: Buffer.from(amount).toString("base64") };
  }

  #status() {
    const { head, chainId } = this.#chain;
    const hash = head.hash.slice(2).toUpperCase();
    const time = new Date(Number(head.timestamp) * 1000).toISOString();
    return {
      node_info: {
        protocol_version: { p2p: "8", block: "11", app: "0" },
        id: "598064c5d3efb56f38718f093235b5a09780237e",
        listen_addr: "tcp://127.0.0.1:26656",
        network: chainId,
        // The version that a node of this kind reports.
        version: "0.39.0",
        channels: "40202122233038606100",
        moniker: "testnode",
        other: { tx_index: "on", rpc_address: "tcp://127.0.0.1:26657" },
      },
      sync_info: {
        latest_block_hash: hash,
        latest_app_hash: hash,
        latest_block_height: String(head.number - this.lag),
        latest_block_time: time,
        earliest_block_hash: hash,
        earliest_app_hash: hash,
        earliest_block_height: "1",
        earliest_block_time: time,
        catching_up: this.catchingUp,
      },
      validator_info: {
        address: "DF2998CA6E9600712EFADE102062353B90CF5A9D",
        pub_key: {
          type: "tendermint/PubKeyEd25519",
          value: "hyH5DLcrL/5Dg4iYHZHld50DJg6vFbBZUk94MbFV73M=",
        },
        voting_power: "5500",
      },
    };
  }
}
