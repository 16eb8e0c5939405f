// Before a fork is made, and for everything that the simulator asks of the
// forked chain.

import { createHash, randomBytes } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

import { AWAIT_MS } from "../../live-state/await.js";
import { KeptInMemory, KeptOnDisk } from "../../live-state/kept.js";
import { keptOf, type Snapshot } from "../../live-state/snapshot.js";
import { unreadable } from "../../live-state/unreadable.js";
import type { PrecompileAddresses } from "../../precompiles/addresses.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";
import {
  type BatchProvider,
  HttpClient,
  type RpcOutcome,
} from "../../rpc/http-client.js";
import { RpcError, type RpcRequest } from "../../rpc/provider.js";
import { isRecord, toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { shownUrl } from "../../support/http.js";
import { errorText } from "../../support/text.js";
import { isOfEmulation } from "../modules/accounts.js";
import { isLasting, isWellFormed, NOTHING } from "./lasting.js";
import { beyondSnapshot } from "./offline.js";
import { SimulatorCache } from "./simulator-cache.js";

/** What a simulated network forks, before it is known which chain that is. */
export interface GatewayOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fork's block, where it is pinned. */
  readonly height?: bigint;
  /** Hardhat's folder for caches: what was answered about a pinned block is kept there. */
  readonly cache?: string;
  /** The same folder, below which the simulator has its own cache. */
  readonly simulatorCache: string;
  /** The chains whose precompiles are emulated. */
  readonly chainIds: readonly number[];
  readonly addresses: PrecompileAddresses;
}

const HOST = "127.0.0.1";
/** No chain is thought to be reorganized further back, in blocks. */
const OLD = 1_000n;
const MAX_BODY = 1024 * 1024;
/** So long calls are collected that go out in one request, in milliseconds. */
const COLLECTING_MS = 1;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const OF_ACCOUNT = [
  "eth_getBalance",
  "eth_getTransactionCount",
  "eth_getCode",
] as const;

interface Waiting {
  readonly request: RpcRequest;
  readonly key: string;
  readonly answer: (outcome: RpcOutcome) => void;
}

/**
 * Stands between a simulated network and the chain that it forks. For every
 * word that is written into an account the simulator asks that account's
 * balance, nonce and code again; here each is asked once. The precompiles'
 * storage is not asked at all: the chain has none, the books are written by
 * the emulation. With a pinned block the answers last for the next run.
 *
 * On loopback only, at a path that nobody can guess: the configured headers go
 * out with each request.
 */
export class ForkGateway {
  /** What the simulated network forks instead. */
  readonly url: string;
  /** What it stands for. */
  readonly forked: string;
  /** Where what is read of a pinned block is kept. */
  readonly cache: string | undefined;
  /** What stands for the chain, where it is not asked at all. */
  readonly snapshot: Snapshot | undefined;
  readonly #server: Server;
  readonly #client: BatchProvider;
  readonly #kept: KeptInMemory;
  readonly #height: bigint | undefined;
  readonly #endpoint: string;
  readonly #modules: ReadonlySet<string>;
  /** Accounts that the emulation needs as soon as it needs one of them. */
  readonly #together: ReadonlySet<string>;
  readonly #asked = new Map<string, Promise<RpcOutcome>>();
  readonly #simulatorCache: SimulatorCache;
  #waiting: Waiting[] = [];

