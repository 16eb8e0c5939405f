import { Interface } from "ethers";

import type { ChainFacts } from "../chain/facts.js";
import type { KnownContract } from "../framework/contracts.js";
import type { Act } from "../localnet/acts.js";
import type { LocalEngine } from "../localnet/engine.js";
import { kindOf, type MethodKind } from "../localnet/request/methods.js";
import { stakingAbi } from "../precompiles/staking/abi.js";
import type { RpcProvider, RpcRequest } from "../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import { Queue } from "../support/async.js";
import { once } from "../support/once.js";
import type { Block } from "./block.js";
import type { Books, Ledger } from "./books.js";
import { EmulatedBooks, type Surroundings } from "./emulated-books.js";
import { beforeFork, Fault, inTheFuture } from "./fault.js";
import { ForkedChain } from "./forked-chain.js";
import type { TransactionRecord } from "./history.js";
import { evmRecord, logsOf } from "./transactions/evm.js";
import { FrameworkPool } from "./transactions/pool.js";
import type { FeeRules } from "./transactions/transaction.js";
import { Views } from "./views.js";

/** A simulated network with emulated precompiles, as a major of Hardhat makes it. */
export interface SimulatedNetwork {
  /** Answers JSON-RPC as the network's clients ask it. */
  readonly provider: RpcProvider;
  readonly engine: LocalEngine;
  /** The project's contracts that are compiled already. */
  readonly contracts?: () => Promise<readonly KnownContract[]>;
  close(): Promise<void>;
}

export interface ChainOptions {
  readonly facts: ChainFacts;
  readonly evmChainId: number;
  /** Milliseconds between blocks; 0: a block for every transaction, and no others. */
  readonly blockTimeMs: number;
}

export type { Block } from "./block.js";
export type BlockListener = (block: Block) => void;

/** As on the chain: the base fee does not fall below it. */
const MIN_GAS_PRICE = 10n ** 9n;
const MIN_GAS_MULTIPLIER = 5n * 10n ** 17n;
/** Books of so many heights are kept, with what was asked of them. */
const BOOKS_KEPT = 32;
/** Of so many transactions it is kept what modules did, which takes a trace to find out. */
const ACTS_KEPT = 10_000;
/** More new blocks at once than this are not announced one by one. */
const MOST_ANNOUNCED = 1_000n;
const BASE_FEE_DENOMINATOR = 8n;
const ELASTICITY = 2n;

const STAKING = new Interface(stakingAbi);

/** Requests after which there may be a block, or another state. */
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

function dropOldest(map: Map<string, unknown>, limit: number): void {
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}

function toBlock(evm: Readonly<Record<string, unknown>>): Block {
  const number = (name: string) =>
    fromQuantity(evm[name], "a field of a block");
  return {
    height: number("number"),
    hash: String(evm["hash"]),
    parentHash: String(evm["parentHash"]),
    stateRoot: String(evm["stateRoot"]),
    time: number("timestamp"),
    gasUsed: number("gasUsed"),
    baseFee: number("baseFeePerGas"),
    evm,
  };
}

