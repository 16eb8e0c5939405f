import { parseAddress } from "../address/index.js";
import type { ChainFacts } from "../chain/facts.js";
import type { KnownContract } from "../framework/contracts.js";
import type { LocalEngine } from "../localnet/engine.js";
import { kindOf, type MethodKind } from "../localnet/request/methods.js";
import type { Ask } from "../rpc/pipeline.js";
import type { RpcProvider, RpcRequest } from "../rpc/provider.js";
import { fromQuantity, isRecord } from "../rpc/quantities.js";
import { once } from "../support/once.js";
import { keepBaseFee, nextBaseFee } from "./base-fee.js";
import type { Block } from "./block.js";
import { BlockTimer } from "./block-timer.js";
import { type BlockListener, Blocks } from "./blocks.js";
import type { Books } from "./books/books.js";
import { KeptBooks } from "./books/kept.js";
import { jailedUntil } from "./books/slashing.js";
import { Delegators } from "./delegators.js";
import { beforeFork, Fault, inTheFuture } from "./fault.js";
import { ForkedChain, startingSupply } from "./forked-chain.js";
import type { TransactionRecord } from "./history.js";
import type { Ledger } from "./ledger.js";
import { nodeMethod } from "./node-methods.js";
import { FrameworkPool } from "./transactions/pool.js";
import { Records } from "./transactions/records.js";
import type { FeeRules } from "./transactions/transaction.js";
import { Turns } from "./turns.js";

/**
 * A simulated network with emulated precompiles, as either major version of
 * Hardhat creates it.
 */
export interface SimulatedNetwork {
  /** Answers the JSON-RPC requests of the network's clients. */
  readonly provider: RpcProvider;
  readonly engine: LocalEngine;
  /** The project's compiled contracts. */
  readonly contracts?: () => Promise<readonly KnownContract[]>;
  close(): Promise<void>;
}

/** What a chain is created with. */
export interface ChainOptions {
  readonly facts: ChainFacts;
  readonly evmChainId: number;
  /**
   * Milliseconds between blocks; 0 mines one for every transaction, and no
   * others.
   */
  readonly blockTimeMs: number;
}

export type { Block } from "./block.js";

/** Floor of the base fee in base units per gas, as on the chain. */
const MIN_GAS_PRICE = 10n ** 9n;
/** Times 10^18. */
const MIN_GAS_MULTIPLIER = 5n * 10n ** 17n;

/** Kinds of request that may mine a block, or change the state without one. */
const CHANGING: ReadonlySet<MethodKind> = new Set([
  "mine",
  "clock",
  "revert",
  "automine",
  "interval",
  "set",
  "reset",
  "change",
]);

/**
 * A chain with both stacks over a simulated network: its blocks, books and
 * transactions.
 */
export class DualChain implements Ledger {
  readonly evmChainId: number;
  /** The framework's chain ID. */
  readonly chainId: string;
  readonly engine: LocalEngine;
  /** The framework's transactions that no block has included yet. */
  readonly pool: FrameworkPool;
  /** The forked chain; `undefined` for a network with its own genesis. */
  readonly fork: ForkedChain | undefined;
  readonly #network: SimulatedNetwork;
  readonly #ask: Ask;
  readonly #options: ChainOptions;
  readonly #rules: FeeRules;
  readonly #turns = new Turns();
  readonly #timer = new BlockTimer(async () => await this.mine());
  readonly #blocks: Blocks;
  readonly #books: KeptBooks;
  readonly #genesisAccounts: string[] = [];
  /** Addresses of all accounts seen so far, in lower-case hex. */
  readonly #known = new Set<string>();
  readonly #delegators: Delegators;
  readonly #records: Records;
  readonly #pendingListeners = new Set<(hash: string) => void>();
  #closed = false;

