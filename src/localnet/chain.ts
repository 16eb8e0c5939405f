import { UnreadError } from "../live-state/unreadable.js";
import { MODULE_ACCOUNTS } from "../precompiles/module-accounts.js";
import { DualstackError } from "../support/errors.js";
import { isRecord, toQuantity } from "../rpc/quantities.js";
import { RESERVE } from "./modules/accounts.js";
import {
  type AccountAction,
  type ActionOutcome,
  creationsIn,
  logsIn,
  reasonOf,
  type StepOutcome,
  transfer,
} from "./action.js";
import { BlockEnds } from "./block-end/blocks.js";
import {
  type Amendment,
  type Correction,
  constructionAsCall,
  constructionCorrection,
  correct,
  isConstruction,
  type Overrides,
} from "./arrangement/construction.js";
import type { Codes } from "./foresight/codes.js";
import { type Effect, isView, larger } from "./foresight/effects.js";
import { linkEmulator, type Emulator } from "./modules/emulator.js";
import type { BlockBegin } from "./fork/begin.js";
import { LiveBooks, type LiveOptions } from "./fork/live-books.js";
import { MeetingFinder, type Meetings, noMeetings } from "./fork/meetings.js";
import { ample, gasNeed, gasShape, sameWay } from "./foresight/gas-need.js";
import { type GenesisOverrides, installGenesis } from "./modules/genesis.js";
import type { CallRequest } from "./request/calls.js";
import type { Head, LocalNode } from "./node/node.js";
import { Observer, type Run } from "./foresight/observer.js";
import { Patches } from "./arrangement/patches.js";
import { Payments, SeenPayment } from "./arrangement/payments.js";
import { MAX_ROUNDS, NO_PLAN, type Plan, Planner } from "./arrangement/plan.js";
import type { LocalnetSettings } from "./settings/settings.js";
import { debtsAfter, settle } from "./block-end/settlement.js";
import { SystemCalls } from "./modules/system.js";
import { type Called, type Frame, inspect } from "./foresight/trace.js";
import { WaitingTransactions } from "./block-end/waiting.js";

interface Begun {
  readonly at: bigint;
  readonly genesis: GenesisOverrides;
}

interface Saved {
  readonly installed: boolean;
  readonly begun: Begun | undefined;
  readonly patches: ReturnType<Patches["save"]> | undefined;
  readonly waiting: ReturnType<WaitingTransactions["save"]>;
  readonly blocks: ReturnType<BlockEnds["save"]>;
  readonly debts: string;
  readonly books: ReturnType<LiveBooks["save"]> | undefined;
}

/** A transaction of a block that was just mined. */
interface MinedRun extends Run {
  readonly block: bigint;
}

/** A transaction of a block, and its outermost frame. */
export interface MinedFrames {
  readonly hash: string;
  readonly root: Frame;
}

/** What came of a request. */
type Outcome = { readonly value: unknown } | { readonly error: unknown };

interface Installed {
  /** Where the staking module notes that its validator set must change. */
  readonly setChangedAt: { readonly slot: string; readonly offset: number };
  /** Where it notes the payments that were put off. */
  readonly debtsAt: string;
  readonly emulator: Emulator;
  readonly patches: Patches;
  readonly observer: Observer;
  readonly planner: Planner;
}

/**
 * The emulated part of the chain: what is installed, who can pay, what waits
 * in the pool and at the ends of blocks. Its methods run one at a time.
 */
export class LocalChain {
  readonly node: LocalNode;
  readonly system: SystemCalls;
  readonly blocks: BlockEnds;
  readonly settings: LocalnetSettings;
  readonly #codes: Codes;
  intervalMining: boolean;

  readonly #forked: boolean;
  readonly #staking: string;
  readonly #modules: ReadonlySet<string>;
  readonly #precompiles: ReadonlySet<string>;
  /** Of the precompiles, by their addresses. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #accounts: ReadonlySet<string>;
  #parts: Installed | undefined;
  #installed = false;
  /** The block at which the modules were installed, and what they began with. */
  #begun: Begun | undefined;
  #automine: boolean | undefined;
  /** The word that notes payments, when all of them had been taken. */
  #debts = "0x";
  readonly #snapshots = new Map<string, Saved>();
  readonly #waiting: WaitingTransactions;
  /** Of a fork of the chain. */
  #books: LiveBooks | undefined;
  #finder: MeetingFinder | undefined;
  /** The head while nothing has changed the forked state; `undefined` once something has without a block. */
  #untouchedHead: bigint | undefined;
  /** The last estimate: tests send the same again and again. */
  #estimated: { readonly shape: string; readonly gas: bigint } | undefined;