/** One chain with both stacks over a simulated network: its blocks, books and transactions. */
export class DualChain implements Ledger {
  readonly evmChainId: number;
  /** The framework's chain ID. */
  readonly chainId: string;
  readonly engine: LocalEngine;
  /** Transactions of the framework. */
  readonly pool: FrameworkPool;
  /** The chain that this one forks; `undefined`: it has a genesis of its own. */
  readonly fork: ForkedChain | undefined;
  readonly #network: SimulatedNetwork;
  readonly #options: ChainOptions;
  readonly #rules: FeeRules;
  readonly #around: Surroundings;
  readonly #mining = new Queue();
  /** A block that is being made, or another change. */
  #making: Promise<void> | undefined;
  readonly #books = new Map<string, Books>();
  /** What modules did, by the hashes of block and transaction. */
  readonly #acts = new Map<string, readonly Act[]>();
  readonly #genesisAccounts: string[] = [];
  /** Accounts that were ever seen, in lower case. */
  readonly #known = new Set<string>();
  readonly #delegators = new Set<string>();
  /** From here on nobody has looked for them. */
  #delegatorsSince: bigint;
  /** Framework transactions by their blocks. */
  readonly #executed = new Map<bigint, TransactionRecord[]>();
  /** Heights by hashes of transactions, as the framework's side calls them. */
  readonly #heights = new Map<string, bigint>();
  readonly #listeners = new Set<BlockListener>();
  readonly #pendingListeners = new Set<(hash: string) => void>();
  #head: Block | undefined;
  /** Counts changes of the state beside blocks. */
  #changes = 0;
  #timer: NodeJS.Timeout | undefined;
  #paused = false;
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
    this.#delegatorsSince = fork === undefined ? 0n : fork.height + 1n;
    this.#around = {
      settings,
      fork: this.fork,
      currency: options.facts.currency,
      before: once(async () => await this.#tokensBefore()),
      genesisAccounts: this.#genesisAccounts,
      known: this.#known,
      delegators: async (operator) => await this.#allDelegators(operator),
      ownDelegators: async () => await this.#findDelegators(),
      keyOf: (address) => this.pool.keys.get(address),
      minGasPrice: MIN_GAS_PRICE,
      minGasMultiplier: MIN_GAS_MULTIPLIER,
    };
    this.pool = new FrameworkPool({
      engine: this.engine,
      rules: this.#rules,
      height: () => this.height,
      books: () => this.#booksOf("latest"),
      isReserved: async (account) => await this.#hasPending(account),
      note: (account, acts) => {
        this.#known.add(account);
        // Delegations by the framework's side have no event on the EVM's.
        if (acts) this.#delegators.add(account);
      },
      taken: () => {
        if (this.#minesAtOnce) void this.mine().catch(() => undefined);
      },
    });
  }

  /**
   * A chain over a simulated network. A fork's tokens are those of its chain,
   * whatever is configured.
   *
   * @throws UnreadError where what a fork begins with cannot be read
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

  get prefix(): string {
    return this.#rules.prefix;
  }

  get denom(): string {
    return this.#rules.denom;
  }

  get height(): bigint {
    return this.head.height;
  }

  get head(): Block {
    if (this.#head === undefined) {
      throw new Fault(14, "the chain has not begun", { code: 1, log: "" });
    }
    return this.#head;
  }

  /** The first block that is this chain's own. */
  get firstHeight(): bigint {
    return (this.fork?.height ?? 0n) + 1n;
  }

  /** The accounts of the genesis, in lower case. */
  get genesisAccounts(): readonly string[] {
    return this.#genesisAccounts;
  }

  /** Accounts that were ever seen, in lower case. */
  get seenAccounts(): readonly string[] {
    return [...this.#known];
  }

  /** Everybody who may have a delegation, in lower case; of a fork's chain only who was seen since. */
  async delegators(): Promise<readonly string[]> {
    return [...(await this.#findDelegators())];
  }

  /** The project's contracts that are compiled already. */
  async contracts(): Promise<readonly KnownContract[]> {
    return (await this.#network.contracts?.()) ?? [];
  }

  /** Milliseconds between blocks; 0: a block for every transaction, and no others. */
  get blockTimeMs(): number {
    return this.#options.blockTimeMs;
  }

  /** Whether no blocks come by themselves. */
  get paused(): boolean {
    return this.#paused;
  }

  /** Lets blocks come by themselves, or not. */
  setPaused(paused: boolean): void {
    this.#paused = paused;
  }

  /** Installs the modules and mines the first block. */
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
      this.#schedule(blockTimeMs);
    }
  }

  /** Of the validators that the chain begins with. */
  async #firstOperators(): Promise<readonly string[]> {
    const { validators } = this.engine.settings;
    const base = await this.fork?.base();
    if (base === undefined) return validators.map(({ operator }) => operator);
    // Later they could not be told at the heights before.
    await this.#booksOf("latest")
      .proposals()
      .catch(() => undefined);
    return base.validators.map(({ operator }) => operator);
  }

  /** What a fork began with: the chain's tokens, and what the network's accounts were given. */
  async #tokensBefore(): Promise<bigint> {
    const { fork } = this;
    if (fork === undefined) return 0n;
    const accounts = this.#genesisAccounts;
    const block = toQuantity(fork.height);
    const [supply, had, have] = await Promise.all([
      fork.supply(),
      fork.balances(accounts),
      Promise.all(
        accounts.map(async (account) =>
          fromQuantity(
            await this.#ask("eth_getBalance", [account, block]),
            "a balance",
          ),
        ),
      ),
    ]);
    const sum = (all: readonly bigint[]) => all.reduce((a, b) => a + b, 0n);
    return supply + sum(have) - sum(had);
  }

