// Serves everything that the simulator asks of the forked chain, from before
// the fork is created.

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

/** What a simulated network forks, before its chain ID is known. */
export interface GatewayOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fork's block number, if it is pinned. */
  readonly height?: bigint;
  /** Hardhat's cache folder, which keeps the answers about a pinned block. */
  readonly cache?: string;
  /** Hardhat's cache folder, in which the simulator has its own cache. */
  readonly simulatorCache: string;
  /** IDs of the chains whose precompiles are emulated. */
  readonly chainIds: readonly number[];
  /** Addresses of the emulated precompiles. */
  readonly precompiles: readonly string[];
}

const HOST = "127.0.0.1";
/**
 * Depth in blocks at which the simulator expects no reorganization any more.
 */
const OLD = 1_000n;
const MAX_BODY = 1024 * 1024;
/** How long calls are collected into one batch request, in milliseconds. */
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
 * A proxy between a simulated network and the chain that it forks. For every
 * storage word written to an account, the simulator asks again for the
 * account's balance, nonce and code; the gateway asks the chain once. It never
 * asks for the precompiles' storage: the chain has none, since the emulation
 * writes the books. With a pinned block the answers are kept for the next run.
 *
 * It listens on loopback only, at a secret path, because it adds the configured
 * headers to every request.
 */
export class ForkGateway {
  /** The URL that the simulated network forks instead of the chain's. */
  readonly url: string;
  /** The forked chain's URL. */
  readonly forked: string;
  /** The folder that keeps the answers about a pinned block. */
  readonly cache: string | undefined;
  /** The snapshot that replaces the chain, if any. */
  readonly snapshot: Snapshot | undefined;
  readonly #server: Server;
  readonly #client: BatchProvider;
  readonly #kept: KeptInMemory;
  readonly #height: bigint | undefined;
  readonly #endpoint: string;
  readonly #modules: ReadonlySet<string>;
  /** Accounts that the emulation needs all at once. */
  readonly #together: ReadonlySet<string>;
  readonly #asked = new Map<string, Promise<RpcOutcome>>();
  readonly #simulatorCache: SimulatorCache;
  #waiting: Waiting[] = [];
  /** The pinned block as an earlier run has read it, until it is compared. */
  #before: KeptBlock | undefined;
  /** Why nothing is answered any more. */
  #replaced: RpcError | undefined;