  constructor(
    node: LocalNode,
    settings: LocalnetSettings,
    codes: Codes,
    options: { intervalMining: boolean; forked: boolean },
  ) {
    this.node = node;
    this.#codes = codes;
    this.settings = settings;
    this.intervalMining = options.intervalMining;
    this.#forked = options.forked;
    const { staking, distribution, governance, bech32 } = settings.addresses;
    this.#staking = staking.toLowerCase();
    this.#modules = new Set(
      [staking, distribution, governance].map((address) =>
        address.toLowerCase(),
      ),
    );
    this.#precompiles = new Set([...this.#modules, bech32.toLowerCase()]);
    this.#names = new Map(
      Object.entries(settings.addresses).map(([name, address]) => [
        address.toLowerCase(),
        name,
      ]),
    );
    this.#accounts = new Set([
      ...this.#precompiles,
      ...Object.values(MODULE_ACCOUNTS),
      RESERVE,
    ]);
    this.system = new SystemCalls(node, this.#staking);
    this.blocks = new BlockEnds(node, this.system, {
      next: () => this.#books?.next(),
      read: async (time) => {
        const books = this.#books;
        if (books !== undefined) await books.load(books.comeTo(time));
      },
    });
    this.#waiting = new WaitingTransactions(node);
  }

  get installed(): boolean {
    return this.#installed;
  }

  /** Whether the books are those of the chain that is forked, read when something meets them. */
  get isLive(): boolean {
    return this.#books !== undefined;
  }

  /** The network forks the chain from now on. `head`: of the fork before anything happened on it. */
  fork(live: LiveOptions, head: bigint): void {
    this.#books = new LiveBooks(this.node, this.settings, live, this.#accounts);
    this.#untouchedHead = head;
    // What was loaded before belongs to another chain.
    this.#parts = undefined;
  }

  /** The fork's first block is the chain's own next one; see {@link LiveBooks.beginNextBlock}. */
  beginNextBlock(): void {
    this.#books?.beginNextBlock();
  }

  /** What that block began with, as far as stores told it and it was needed. */
  get begin(): BlockBegin | undefined {
    return this.#books?.begin;
  }

  /**
   * Mines one block of transactions in their order, as far as the node takes
   * them: signed ones, or what accounts send that it impersonates.
   *
   * @returns what could not be as on the chain and was let pass
   * @throws where the node refuses a transaction; none is mined then
   */
  async mineSigned(
    transactions: readonly (string | Readonly<Record<string, unknown>>)[],
  ): Promise<readonly SeenPayment[]> {
    await this.ensure();
    for (const one of transactions) {
      const hash = await this.node.ask(
        typeof one === "string"
          ? "eth_sendRawTransaction"
          : "eth_sendTransaction",
        [one],
      );
      // What it needs is found out when the block has run.
      this.#waiting.add(String(hash).toLowerCase(), NO_PLAN);
    }
    const seen: SeenPayment[] = [];
    const mine = async () => await this.node.ask("evm_mine");
    await this.#settling(mine, false, (late) => seen.push(late));
    return seen;
  }

  /** The transactions of a block with what they called. */
  async runsIn(block: bigint): Promise<readonly MinedFrames[]> {
    const transactions = (await this.node.transactions(block)) ?? [];
    const runs: MinedFrames[] = [];
    for (const transaction of transactions) {
      const { hash } = transaction;
      runs.push({ hash, root: await this.node.framesOf(transaction, true) });
    }
    return runs;
  }

  set automine(on: boolean) {
    this.#automine = on;
  }

  /** Whether nothing has to be done after a transaction's block but what is due at its end. */
  get idle(): boolean {
    return this.#waiting.size === 0 && !this.intervalMining;
  }

  get #minesAtOnce(): boolean {
    return this.#automine !== false && !this.intervalMining;
  }

  /** Whether a block that nothing of the emulation is in needs no look at all. */
  get still(): boolean {
    return this.idle && (!this.#installed || this.blocks.due === undefined);
  }

  /** Whether an account belongs to the emulation. */
  owns(address: unknown): boolean {
    return (
      typeof address === "string" && this.#accounts.has(address.toLowerCase())
    );
  }

  /** Whether an account's balance is in the modules' books. */
  isBooked(address: unknown): boolean {
    return (
      typeof address === "string" &&
      this.owns(address) &&
      !this.#precompiles.has(address.toLowerCase())
    );
  }

  /** Whether an account is one of the modules' precompiles. */
  isModule(address: string): boolean {
    return this.#modules.has(address.toLowerCase());
  }

  /** Whether an account is one of the precompiles. */
  isPrecompile(address: string): boolean {
    return this.#precompiles.has(address);
  }

  /** What a stack trace calls an account of the emulation; see {@link NameFrame}. */
  frameName(address: string): string | null | undefined {
    return (
      this.#names.get(address) ??
      (this.#parts?.patches.wasProxy(address) === true ? null : undefined)
    );
  }

  /** Installs the modules where they are not yet. */
  async ensure(): Promise<void> {
    if (this.#installed) return;
    const { emulator } = await this.#load();
    const begin = await this.#install(emulator);
    await this.#punish();
    this.#debts = await this.#readDebts();
    this.#installed = true;
    this.#automine ??= (await this.node.ask("hardhat_getAutomine")) === true;
    await this.blocks.begin(begin, this.isLive);
    if (this.isLive) this.blocks.forgetTime();
    if (this.blocks.mayBeDue()) await this.blocks.process();
  }

  /** What the begin of the chain's own next block does to validators that missed too many. */
  async #punish(): Promise<void> {
    const { begin } = this;
    if (begin === undefined || begin.punished.length === 0) return;
    const { number, timestamp } = await this.node.head();
    const height = number + 1n;
    for (const operator of begin.punished) {
      await this.system.run("slash", [
        operator,
        begin.slashFraction,
        height,
        true,
        height,
        timestamp,
      ]);
    }
  }

  /** @returns the block that the state of the modules belongs to */
  async #install(emulator: Emulator): Promise<Head> {
    if (this.#books !== undefined) {
      const timestamp = await this.#books.install(emulator);
      return { number: this.#books.height, timestamp };
    }
    // A chain's genesis is its first block; what ran before the modules were needed did not concern them.
    const genesis = await this.node.head(this.#forked ? "latest" : "earliest");
    this.#begun = {
      at: (await this.node.head()).number,
      genesis: await installGenesis(
        this.node,
        emulator,
        this.system,
        this.settings,
        genesis,
      ),
    };
    return genesis;
  }

  /**
   * What a call gets from the chain that is forked: where it asks a block of
   * the chain's own, or nothing has changed since. `undefined`: it has to be
   * run here.
   *
   * @throws RpcError with the chain's refusal
   */
  async answerOfChain(
    call: CallRequest,
    request: unknown,
    block: unknown,
  ): Promise<{ readonly value: unknown } | undefined> {
    const books = this.#books;
    if (books === undefined) return undefined;
    const asksModule = call.to !== undefined && this.isModule(call.to);
    const height = heightOf(block);
    // A node takes block 0 for its newest one.
    if (height !== undefined && height > 0n && height < books.height) {
      return asksModule || (await this.#meetsModules(call, block))
        ? { value: await books.ask(request, height) }
        : undefined;
    }
    if (!asksModule || !(await this.#isUntouched(block))) return undefined;
    try {
      return { value: await books.ask(request, books.height) };
    } catch (error) {
      // The books may hold what the node does not say in this form.
      if (error instanceof UnreadError) return undefined;
      throw error;
    }
  }

  /** Whether a block is the fork's own, and nothing has changed its state. */
  async #isUntouched(block: unknown): Promise<boolean> {
    const height = heightOf(block);
    if (block !== "latest" && height === undefined) return false;
    const { number } = await this.node.head();
    return number === this.#untouchedHead && (height ?? number) === number;
  }

  async #meetsModules(call: CallRequest, block: unknown): Promise<boolean> {
    const { planner } = await this.#load();
    const found = await planner.look(call, block);
    return (
      found !== undefined && [...found.called].some((a) => this.#modules.has(a))
    );
  }

  /**
   * Reads what a request meets of the forked chain's books, so that it runs as
   * on the chain; installs the modules for that.
   *
   * @throws UnreadError where something cannot be read
   */
  async meet(call: CallRequest, block: unknown): Promise<void> {
    const books = this.#books;
    if (books === undefined) return;
    await this.ensure();
    const { planner } = await this.#load();
    const height = heightOf(block);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = await planner.look(call, block);
      if (found === undefined) return;
      const met = (await this.#meetings()).find(found.root, found.born);
      if (height !== undefined && height < (await this.node.head()).number) {
        books.requireAt(met, height);
        return;
      }
      if (!(await this.#read(met))) return;
    }
  }

  /** Pays what an account of the forked chain is due by now, which nothing has met. */
  async meetBalance(account: unknown, block: unknown): Promise<void> {
    const books = this.#books;
    const isNewest =
      block === undefined || block === "latest" || block === "pending";
    if (books === undefined || typeof account !== "string" || !isNewest) return;
    const { number, timestamp } = await this.node.head();
    if (number === this.#untouchedHead) return;
    if (!(await books.pays(account.toLowerCase(), timestamp))) return;
    await this.ensure();
    await this.#read({ ...noMeetings(), accounts: new Set([account]) });
  }

  async #meetings(): Promise<MeetingFinder> {
    return (this.#finder ??= await MeetingFinder.create(
      this.settings.addresses,
    ));
  }

  /** @returns whether anything was not there yet */
  async #read(met: Meetings): Promise<boolean> {
    if (this.#books === undefined || !(await this.#books.load(met)))
      return false;
    await this.blocks.refresh();
    // What was due long ago happens now, as if it had been there.
    if (this.blocks.due !== undefined) await this.blocks.process();
    return true;
  }

  /** The same for what the chain itself is about to do to a validator. */
  async meetOperator(operator: string): Promise<void> {
    await this.ensure();
    await this.#read({ ...noMeetings(), operators: new Set([operator]) });
  }

  /** The same for a proposal. */
  async meetProposal(id: bigint): Promise<void> {
    await this.ensure();
    await this.#read({
      ...noMeetings(),
      governance: true,
      proposals: new Set([id]),
    });
  }

  /**
   * The plan of a request that calls none of the emulation, while that is not
   * installed. Asked only where installing takes long: there it waits for the
   * first request that needs it.
   */
  async planWithout(
    call: CallRequest,
    block: unknown,
  ): Promise<Plan | undefined> {
    const isSure = call.to !== undefined && this.owns(call.to);
    const isCheap = this.node.tracesQuickly && !this.isLive;
    if (this.#installed || isCheap || isSure) return undefined;
    const calls =
      call.to === undefined ? undefined : await this.node.calls(call, block);
    if (calls !== undefined) return await this.#planWith(calls, block);
    let root: Frame;
    try {
      root = await this.node.frames(call, block);
    } catch {
      // Such as too little balance for the value: the request itself will say so.
      return NO_PLAN;
    }
    const { called, born } = inspect(
      root,
      this.#modules,
      this.#staking,
      this.#accounts,
    );
    return [...called].some((account) => this.#accounts.has(account))
      ? undefined
      : { ...NO_PLAN, creates: born.size > 0 };
  }

  async #planWith(
    calls: readonly Called[],
    block: unknown,
  ): Promise<Plan | undefined> {
    let creates = false;
    for (const { to } of calls) {
      if (this.#accounts.has(to)) return undefined;
      creates ||= (await this.#codes.of(to, block)).creates;
    }
    return { ...NO_PLAN, creates };
  }

  async #load(): Promise<Installed> {
    if (this.#parts === undefined) {
      const { emulatorCode, setChangedAt, debtsAt } = await import(
        "./generated/emulator.js"
      );
      const denom = (await this.#books?.denom()) ?? this.settings.denom;
      const emulator = linkEmulator(emulatorCode, { ...this.settings, denom });
      const patches = new Patches(this.node, emulator);
      const observer = new Observer(
        this.#codes,
        patches,
        this.#modules,
        this.#accounts,
      );
      this.#parts = {
        emulator,
        setChangedAt,
        debtsAt,
        patches,
        observer,
        planner: new Planner(
          this.node,
          patches,
          observer,
          this.#modules,
          this.#staking,
          this.#accounts,
        ),
      };
    }
    return this.#parts;
  }

  /**
   * Traces a transaction and arranges what it needs, to be taken away by
   * {@link release}; installs the modules if it needs them.
   *
   * @throws DualstackError where what happens could not be right
   */
  async prepare(
    call: CallRequest,
    block: unknown,
    purpose: "send" | "estimate",
  ): Promise<Plan> {
    const without = await this.planWithout(call, block);
    if (without !== undefined) return without;
    await this.ensure();
    await this.meet(call, block);
    const { planner, emulator } = await this.#load();
    const { plan, seen } = await planner.prepare(
      call,
      block,
      this.#standing,
      purpose === "send",
      purpose === "send" && this.#minesAtOnce && call.gas !== undefined,
    );
    const { owing, root, called } = plan;
    for (const account of this.#waiting.owing) {
      if (called.has(account)) {
        throw new DualstackError(
          "a pending transaction creates a contract that pays a precompile, and this one calls it",
          {
            address: account,
            fix: "Mine a block first.",
          },
        );
      }
    }
    if (seen === undefined) return plan;
    if (
      this.#minesAtOnce &&
      root !== undefined &&
      isConstruction(call, owing, root) &&
      !(await planner.looksAt(seen.actor, call, block, root))
    ) {
      // What the constructor does is worked out for exactly the block that it will be in.
      if (purpose === "send") await this.#fixNextTime();
      const correction = await constructionCorrection(
        this.node,
        emulator,
        call,
        block,
        root,
      );
      if (correction !== undefined) return { ...plan, correction };
    }
    throw seen;
  }

  /** Takes away what was arranged for a transaction. */
  async release(): Promise<void> {
    await this.#parts?.planner.unlimit();
    await this.#parts?.patches.arrange(this.#standing);
  }

  /** A timer's blocks come at any time: what their transactions need stands until then. */
  get #standing(): ReadonlySet<string> {
    return this.intervalMining ? this.#waiting.payers : NO_PLAN.payers;
  }

  /**
   * The gas limit of a request that was traced. A node searches for it by
   * running the request some twenty times where calls below calls get less than
   * all; here one more trace shows whether the first one told it.
   * `undefined`: the node has to search.
   */
  async estimate(
    call: CallRequest,
    block: unknown,
    { touched, root }: Plan,
  ): Promise<bigint | undefined> {
    const need = root === undefined ? undefined : gasNeed(root);
    if (root === undefined || need === undefined) return undefined;
    const shape = gasShape(root);
    const last = this.#estimated;
    if (call.gas === undefined && last?.shape === shape) return last.gas;
    for (const gas of touched ? [need, ample(need)] : [need]) {
      if (call.gas !== undefined && BigInt(call.gas) < gas) return undefined;
      const again = await this.node.frames(
        { ...call, gas: toQuantity(gas) },
        block,
      );
      if (sameWay(again, root)) {
        this.#estimated = { shape, gas };
        return gas;
      }
    }
    return undefined;
  }

  async #fixNextTime(): Promise<void> {
    await this.node.ask("evm_setNextBlockTimestamp", [
      toQuantity(await this.node.nextTime()),
    ]);
    this.blocks.forgetTime();
  }

  /** What the modules began with, for a call at a block before the first request that needed them. */
  genesisAt(block: unknown): GenesisOverrides | undefined {
    const number = this.#forked ? undefined : heightOf(block);
    return number !== undefined && this.#begun && number < this.#begun.at
      ? this.#begun.genesis
      : undefined;
  }

  /**
   * What a call needs to be answered right: state overrides, and sometimes
   * another call. `undefined`: nothing. `otherCodes`: the call brings codes
   * along that are not known here.
   */
  async amend(
    call: CallRequest,
    block: unknown,
    otherCodes: boolean,
  ): Promise<Amendment | undefined> {
    // Only the emulation's own code runs, and it pays nothing.
    if (
      call.to !== undefined &&
      this.#modules.has(call.to.toLowerCase()) &&
      isView(call.data ?? "0x")
    )
      return undefined;
    const { planner, patches, emulator } = await this.#load();
    const glanced = await planner.glance(call, block, NO_PLAN.payers);
    const seen =
      glanced !== undefined && glanced.deferred.size === 0
        ? glanced
        : await planner.look(call, block);
    if (seen === undefined) return undefined;
    const overrides: Overrides = {};
    const limits = planner.callLimits(seen.root);
    for (const [account, gas] of limits?.balances ?? [])
      overrides[account] = { balance: toQuantity(gas) };
    const found = limits === undefined ? seen : planner.inspect(limits.root);
    const { called, root } = found;
    if (found.deferred.size > 0) {
      try {
        const payers = await planner.payersOf(call, block, found);
        Object.assign(overrides, await patches.overrides(payers, block));
      } catch (error) {
        if (!(error instanceof SeenPayment)) throw error;
        const born = new Set(
          [...found.deferred].filter((actor) => found.born.has(actor)),
        );
        if (!isConstruction(call, born, root)) throw error;
        return constructionAsCall(emulator, call, root);
      }
    }
    // On the chain a precompile has no code to be seen; where nobody calls it, nobody needs it.
    for (const precompile of this.#precompiles) {
      if (!called.has(precompile) && !otherCodes)
        overrides[precompile] = { code: "0x" };
    }
    return { overrides };
  }

  /** Sends a transaction that was prepared, and does what follows its block. */
  async send(plan: Plan, pass: () => Promise<unknown>): Promise<unknown> {
    if (!this.#installed) return await pass();
    if (this.#automine === false) {
      const hash = await pass();
      if (typeof hash === "string") this.#waiting.add(hash, plan);
      return hash;
    }
    if (plan.unsure || this.#waiting.size > 0) {
      await this.release();
      return await this.#settling(pass, true);
    }
    const expected = debtsAfter(this.#debts, plan.debts);
    let hash: unknown;
    try {
      hash = await pass();
      return hash;
    } finally {
      // A transaction that failed in its block throws too, and the block is there.
      await this.release();
      const corrected =
        plan.correction !== undefined &&
        (await this.#correct(hash, plan.correction));
      let { effect, touched } = plan;
      const word = await this.#readDebts();
      if (word === expected) {
        if (!corrected) await settle(this.node, plan.debts);
      } else if (word !== this.#debts) {
        touched = true;
        effect = larger(effect, await this.#settleLate());
      }
      this.#debts = word;
      await this.#afterBlocks(effect, touched);
    }
  }

  /**
   * Runs what mines blocks with waiting transactions, or one of which a trace
   * does not tell all. Where its own traces show that something was not as on
   * the chain, it is undone and runs again with what they taught.
   *
   * @param onLate told of a payment that was seen to be late, which is let pass then
   * @throws DualstackError where that has no end, or cannot be; nothing is left of the blocks then
   */
  async #settling(
    pass: () => Promise<unknown>,
    fixTime: boolean,
    onLate?: (seen: SeenPayment) => void,
  ): Promise<unknown> {
    const { patches, observer } = await this.#load();
    const payments = new Payments(observer, this.#waiting.payers);
    const { number } = await this.node.head();
    const start = async (account: string) =>
      await this.node.balance(account, toQuantity(number));
    let last: MinedRun | undefined;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const undo = await this.#checkpoint();
      try {
        if (fixTime) await this.#fixNextTime();
        await patches.arrange(payments.payers);
        const outcome = await pass().then(
          (value): Outcome => ({ value }),
          (error: unknown): Outcome => ({ error }),
        );
        payments.exclude(await patches.arrange(this.#standing));
        this.#codes.forget();
        const runs = await this.#runsAfter(number);
        last = runs.at(-1);
        const unread = await this.#unreadIn(runs);
        if (unread !== undefined) {
          await undo();
          await this.#read(unread);
          continue;
        }
        const settled = payments.settled(runs, start).catch((error) => {
          if (!(error instanceof SeenPayment) || onLate === undefined)
            throw error;
          onLate(error);
          return true;
        });
        if (await settled) {
          await this.#settle(runs);
          if ("error" in outcome) throw new Failed(outcome.error);
          return outcome.value;
        }
      } catch (error) {
        if (error instanceof Failed) throw error.reason;
        await undo();
        throw error;
      }
      await undo();
    }
    throw new DualstackError(
      "transactions of a block pay precompiles in another way each time they run, so the block was not mined",
      last?.name === undefined ? {} : { transaction: last.name },
    );
  }

  /** What runs met of the forked chain's books that was not there. */
  async #unreadIn(runs: readonly MinedRun[]): Promise<Meetings | undefined> {
    if (this.#books === undefined) return undefined;
    const finder = await this.#meetings();
    const met = finder.findAll(runs.map(({ found }) => found));
    return this.#books.lacks(met) ? met : undefined;
  }

  /** Takes what the transactions of blocks owe, and does what follows. */
  async #settle(runs: readonly MinedRun[]): Promise<void> {
    const debts = runs.flatMap(({ found }) => found.debts);
    const word = await this.#readDebts();
    if (word !== debtsAfter(this.#debts, debts)) throw unbalanced();
    await settle(this.node, debts);
    this.#debts = word;
    await this.#waiting.takeDone();
    const first = runs.find(({ found }) => found.effect !== "none");
    await this.#afterBlocks(
      runs.reduce<Effect>(
        (all, { found }) => larger(all, found.effect),
        "none",
      ),
      runs.some(({ found }) => found.touched),
      first?.block,
    );
  }

  /** Takes what the transactions of blocks owe that are there already. @returns their effect */
  async #settleLate(after?: bigint): Promise<Effect> {
    const { observer } = await this.#load();
    const from = after ?? (await this.node.head()).number - 1n;
    const runs = await this.#runsAfter(from);
    const debts = runs.flatMap(({ found }) => found.debts);
    const word = await this.#readDebts();
    await settle(this.node, debts);
    this.#debts = word;
    const start = async (account: string) =>
      await this.node.balance(account, toQuantity(from));
    const right = await new Payments(observer).settled(runs, start);
    if (!right) {
      throw new DualstackError(
        "a transaction did not run as its trace did, and read a balance from which tokens had gone to a precompile: it still saw them there",
        {
          transaction: runs.find(({ found }) => found.debts.length > 0)?.name,
          fix: "Mine its block by hand (evm_setAutomine): its transactions are then run again until they fit.",
        },
      );
    }
    return runs.reduce<Effect>(
      (all, { found }) => larger(all, found.effect),
      "none",
    );
  }

  /** The transactions of the blocks after one, until a block without any. */
  async #runsAfter(number: bigint): Promise<readonly MinedRun[]> {
    const { planner } = await this.#load();
    const runs: MinedRun[] = [];
    for (let block = number + 1n; ; block++) {
      const transactions = (await this.node.transactions(block)) ?? [];
      if (transactions.length === 0) return runs;
      for (const transaction of transactions) {
        runs.push({
          block,
          name: transaction.hash,
          sender: transaction.from,
          fee: transaction.fee,
          found: planner.inspect(await this.node.framesOf(transaction)),
          steps: async () => await this.node.stepsOf(transaction),
        });
      }
    }
  }

  async #readDebts(): Promise<string> {
    const { debtsAt } = await this.#load();
    return String(
      await this.node.ask("eth_getStorageAt", [
        this.#staking,
        debtsAt,
        "latest",
      ]),
    );
  }

  /** Notes the state. @returns goes back to it */
  async #checkpoint(): Promise<() => Promise<void>> {
    const id = await this.node.ask("evm_snapshot");
    const saved = this.#save();
    return async () => {
      await this.node.ask("evm_revert", [id]);
      this.#restore(saved);
      this.#codes.forget();
    };
  }

  async #correct(hash: unknown, correction: Correction): Promise<boolean> {
    const receipt =
      typeof hash === "string"
        ? await this.node.ask("eth_getTransactionReceipt", [hash])
        : undefined;
    if (!isRecord(receipt) || receipt.status !== "0x1") return false;
    await correct(this.node, correction);
    return true;
  }

  /** Mines. `fixTime`: the request leaves the next block's time to the node. */
  async mine(pass: () => Promise<unknown>, fixTime: boolean): Promise<unknown> {
    if (!this.#installed) return await pass();
    this.blocks.forgetTime();
    if (this.#waiting.size > 0) return await this.#settling(pass, fixTime);
    try {
      return await pass();
    } finally {
      await this.#afterBlocks("none", false);
    }
  }

  /** What blocks left behind that a timer mined. */
  async catchUp(): Promise<void> {
    if (!this.#installed) return;
    this.blocks.forgetTime();
    const done = await this.#waiting.takeDone();
    let effect: Effect = "none";
    let since: bigint | undefined;
    let first: bigint | undefined;
    for (const { plan, block } of done) {
      if (plan.effect !== "none" && (since === undefined || block < since))
        since = block;
      if (block > 0n && (first === undefined || block < first)) first = block;
      effect = larger(effect, plan.effect);
    }
    try {
      if (first !== undefined && (await this.#readDebts()) !== this.#debts)
        effect = larger(effect, await this.#settleLate(first - 1n));
    } finally {
      await this.release();
      await this.#afterBlocks(effect, effect !== "none", since);
    }
  }

  /** Whether a block that was just mined may have reached what is due. */
  mayBeDue(): boolean {
    return this.#installed && this.blocks.mayBeDue();
  }

  async endBlocks(): Promise<void> {
    await this.blocks.process();
  }

  async #afterBlocks(
    effect: Effect,
    touched: boolean,
    since?: bigint,
  ): Promise<void> {
    if (effect === "any" || (effect === "set" && (await this.#setChanged())))
      await this.blocks.refresh();
    if (this.blocks.mayBeDue()) await this.blocks.process(since);
    if (touched) await this.#checkBooks();
  }

  async #checkBooks(): Promise<void> {
    const [balanced] = await this.system.view("balanced");
    if (balanced !== true) throw unbalanced();
  }

  /** Whether the end of this block has to change the validator set. */
  async #setChanged(): Promise<boolean> {
    const { setChangedAt } = await this.#load();
    const word = String(
      await this.node.ask("eth_getStorageAt", [
        this.#staking,
        setChangedAt.slot,
        "latest",
      ]),
    );
    return word.slice(-2 - 2 * setChangedAt.offset).startsWith("01");
  }

  async snapshot(pass: () => Promise<unknown>): Promise<unknown> {
    const id = await pass();
    this.#snapshots.set(String(id), this.#save());
    return id;
  }

  async revert(id: unknown, pass: () => Promise<unknown>): Promise<unknown> {
    const done = await pass();
    const saved = this.#snapshots.get(String(id));
    if (done !== true || saved === undefined) return done;
    this.#snapshots.delete(String(id));
    this.#restore(saved);
    return done;
  }

  #save(): Saved {
    return {
      installed: this.#installed,
      begun: this.#begun,
      patches: this.#parts?.patches.save(),
      waiting: this.#waiting.save(),
      blocks: this.blocks.save(),
      debts: this.#debts,
      books: this.#books?.save(),
    };
  }

  #restore(saved: Saved): void {
    this.#installed = saved.installed;
    this.#begun = saved.begun;
    this.#parts?.patches.restore(saved.patches ?? new Map());
    this.#parts?.planner.forget();
    this.#waiting.restore(saved.waiting);
    this.blocks.restore(saved.blocks);
    this.#debts = saved.debts;
    this.#books?.restore(saved.books);
  }

  /** The state is another one, or gone. */
  forget(): void {
    this.#installed = false;
    this.#books = undefined;
    this.#parts?.patches.restore(new Map());
    this.#parts?.planner.forget();
    this.#waiting.clear();
    this.#snapshots.clear();
  }

  /** The user sets the code of an account. */
  async giveUp(account: unknown): Promise<void> {
    if (typeof account === "string")
      this.#parts?.patches.forget(account.toLowerCase());
    this.#parts?.planner.forget();
  }

  /** An account's code without what the emulation has put there; the chain's precompiles have none. */
  async shownCode(
    account: unknown,
    code: string,
    block: unknown,
  ): Promise<string> {
    if (
      code === "0x" ||
      this.#parts === undefined ||
      typeof account !== "string"
    )
      return code;
    const { emulator, patches } = this.#parts;
    if (emulator.codes.get(account.toLowerCase()) === code) return "0x";
    return (await patches.originalOf(code, block)) ?? code;
  }

  /** Runs something that the chain does by itself, after the head's block. */
  async act(method: string, args: readonly unknown[]): Promise<void> {
    await this.ensure();
    await this.#beforeActing(method, args);
    await this.system.run(method, args);
    await this.blocks.refresh();
    if (this.blocks.due !== undefined) await this.blocks.process();
  }

  /**
   * Runs an account's action at the end of the newest block: not as a
   * transaction of the EVM, but the account's nonce counts it. Its calls take
   * effect all or not at all; the fee is taken either way.
   *
   * @param dry whether everything is undone afterwards
   */
  async actAs(action: AccountAction, dry = false): Promise<ActionOutcome> {
    await this.ensure();
    this.#untouchedHead = undefined;
    const undoAll = dry ? await this.#checkpoint() : undefined;
    try {
      const { sender, fee } = action;
      const nonce = await this.node.nonce(sender);
      const balance = await this.node.balance(sender);
      await this.node.setBalance(sender, balance - fee);
      // A node sets no nonce while its pool holds anything.
      if (!dry) await this.node.setNonce(sender, nonce + 1n);
      return await this.#runAll(action, dry);
    } finally {
      await undoAll?.();
    }
  }

  async #runAll(
    { sender, steps }: AccountAction,
    dry: boolean,
  ): Promise<ActionOutcome> {
    const { planner } = await this.#load();
    const undo = await this.#checkpoint();
    const { number } = await this.node.head();
    const done: StepOutcome[] = [];
    let effect: Effect = "none";
    let touched = false;
    for (const step of steps) {
      if ("amount" in step) {
        const failure = await transfer(this.node, sender, step);
        if (failure !== undefined) {
          await undo();
          return { done, failure };
        }
        done.push({ logs: [], output: "0x", gas: 0n });
        continue;
      }
      const call = { from: sender, to: step.to, data: step.data };
      await this.meet(call, "latest");
      const root = await this.node.frames(call, "latest", true);
      if (root.error !== undefined) {
        await undo();
        return { done, failure: reasonOf(root) };
      }
      const found = planner.inspect(root);
      await this.node.apply(await this.node.changes(call, "latest", true));
      for (const { creator, address, code } of creationsIn(root)) {
        await this.node.setCode(address, code);
        if (!dry) {
          await this.node.setNonce(
            creator,
            (await this.node.nonce(creator)) + 1n,
          );
        }
      }
      await settle(this.node, found.debts);
      this.#debts = await this.#readDebts();
      effect = larger(effect, found.effect);
      touched ||= found.touched;
      done.push({
        logs: logsIn(root),
        output: root.output ?? "0x",
        gas: BigInt(root.gasUsed ?? "0x0"),
      });
    }
    await this.#afterBlocks(effect, touched, number);
    return { done };
  }

  /** What an act of the chain meets of the forked chain's books. */
  async #beforeActing(method: string, args: readonly unknown[]): Promise<void> {
    if (this.#books === undefined) return;
    this.#untouchedHead = undefined;
    const [operator, , infraction, , height] = args;
    if (method === "slash" && infraction !== height) {
      this.#books.requireNoneBefore(BigInt(String(infraction)));
    }
    if (ON_VALIDATORS.has(method)) await this.meetOperator(String(operator));
  }

  /** Mines one block at the time, or at the next possible one if that has passed. */
  async mineAt(time: bigint): Promise<void> {
    const head = await this.node.head();
    const at = time > head.timestamp ? time : head.timestamp + 1n;
    if (at > 2n ** 63n) throw new DualstackError("that time is out of reach");
    await this.node.ask("evm_setNextBlockTimestamp", [`0x${at.toString(16)}`]);
    await this.mine(() => this.node.ask("evm_mine"), true);
  }
}

/** Acts of the chain whose first argument is an operator. */
const ON_VALIDATORS = new Set(["slash", "jail", "unjail", "depositRewards"]);

/** A request failed, and what it did stays: a transaction that was reverted. */
class Failed {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

const unbalanced = () =>
  new DualstackError(
    "the books of the emulated modules do not match the balances of their accounts",
    { fix: "This is a fault of hardhat-dualstack: please report it." },
  );

/** The height that a request names; `undefined` for names of blocks that are not in the past, and for hashes. */
function heightOf(block: unknown): bigint | undefined {
  const named = isRecord(block) ? block.blockNumber : block;
  if (named === "earliest") return 0n;
  return typeof named === "string" && /^0x[0-9a-f]{1,16}$/i.test(named)
    ? BigInt(named)
    : undefined;
}