  private constructor(
    server: Server,
    token: string,
    client: BatchProvider,
    kept: KeptInMemory,
    { height, url, addresses, cache, simulatorCache }: GatewayOptions,
    snapshot?: Snapshot,
  ) {
    const { port } = server.address() as AddressInfo;
    this.#simulatorCache = new SimulatorCache(simulatorCache, HOST, port);
    this.url = `http://${HOST}:${port}/${token}`;
    this.forked = url;
    this.cache = cache;
    this.snapshot = snapshot;
    this.#server = server;
    this.#client = client;
    this.#kept = kept;
    this.#height = height;
    this.#endpoint = shownUrl(url);
    this.#modules = new Set(
      Object.values(addresses).map((address) => address.toLowerCase()),
    );
    this.#together = new Set([
      ...this.#modules,
      ...Object.values(MODULE_ACCOUNTS),
    ]);
  }

  /** `undefined`: it is another chain, or nobody answers there; the simulator is to find that out itself. */
  static async open(options: GatewayOptions): Promise<ForkGateway | undefined> {
    const { url, headers, height, cache, chainIds } = options;
    const client = new HttpClient({ url, headers, awaitMs: AWAIT_MS });
    const kept =
      cache === undefined || height === undefined
        ? new KeptInMemory()
        : await KeptOnDisk.open(keptFile(cache, url, height));
    const request = { method: "eth_chainId", params: [] };
    const key = keyOf(request);
    try {
      const known = kept.get(key);
      const chainId =
        known?.ok === true ? known.result : await client.request(request);
      if (!chainIds.includes(Number(chainId))) return undefined;
      if (known === undefined) kept.set(key, { ok: true, result: chainId });
    } catch {
      return undefined;
    }
    return await ForkGateway.#listen(client, kept, options);
  }

  /**
   * The same for a snapshot, which stands for the chain.
   *
   * @throws DualstackError where it is of another chain
   */
  static async ofSnapshot(
    snapshot: Snapshot,
    options: Pick<
      GatewayOptions,
      "chainIds" | "addresses" | "url" | "simulatorCache"
    >,
  ): Promise<ForkGateway> {
    const { chainId, block } = snapshot;
    if (!options.chainIds.includes(chainId)) {
      throw new DualstackError(
        `the snapshot is of chain ${chainId}, and the configured networks are ${options.chainIds.join(" and ")}`,
        { fix: "Set dualstack.testnet.chainId, or use another snapshot." },
      );
    }
    return await ForkGateway.#listen(
      beyondSnapshot(snapshot),
      await keptOf(snapshot, "simulator"),
      { ...options, height: BigInt(block.number) },
      snapshot,
    );
  }

  static async #listen(
    client: BatchProvider,
    kept: KeptInMemory,
    options: GatewayOptions,
    snapshot?: Snapshot,
  ): Promise<ForkGateway> {
    const token = randomBytes(16).toString("hex");
    const server = await listen((incoming, response) => {
      void gateway.#serve(incoming, response, `/${token}`);
    });
    const gateway = new ForkGateway(
      server,
      token,
      client,
      kept,
      options,
      snapshot,
    );
    return gateway;
  }

  /**
   * Asks at once for accounts, and words of their storage, that the simulator
   * is going to ask for one after another. By their addresses in lower case.
   */
  async prefetch(
    words: ReadonlyMap<string, Iterable<string>>,
    height: bigint,
  ): Promise<void> {
    const block = toQuantity(height);
    const requests = [...words].flatMap(([account, slots]) => [
      ...OF_ACCOUNT.map((method) => ({ method, params: [account, block] })),
      ...[...slots].map((slot) => ({
        method: "eth_getStorageAt",
        params: [account, toQuantity(BigInt(slot)), block],
      })),
    ]);
    await Promise.all(
      requests.map(async (request) => await this.#answerOf(request)),
    );
  }

  /** What was kept is of another chain than the one that answers now. */
  async forget(): Promise<void> {
    await this.#kept.forget();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
    this.#simulatorCache.close();
  }

  async #serve(
    incoming: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> {
    try {
      if (incoming.method !== "POST" || incoming.url !== path) {
        response.writeHead(404).end();
        return;
      }
      const body: unknown = JSON.parse(await bodyOf(incoming));
      const answer = Array.isArray(body)
        ? await Promise.all(body.map(async (call) => await this.#answer(call)))
        : await this.#answer(body);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer));
    } catch {
      response.writeHead(400).end();
    }
  }

  async #answer(call: unknown): Promise<object> {
    const { id, method, params } = isRecord(call) ? call : {};
    const request = {
      method: String(method),
      params: Array.isArray(params) ? (params as unknown[]) : [],
    };
    const outcome = await this.#answerOf(request);
    const head = { jsonrpc: "2.0", id: id ?? null };
    if (outcome.ok) return { ...head, result: outcome.result ?? null };
    const { code, message, data } = outcome.error;
    return { ...head, error: { code, message, data } };
  }

  async #answerOf({ method, params = [] }: RpcRequest): Promise<RpcOutcome> {
    // The simulator means the newest block of the fork.
    const request =
      method === "eth_feeHistory" && this.#height !== undefined
        ? {
            method,
            params: params.map((param) =>
              param === "latest" ? toQuantity(this.#height ?? 0n) : param,
            ),
          }
        : { method, params };
    if (method === "eth_blockNumber")
      return this.#asOld(await this.#ask(request));
    const [first, block] = params;
    const nothing = NOTHING[method];
    if (
      nothing === undefined ||
      typeof first !== "string" ||
      !ADDRESS.test(first)
    )
      return await this.#ask(request);
    const address = first.toLowerCase();
    if (
      isOfEmulation(address) ||
      (method === "eth_getStorageAt" && this.#modules.has(address)) ||
      this.#hasNone(method, address)
    ) {
      return { ok: true, result: nothing };
    }
    if (method !== "eth_getStorageAt") this.#askAccounts(address, block);
    return await this.#ask(request);
  }

  /** The simulator asks all of an account, and of the modules' accounts one after another: these go in one request. */
  #askAccounts(address: string, block: unknown): void {
    const accounts = this.#together.has(address) ? this.#together : [address];
    for (const account of accounts) {
      for (const method of OF_ACCOUNT) {
        if (!this.#hasNone(method, account))
          void this.#ask({ method, params: [account, block] });
      }
    }
  }

  /** Modules sign nothing, and behind their accounts is no contract. At a precompile's address there may be one by mistake. */
  #hasNone(method: string, account: string): boolean {
    return (
      this.#together.has(account) &&
      (method === "eth_getTransactionCount" ||
        (method === "eth_getCode" && !this.#modules.has(account)))
    );
  }

  async #ask(request: RpcRequest): Promise<RpcOutcome> {
    const key = keyOf(request);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    let asking = this.#asked.get(key);
    if (asking === undefined) {
      asking = new Promise<RpcOutcome>((answer) => {
        if (this.#waiting.length === 0)
          setTimeout(() => void this.#send(), COLLECTING_MS);
        this.#waiting.push({ request, key, answer });
      });
      this.#asked.set(key, asking);
    }
    return await asking;
  }

  /** Asks the chain what was collected, in one request. */
  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    let outcomes: readonly RpcOutcome[];
    try {
      outcomes = await this.#client.batch(
        waiting.map(({ request }) => request),
      );
    } catch (error) {
      const failed = new RpcError(errorText(error), -32000, undefined);
      outcomes = waiting.map(() => ({ ok: false, error: failed }));
    }
    for (const [index, { request, key, answer }] of waiting.entries()) {
      this.#asked.delete(key);
      answer(this.#take(request, key, outcomes[index]));
    }
    await this.#kept.save();
  }

  #take(
    request: RpcRequest,
    key: string,
    outcome: RpcOutcome | undefined,
  ): RpcOutcome {
    const { method, params = [] } = request;
    if (outcome?.ok !== true) return this.#unread(request, outcome?.error);
    const { result } = outcome;
    if (!isWellFormed(method, result)) {
      return this.#unread(request, new Error("it answered something else"));
    }
    if (method === "eth_blockNumber") return this.#noteHead(key, result);
    if (isLasting(method, params, result)) this.#kept.set(key, outcome);
    return outcome;
  }

  /** The newest block, or the pinned one once there are newer ones. */
  #noteHead(key: string, result: unknown): RpcOutcome {
    const height = this.#height;
    if (height !== undefined && BigInt(String(result)) < height)
      return { ok: true, result };
    const outcome: RpcOutcome = {
      ok: true,
      result: height === undefined ? result : toQuantity(height),
    };
    this.#kept.set(key, outcome);
    return outcome;
  }

  /**
   * The simulator keeps what it was told of a block only where that is old, and
   * asks for it again for every run otherwise. A pinned block is read as it is.
   */
  #asOld(head: RpcOutcome): RpcOutcome {
    const height = this.#height;
    return head.ok &&
      height !== undefined &&
      BigInt(String(head.result)) >= height
      ? { ok: true, result: toQuantity(height + OLD) }
      : head;
  }

  /** An account's state that cannot be read, as what it is; other errors as they are. */
  #unread({ method, params = [] }: RpcRequest, error: unknown): RpcOutcome {
    const block = params[method === "eth_getStorageAt" ? 2 : 1];
    if (!STATE.test(method) || typeof block !== "string" || !/^0x/.test(block))
      return { ok: false, error: asRpcError(error) };
    const { message } = unreadable(
      `${method} of ${String(params[0])}`,
      BigInt(block),
      error,
      { endpoint: this.#endpoint },
    );
    return { ok: false, error: new RpcError(message, -32000, undefined) };
  }
}

const STATE = /^eth_get(?:Balance|TransactionCount|Code|StorageAt)$/;

const asRpcError = (error: unknown) =>
  error instanceof RpcError
    ? error
    : new RpcError(errorText(error ?? "it did not answer"), -32000, undefined);

const keyOf = ({ method, params = [] }: RpcRequest) =>
  JSON.stringify([method, params]);

/** The URL may hold a key. */
const keptFile = (cache: string, url: string, height: bigint) =>
  path.join(
    cache,
    "dualstack-fork-cache",
    createHash("sha256").update(url).digest("hex").slice(0, 16),
    `${height}.jsonl`,
  );

async function listen(
  serve: (incoming: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(serve);
  // The simulator keeps its connections; one that is closed under its hands fails its request.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => socket.unref());
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(0, HOST, done);
  });
  // Nobody ends a script's networks: the process may end with them.
  server.unref();
  return server;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY) throw new Error("too large");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