  private constructor(
    network: SimulatedNetwork,
    options: ChainOptions,
    fork: ForkedChain | undefined,
    denom: string,
  ) {
    const settings = { ...network.engine.settings, denom };
    this.#network = network;
    this.#options = options;
    this.engine = network.engine;
    this.evmChainId = options.evmChainId;
    this.chainId = `dualstack_${options.evmChainId}-1`;
    this.#rules = {
      addresses: settings.addresses,
      prefix: settings.prefix,
      denom,
      chainId: this.chainId,
      minGasPrice: MIN_GAS_PRICE,
    };
    this.fork = fork;
    this.#ask = async (method, params = []) =>
      await network.provider.request({ method, params });
    const ask = this.#ask;
    this.#delegators = new Delegators({
      ask,
      staking: settings.addresses.staking,
      operators:
        fork === undefined
          ? settings.validators.map(({ operator }) => operator)
          : [],
      fork,
    });
    this.#records = new Records({
      ask,
      engine: this.engine,
      rules: this.#rules,
      booksAt: (height) => this.booksAt(height),
    });
    this.#blocks = new Blocks(ask, {
      note: async (block) => await this.#note(block),
      forgetFrom: (height) => {
        this.#records.forgetFrom(height);
        this.#books.forget();
      },
    });
    this.#books = new KeptBooks(this.engine, {
      settings,
      fork: this.fork,
      currency: options.facts.currency,
      before: once(async () =>
        fork === undefined
          ? 0n
          : await startingSupply(fork, this.#genesisAccounts, ask),
      ),
      genesisAccounts: this.#genesisAccounts,
      known: this.#known,
      delegators: async (operator) =>
        await this.#delegators.all(this.height, operator),
      ownDelegators: async () => await this.#delegators.own(this.height),
      keyOf: (address) => this.pool.keys.get(address),
      minGasPrice: MIN_GAS_PRICE,
      minGasMultiplier: MIN_GAS_MULTIPLIER,
    });
    this.pool = new FrameworkPool({
      engine: this.engine,
      rules: this.#rules,
      head: () => this.head,
      books: () => this.#books.open("latest"),
      ...(this.fork === undefined
        ? {}
        : {
            jailedUntil: async (operator: string) => {
              const { valoper } = parseAddress(operator, {
                prefix: this.prefix,
              });
              return await jailedUntil(this.#books.open("latest"), valoper);
            },
          }),
      isReserved: async (account) => await this.#hasPending(account),
      note: (account, acts) => {
        this.#known.add(account);
        // Delegations by framework transactions emit no EVM log.
        if (acts) this.#delegators.add(account);
      },
      taken: () => {
        if (this.#minesAtOnce) void this.mine().catch(() => undefined);
      },
    });
  }

  /**
   * Creates a chain over a simulated network. A fork uses the denomination of
   * its chain, whatever is configured.
   *
   * @throws UnreadError when the state that a fork starts from cannot be read
   */
  static async over(
    network: SimulatedNetwork,
    options: ChainOptions,
  ): Promise<DualChain> {
    const { live, settings } = network.engine;
    const fork =
      live === undefined ? undefined : new ForkedChain(live, settings.prefix);
    const denom = (await fork?.base())?.denom ?? settings.denom;
    return new DualChain(network, options, fork, denom);
  }

  /** The bech32 prefix of account addresses. */
  get prefix(): string {
    return this.#rules.prefix;
  }

  /** The native denomination. */
  get denom(): string {
    return this.#rules.denom;
  }

  /**
   * Height of the newest block.
   *
   * @throws Fault before the first block
   */
  get height(): bigint {
    return this.head.height;
  }

  /**
   * The newest block.
   *
   * @throws Fault before the first block
   */
  get head(): Block {
    const { head } = this.#blocks;
    if (head === undefined) {
      throw new Fault(14, "the chain has not begun", { code: 1, log: "" });
    }
    return head;
  }

  /**
   * Height of this chain's first own block: 1, or the one after the forked
   * block.
   */
  get firstHeight(): bigint {
    return (this.fork?.height ?? 0n) + 1n;
  }

  /** Addresses of the genesis accounts in lower-case hex. */
  get genesisAccounts(): readonly string[] {
    return this.#genesisAccounts;
  }

  /** Addresses of all accounts seen so far, in lower-case hex. */
  get seenAccounts(): readonly string[] {
    return [...this.#known];
  }

  /**
   * Returns every address that may have a delegation, in lower-case hex; on a
   * fork, only those seen since the forked block.
   */
  async delegators(): Promise<readonly string[]> {
    return [...(await this.#delegators.own(this.height))];
  }

  /** The project's compiled contracts. */
  async contracts(): Promise<readonly KnownContract[]> {
    return (await this.#network.contracts?.()) ?? [];
  }

  /**
   * Milliseconds between blocks; 0 mines one for every transaction, and no
   * others.
   */
  get blockTimeMs(): number {
    return this.#options.blockTimeMs;
  }

  /** Whether the block timer is paused. */
  get paused(): boolean {
    return this.#timer.paused;
  }

  /** Pauses or resumes the block timer. */
  setPaused(paused: boolean): void {
    this.#timer.paused = paused;
  }

  /** Installs the modules, mines the first block and starts the block timer. */
  async start(): Promise<void> {
    await this.engine.install();
    const accounts = await this.#ask("eth_accounts");
    for (const account of Array.isArray(accounts) ? accounts : []) {
      this.#genesisAccounts.push(String(account).toLowerCase());
    }
    for (const account of [
      ...this.#genesisAccounts,
      ...(await this.#firstOperators()),
    ]) {
      this.#known.add(account.toLowerCase());
    }
    const { blockTimeMs } = this.#options;
    if (blockTimeMs > 0) {
      await this.#ask("evm_setAutomine", [false]);
    }
    await this.mine();
    if (blockTimeMs > 0) {
      this.#timer.start(blockTimeMs);
    }
  }

  /** Returns the operator addresses of the initial validators in hex. */
  async #firstOperators(): Promise<readonly string[]> {
    const { validators } = this.engine.settings;
    const base = await this.fork?.base();
    if (base === undefined) return validators.map(({ operator }) => operator);
    // Read the proposals now: read later, they would be missing at earlier
    // heights.
    await this.#books
      .open("latest")
      .governance.proposals()
      .catch(() => undefined);
    return base.validators.map(({ operator }) => operator);
  }

  /**
   * Stops the block timer, waits for a block in progress, and closes the
   * network.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer.stop();
    this.#blocks.close();
    this.#pendingListeners.clear();
    await this.#turns.between(async () => undefined);
    await this.#network.close();
  }

  /**
   * Calls the listener with each new block.
   *
   * @returns a function that removes the listener
   */
  onBlock(listener: BlockListener): () => void {
    return this.#blocks.onNew(listener);
  }

  /**
   * Calls the listener with the hash of each EVM transaction on arrival.
   *
   * @returns a function that removes the listener
   */
  onPending(listener: (hash: string) => void): () => void {
    this.#pendingListeners.add(listener);
    return () => this.#pendingListeners.delete(listener);
  }

  // ---- the EVM's side

  /**
   * Answers a JSON-RPC request of the EVM; its changes are visible on both
   * stacks.
   */
  async request(given: RpcRequest): Promise<unknown> {
    const request = withOneInput(given);
    const { method, params = [] } = request;
    const kind = kindOf(method);
    // Wait for a block in progress: clients see it on both stacks or on
    // neither.
    await this.#turns.making;
    if (method === "evm_mine" && params.length === 0) {
      await this.mine();
      return "0x0";
    }
    const own = nodeMethod(method);
    if (own !== undefined) return await own(this.#ask, params);
    const pass = async () => await this.#network.provider.request(request);
    if (kind === "send" || kind === "raw") {
      const hash = await (this.#minesAtOnce ? this.#changing(pass) : pass());
      this.#books.change();
      for (const listener of [...this.#pendingListeners]) {
        listener(String(hash));
      }
      return hash;
    }
    if (!CHANGING.has(kind) && !method.startsWith("dualstack_")) {
      return await pass();
    }
    if (kind === "set" && typeof params[0] === "string") {
      this.#known.add(params[0].toLowerCase());
    }
    return await this.#changing(pass, kind === "reset" || kind === "revert");
  }

  /** Whether each transaction gets its block at once. */
  get #minesAtOnce(): boolean {
    return this.#options.blockTimeMs === 0;
  }

  /**
   * Runs a task that may mine blocks, and announces those before any other
   * request runs.
   *
   * @param anew whether the chain may have gone back
   */
  async #changing<T>(task: () => Promise<T>, anew = false): Promise<T> {
    return await this.#turns.make(async () => {
      try {
        // Fees below the minimum are refused once the chain goes on.
        if (!this.#minesAtOnce) await keepBaseFee(this.#ask, MIN_GAS_PRICE);
        return await task();
      } finally {
        this.#books.change();
        await this.#blocks.observe(anew);
      }
    });
  }

  // ---- blocks

  /** Mines a block with the pending transactions of both stacks. */
  async mine(): Promise<void> {
    await this.#turns.make(async () => {
      if (this.#closed) return;
      await keepBaseFee(this.#ask, MIN_GAS_PRICE);
      await this.#ask("evm_mine");
      await this.#runPool();
      await this.#blocks.observe();
    });
  }

  /** Returns the next block's base fee, in base units per gas. */
  async nextBaseFee(): Promise<bigint> {
    return await nextBaseFee(this.#ask, MIN_GAS_PRICE);
  }

  async #runPool(): Promise<void> {
    if (this.pool.waiting.length === 0) return;
    // The simulated node refuses to set nonces while EVM transactions are
    // pending: until then, the framework's wait too.
    const pending = await this.#ask("eth_pendingTransactions");
    if (Array.isArray(pending) && pending.length > 0) return;
    const height = fromQuantity(await this.#ask("eth_blockNumber"), "a height");
    this.#records.execute(height, await this.pool.runAll(height));
    this.#books.change();
  }

  async #hasPending(account: string): Promise<boolean> {
    const pending = await this.#ask("eth_pendingTransactions");
    return (Array.isArray(pending) ? pending : []).some(
      (one) => isRecord(one) && String(one.from).toLowerCase() === account,
    );
  }

  async #note(block: Block): Promise<void> {
    const { transactions } = block.evm;
    for (const one of Array.isArray(transactions) ? transactions : []) {
      const { from, to } = one as { from?: unknown; to?: unknown };
      for (const account of [from, to]) {
        if (typeof account === "string") this.#known.add(account.toLowerCase());
      }
    }
    await this.#records.note(block);
  }

  /** Returns the block at a height; `undefined` when there is none. */
  async blockAt(height: bigint): Promise<Block | undefined> {
    return await this.#blocks.at(height);
  }

  /** Returns the block with an EVM hash; `undefined` when there is none. */
  async blockByHash(hash: string): Promise<Block | undefined> {
    return await this.#blocks.byHash(hash);
  }

  /**
   * Returns a block's transactions of both stacks, the EVM's first.
   *
   * @throws Fault when the block is older than the fork
   */
  async transactionsAt(height: bigint): Promise<readonly TransactionRecord[]> {
    this.#requireOwn(height, this.firstHeight);
    const block = await this.blockAt(height);
    return block === undefined ? [] : await this.#records.of(block);
  }

  /**
   * Finds a transaction of either stack by its framework hash in upper-case
   * hex.
   */
  async transaction(hash: string): Promise<TransactionRecord | undefined> {
    const height = this.#records.heightOf(hash);
    return height === undefined
      ? undefined
      : (await this.transactionsAt(height)).find((one) => one.hash === hash);
  }

  /** Heights of blocks with transactions, oldest first. */
  get busyHeights(): readonly bigint[] {
    return this.#records.busyHeights;
  }

  // ---- books

  /** @throws Fault when the height is older than the fork */
  #requireOwn(height: bigint, first: bigint): void {
    if (this.fork !== undefined && height < first) {
      throw beforeFork(height, this.fork.height);
    }
  }

  /**
   * Returns the books at the end of a block.
   *
   * @param height of the block; 0 for the newest
   * @throws Fault when the block is in the future, or older than the fork
   */
  booksAt(height: bigint): Books {
    const { head } = this;
    if (height > head.height) throw inTheFuture();
    if (height !== 0n) this.#requireOwn(height, this.firstHeight - 1n);
    return this.#books.at(height === 0n ? head.height : height, head);
  }

  /**
   * Adds a framework transaction to the pool.
   *
   * @returns its hash, with the refusal when the pool does not accept it
   * @throws Fault when the pool has seen it before
   */
  async broadcast(transaction: Uint8Array) {
    // A node checks none while a block runs: its sequence may change there.
    return await this.#turns.between(
      async () => await this.pool.broadcast(transaction),
    );
  }

  /**
   * Checks a framework transaction as {@link broadcast} does.
   *
   * @returns the refusal; `undefined` when the pool would accept it
   */
  async check(transaction: Uint8Array) {
    return await this.#turns.between(
      async () => await this.pool.check(transaction),
    );
  }

  /**
   * Returns the gas that a framework transaction would use.
   *
   * @throws Fault when it is refused or fails
   */
  async simulate(transaction: Uint8Array): Promise<bigint> {
    return await this.#turns.between(
      async () => await this.pool.simulate(transaction),
    );
  }
}

/**
 * Leaves one of the two names that a call's data has: some clients send both,
 * for nodes that know only one of them, and a simulated network refuses that.
 */
function withOneInput(request: RpcRequest): RpcRequest {
  const [call, ...others] = request.params ?? [];
  if (!isRecord(call) || call["input"] == null || call["data"] == null) {
    return request;
  }
  const { data: _, ...rest } = call;
  return { ...request, params: [rest, ...others] };
}