  private constructor(
    server: Server,
    token: string,
    client: BatchProvider,
    kept: KeptInMemory,
    { height, url, precompiles, cache, simulatorCache }: GatewayOptions,
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
    this.#before = snapshot === undefined ? keptBlock(kept, height) : undefined;
    this.#endpoint = shownUrl(url);
    this.#modules = new Set(
      precompiles.map((address) => address.toLowerCase()),
    );
    this.#together = new Set([
      ...this.#modules,
      ...Object.values(MODULE_ACCOUNTS),
    ]);
  }

  /**
   * Opens a gateway to a chain.
   *
   * @returns `undefined` when it is another chain or does not answer, which the
   * simulator then finds out itself
   */
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
   * Opens a gateway that answers from a snapshot instead of the chain.
   *
   * @throws DualstackError when the snapshot is of another chain
   */
  static async ofSnapshot(
    snapshot: Snapshot,
    options: Pick<
      GatewayOptions,
      "chainIds" | "precompiles" | "url" | "simulatorCache"
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
   * Asks in one batch for accounts and storage slots that the simulator would
   * ask for one by one.
   *
   * @param words storage slots by address in lower case
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

  /**
   * Drops the kept answers, which are of another chain than the one that
   * answers now.
   */
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
    // By "latest" the simulator means the fork's block.
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

  /**
   * Asks for all of an account ahead, in one batch, and for all accounts of the
   * modules together: the simulator asks for them one by one.
   */
  #askAccounts(address: string, block: unknown): void {
    const accounts = this.#together.has(address) ? this.#together : [address];
    for (const account of accounts) {
      for (const method of OF_ACCOUNT) {
        if (!this.#hasNone(method, account))
          void this.#ask({ method, params: [account, block] });
      }
    }
  }

  /**
   * Returns whether the chain need not be asked: modules have no nonce, and
   * module accounts no code. At a precompile's address there may be code by
   * mistake.
   */
  #hasNone(method: string, account: string): boolean {
    return (
      this.#together.has(account) &&
      (method === "eth_getTransactionCount" ||
        (method === "eth_getCode" && !this.#modules.has(account)))
    );
  }

  async #ask(request: RpcRequest): Promise<RpcOutcome> {
    if (this.#replaced !== undefined) {
      return { ok: false, error: this.#replaced };
    }
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

  /** Sends the collected calls in one batch request. */
  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const before = this.#before;
    let outcomes: readonly RpcOutcome[];
    try {
      outcomes = await this.#client.batch([
        ...waiting.map(({ request }) => request),
        ...(before === undefined ? [] : [before.request]),
      ]);
      if (before !== undefined) {
        await this.#compare(before, outcomes.at(-1));
      }
    } catch (error) {
      const failed = new RpcError(errorText(error), -32000, undefined);
      outcomes = waiting.map(() => ({ ok: false, error: failed }));
    }
    for (const [index, { request, key, answer }] of waiting.entries()) {
      this.#asked.delete(key);
      answer(
        this.#replaced === undefined
          ? this.#take(request, key, outcomes[index])
          : { ok: false, error: this.#replaced },
      );
    }
    await this.#kept.save();
  }

  /**
   * Compares the chain's block with the one whose state was kept: a test
   * network that began anew has the same URL, and two chains must not mix.
   */
  async #compare(
    before: KeptBlock,
    now: RpcOutcome | undefined,
  ): Promise<void> {
    if (now?.ok !== true || !isRecord(now.result)) return;
    this.#before = undefined;
    if (now.result.hash === before.hash) return;
    this.#replaced = new RpcError(
      `block ${this.#height ?? ""} of ${this.#endpoint} is another than when its state was kept, so the chain was reorganized or began anew. What was kept is deleted: start again`,
      -32000,
      undefined,
    );
    await this.#kept.forget();
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

  /**
   * Answers with the newest block, or with the pinned one if that exists
   * already.
   */
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
   * Moves the head ahead of a pinned block. The simulator caches only what it
   * reads of old blocks, and would ask again in every run otherwise.
   */
  #asOld(head: RpcOutcome): RpcOutcome {
    const height = this.#height;
    return head.ok &&
      height !== undefined &&
      BigInt(String(head.result)) >= height
      ? { ok: true, result: toQuantity(height + OLD) }
      : head;
  }

  /** Explains why an account's state cannot be read; keeps other errors. */
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

interface KeptBlock {
  readonly request: RpcRequest;
  readonly hash: unknown;
}

/** Finds a block among kept answers. */
function keptBlock(
  kept: KeptInMemory,
  height: bigint | undefined,
): KeptBlock | undefined {
  if (height === undefined) return undefined;
  for (const full of [false, true]) {
    const request = {
      method: "eth_getBlockByNumber",
      params: [toQuantity(height), full],
    };
    const known = kept.get(keyOf(request));
    if (known?.ok === true && isRecord(known.result)) {
      return { request, hash: known.result.hash };
    }
  }
  return undefined;
}

const keyOf = ({ method, params = [] }: RpcRequest) =>
  JSON.stringify([method, params]);

/**
 * Returns the file of kept answers. The URL is hashed: it may contain a key.
 */
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
  // The simulator keeps its connections open, and a request fails on one that
  // the server closes meanwhile.
  server.keepAliveTimeout = 0;
  server.on("connection", (socket) => socket.unref());
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(0, HOST, done);
  });
  // Scripts do not close their networks; the server must not keep them alive.
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