  // Never two at once: the next block is due when the last one is there.
  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      const block = this.#paused ? Promise.resolve() : this.mine();
      void block
        .catch(() => undefined)
        .finally(() => {
          if (!this.#closed) this.#schedule(ms);
        });
    }, ms);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#pendingListeners.clear();
    await this.#mining.run(async () => undefined);
    await this.#network.close();
  }

  onBlock(listener: BlockListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hashes of the EVM's transactions as they come. */
  onPending(listener: (hash: string) => void): () => void {
    this.#pendingListeners.add(listener);
    return () => this.#pendingListeners.delete(listener);
  }

  // ---- the EVM's side

  /** A request of the EVM's JSON-RPC; what it changes shows on the other stack too. */
  async request(request: RpcRequest): Promise<unknown> {
    const { method, params = [] } = request;
    const kind = kindOf(method);
    // A block is there on both stacks, or on none.
    await this.#making;
    if (method === "evm_mine" && params.length === 0) {
      await this.mine();
      return "0x0";
    }
    const pass = async () => await this.#network.provider.request(request);
    if (kind === "send" || kind === "raw") {
      const hash = await (this.#minesAtOnce ? this.#changing(pass) : pass());
      this.#changes++;
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

  get #minesAtOnce(): boolean {
    return this.#options.blockTimeMs === 0;
  }

  /** Runs what may make blocks, and looks at these before anybody else does. */
  async #changing<T>(task: () => Promise<T>, anew = false): Promise<T> {
    return await this.#alone(async () => {
      try {
        return await task();
      } finally {
        this.#changes++;
        await this.#observe(anew);
      }
    });
  }

  async #alone<T>(task: () => Promise<T>): Promise<T> {
    const running = this.#mining.run(task);
    const making = running.then(
      () => undefined,
      () => undefined,
    );
    this.#making = making;
    try {
      return await running;
    } finally {
      if (this.#making === making) this.#making = undefined;
    }
  }

  async #ask(method: string, params: readonly unknown[] = []) {
    return await this.#network.provider.request({ method, params });
  }

  // ---- blocks

  /** Mines a block with what waits on both stacks. */
  async mine(): Promise<void> {
    await this.#alone(async () => {
      if (this.#closed) return;
      await this.#keepBaseFee();
      await this.#ask("evm_mine");
      await this.#runPool();
      await this.#observe();
    });
  }

  // As the chain's fee market, but never below its minimum.
  async #keepBaseFee(): Promise<void> {
    const head = await this.#ask("eth_getBlockByNumber", ["latest", false]);
    const fields = isRecord(head) ? head : {};
    const number = (name: string) =>
      fromQuantity(fields[name], "a field of a block");
    const target = number("gasLimit") / ELASTICITY;
    const base = number("baseFeePerGas");
    const fall = target - number("gasUsed");
    const next =
      fall <= 0n ? base : base - (base * fall) / target / BASE_FEE_DENOMINATOR;
    if (next < MIN_GAS_PRICE) {
      await this.#ask("hardhat_setNextBlockBaseFeePerGas", [
        toQuantity(MIN_GAS_PRICE),
      ]);
    }
  }

  async #runPool(): Promise<void> {
    if (this.pool.waiting.length === 0) return;
    // A simulated node sets no nonce while transactions wait for others of their account: then these wait too.
    const pending = await this.#ask("eth_pendingTransactions");
    if (Array.isArray(pending) && pending.length > 0) return;
    const height = fromQuantity(await this.#ask("eth_blockNumber"), "a height");
    this.#executed.set(height, await this.pool.runAll(height));
    this.#changes++;
  }

  async #hasPending(account: string): Promise<boolean> {
    const pending = await this.#ask("eth_pendingTransactions");
    return (Array.isArray(pending) ? pending : []).some(
      (one) => isRecord(one) && String(one.from).toLowerCase() === account,
    );
  }

  /** Looks at the blocks that are new. @param anew the chain may have gone back */
  async #observe(anew = false): Promise<void> {
    const latest = fromQuantity(await this.#ask("eth_blockNumber"), "a height");
    if (anew) {
      this.#forgetFrom(latest + 1n);
    }
    const last = this.#head?.height;
    if (last === latest && !anew) return;
    const next = last === undefined || last >= latest ? latest : last + 1n;
    const first =
      latest - next > MOST_ANNOUNCED ? latest - MOST_ANNOUNCED : next;
    for (let height = first; height <= latest; height++) {
      const block = await this.blockAt(height);
      if (block === undefined) return;
      await this.#note(block);
      this.#head = block;
      for (const listener of [...this.#listeners]) {
        listener(block);
      }
    }
  }

  #forgetFrom(height: bigint): void {
    for (const [hash, at] of this.#heights) {
      if (at >= height) this.#heights.delete(hash);
    }
    for (const at of this.#executed.keys()) {
      if (at >= height) this.#executed.delete(at);
    }
    this.#books.clear();
  }

  async #note(block: Block): Promise<void> {
    const { transactions } = block.evm;
    for (const one of Array.isArray(transactions) ? transactions : []) {
      const { from, to } = one as { from?: unknown; to?: unknown };
      for (const account of [from, to]) {
        if (typeof account === "string") this.#known.add(account.toLowerCase());
      }
    }
    for (const { hash } of await this.transactionsAt(block.height)) {
      this.#heights.set(hash, block.height);
    }
  }

  /** `undefined`: there is no such block. */
  async blockAt(height: bigint): Promise<Block | undefined> {
    if (this.#head?.height === height) return this.#head;
    const found = await this.#ask("eth_getBlockByNumber", [
      toQuantity(height),
      true,
    ]);
    return isRecord(found) ? toBlock(found) : undefined;
  }

  async blockByHash(hash: string): Promise<Block | undefined> {
    const found = await this.#ask("eth_getBlockByHash", [hash, true]);
    return isRecord(found) ? toBlock(found) : undefined;
  }

  async transactionsAt(height: bigint): Promise<readonly TransactionRecord[]> {
    this.#requireOwn(height, this.firstHeight);
    const block = await this.blockAt(height);
    if (block === undefined) return [];
    const executed = this.#executed.get(height) ?? [];
    const { transactions } = block.evm;
    const evm = await Promise.all(
      (Array.isArray(transactions) ? transactions : []).map(
        async (transaction: Readonly<Record<string, unknown>>, index) => {
          const found = await this.#ask("eth_getTransactionReceipt", [
            transaction["hash"],
          ]);
          const receipt = isRecord(found) ? found : {};
          const acts = await this.#actsOf(transaction, receipt);
          return evmRecord({ transaction, receipt, acts }, index, this.#rules);
        },
      ),
    );
    return [
      ...evm,
      ...executed.map((record, i) => ({ ...record, index: evm.length + i })),
    ];
  }

  /** What the modules did in a transaction of the EVM; they tell in logs that they did anything. */
  async #actsOf(
    transaction: Readonly<Record<string, unknown>>,
    receipt: Readonly<Record<string, unknown>>,
  ): Promise<readonly Act[]> {
    const { engine } = this;
    if (!logsOf(receipt).some(({ address }) => engine.isModule(address)))
      return [];
    const key = `${String(transaction["blockHash"])} ${String(transaction["hash"])}`;
    let acts = this.#acts.get(key);
    if (acts === undefined) {
      acts = await engine.actsOf(transaction);
      this.#acts.set(key, acts);
      dropOldest(this.#acts, ACTS_KEPT);
    }
    return acts;
  }

  /** By its hash in capitals. */
  async transaction(hash: string): Promise<TransactionRecord | undefined> {
    const height = this.#heights.get(hash);
    return height === undefined
      ? undefined
      : (await this.transactionsAt(height)).find((one) => one.hash === hash);
  }

  /** Heights that have transactions, the oldest first. */
  get busyHeights(): readonly bigint[] {
    return [...new Set(this.#heights.values())].sort((a, b) =>
      a < b ? -1 : a > b ? 1 : 0,
    );
  }

  // ---- books

  /** @throws Fault for what was before the fork */
  #requireOwn(height: bigint, first: bigint): void {
    if (this.fork !== undefined && height < first) {
      throw beforeFork(height, this.fork.height);
    }
  }

  booksAt(height: bigint): Books {
    const { head } = this;
    if (height > head.height) throw inTheFuture();
    if (height !== 0n) this.#requireOwn(height, this.firstHeight - 1n);
    const isHead = height === 0n || height === head.height;
    const key = isHead ? `${head.hash} ${this.#changes}` : String(height);
    let books = this.#books.get(key);
    if (books === undefined) {
      books = this.#booksOf(toQuantity(isHead ? head.height : height));
      this.#books.set(key, books);
      dropOldest(this.#books, BOOKS_KEPT);
    }
    return books;
  }

  #booksOf(block: string): Books {
    const read = async (method: string, params: readonly unknown[]) =>
      await this.engine.read(method, params);
    const { addresses } = this.engine.settings;
    return new EmulatedBooks(new Views(read, addresses, block), this.#around);
  }

  async broadcast(transaction: Uint8Array) {
    return await this.pool.broadcast(transaction);
  }

  async simulate(transaction: Uint8Array): Promise<bigint> {
    return await this.#mining.run(
      async () => await this.pool.simulate(transaction),
    );
  }

  /** Those of the forked chain too. @param operator only those that may have delegated to it there */
  async #allDelegators(operator?: string): Promise<Iterable<string>> {
    const own = await this.#findDelegators();
    const before = await this.fork?.delegators(operator);
    return before === undefined ? own : new Set([...own, ...before]);
  }

  // Delegations begin with an event, or with a validator.
  async #findDelegators(): Promise<Iterable<string>> {
    const { settings } = this.engine;
    if (this.fork === undefined) {
      for (const { operator } of settings.validators) {
        this.#delegators.add(operator.toLowerCase());
      }
    }
    const until = this.height;
    if (until >= this.#delegatorsSince) {
      const logs = await this.#ask("eth_getLogs", [
        {
          address: settings.addresses.staking,
          fromBlock: toQuantity(this.#delegatorsSince),
          toBlock: toQuantity(until),
          topics: [
            ["Delegate", "CreateValidator"].map(
              (name) => STAKING.getEvent(name)?.topicHash,
            ),
          ],
        },
      ]);
      for (const log of Array.isArray(logs) ? logs : []) {
        const topic =
          isRecord(log) && Array.isArray(log.topics)
            ? log.topics[1]
            : undefined;
        if (typeof topic === "string") {
          this.#delegators.add(`0x${topic.slice(-40)}`);
        }
      }
      this.#delegatorsSince = until + 1n;
    }
    return this.#delegators;
  }
}
