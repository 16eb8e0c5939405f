// Leads what the engine does not let pass: before a request, while it runs, and
// after its block.

import { toQuantity, isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import {
  type AccountAction,
  type ActionHost,
  type ActionOutcome,
  runAction,
} from "./action.js";
import { type Act, actsIn } from "./acts.js";
import {
  type Amendment,
  type Correction,
  constructionAsCall,
  constructionCorrection,
  correct,
  isConstruction,
  type Overrides,
} from "./arrangement/construction.js";
import { Limits } from "./arrangement/limits.js";
import { Patches } from "./arrangement/patches.js";
import { SeenPayment } from "./arrangement/payments.js";
import { NO_PLAN, type Plan, Planner } from "./arrangement/plan.js";
import { BlockEnds } from "./block-end/blocks.js";
import { Ledger } from "./block-end/ledger.js";
import { debtsAfter, settle } from "./block-end/settlement.js";
import {
  type MinedFrames,
  Settling,
  type SettlingHost,
  type Watched,
} from "./block-end/settling.js";
import { WaitingTransactions } from "./block-end/waiting.js";
import { factsOf } from "./foresight/code.js";
import type { Codes } from "./foresight/codes.js";
import { type Effect, isView, larger } from "./foresight/effects.js";
import { Estimates } from "./foresight/estimates.js";
import { Observer } from "./foresight/observer.js";
import { type Frame, inspect } from "./foresight/trace.js";
import { LiveChain } from "./fork/live-chain.js";
import type { LiveBooks, LiveOptions } from "./fork/live-books.js";
import { Copies } from "./modules/copies.js";
import { linkEmulator, type Emulator } from "./modules/emulator.js";
import { EmulatedAccounts } from "./modules/emulated-accounts.js";
import { type GenesisOverrides, installGenesis } from "./modules/genesis.js";
import { Supply } from "./modules/supply.js";
import { SystemCalls } from "./modules/system.js";
import { type Head, type LocalNode, minedTransaction } from "./node/node.js";
import type { CallRequest } from "./request/calls.js";
import { heightOf } from "./request/height.js";
import { type Outcome, outcomeOf } from "./request/outcome.js";
import type { LocalnetSettings } from "./settings/settings.js";

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
  readonly given: bigint;
  readonly copies: ReturnType<Copies["save"]>;
  readonly books: ReturnType<LiveBooks["save"]> | undefined;
}

/** What is made of the emulator's code. */
interface Parts {
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
  /** Which accounts belong to the emulation. */
  readonly accounts: EmulatedAccounts;
  /** Which calls are too many. */
  readonly limits: Limits;
  /** Gas limits of what was traced. */
  readonly estimates: Estimates;
  intervalMining: boolean;
  /** Of a fork of the chain, whose books are read when something meets them. */
  live: LiveChain | undefined;

  readonly #codes: Codes;
  readonly #forked: boolean;
  readonly #ledger: Ledger;
  readonly #supply: Supply;
  readonly #copies: Copies;
  readonly #waiting: WaitingTransactions;
  readonly #settling: Settling;
  readonly #snapshots = new Map<string, Saved>();
  #parts: Parts | undefined;
  #installed = false;
  /** The block at which the modules were installed, and what they began with. */
  #begun: Begun | undefined;
  #automine: boolean | undefined;

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
    this.accounts = new EmulatedAccounts(settings);
    this.limits = new Limits(node, this.accounts);
    this.estimates = new Estimates(this.limits);
    this.system = new SystemCalls(node, this.accounts.staking);
    this.blocks = new BlockEnds(node, this.system, {
      next: () => this.live?.books.next(),
      read: async (time) => {
        const books = this.live?.books;
        if (books !== undefined) await books.load(books.comeTo(time));
      },
    });
    this.#ledger = new Ledger(node, this.system, this.accounts);
    this.#supply = new Supply(node, this.accounts.staking);
    this.#copies = new Copies(node, this.system, this.accounts);
    this.#waiting = new WaitingTransactions(node);
    this.#settling = new Settling(this.#host());
  }

  /** What the steps of a request that stand in files of their own need of this. */
  #host(): SettlingHost & ActionHost {
    return {
      node: this.node,
      codes: this.#codes,
      accounts: this.accounts,
      ledger: this.#ledger,
      waiting: this.#waiting,
      limits: this.limits,
      live: () => this.live,
      standing: () => this.#standing,
      parts: async () => await this.#load(),
      checkpoint: async () => await this.#checkpoint(),
      fixNextTime: async () => await this.#fixNextTime(),
      afterBlocks: async (effect: Effect, touched: boolean, since?: bigint) =>
        await this.#afterBlocks(effect, touched, since),
    };
  }

  get installed(): boolean {
    return this.#installed;
  }

  /** The network forks the chain from now on. `head`: of the fork before anything happened on it. */
  fork(live: LiveOptions, head: bigint): void {
    const { node, settings, accounts, system, blocks } = this;
    const host = {
      node,
      settings,
      accounts,
      system,
      blocks,
      ensure: async () => await this.ensure(),
      planner: async () => (await this.#load()).planner,
    };
    this.live = new LiveChain(host, live, head);
    // What was loaded before belongs to another chain.
    this.#parts = undefined;
  }

  /**
   * Mines one block of transactions in their order, as far as the node takes
   * them: signed ones, or what accounts send that it impersonates.
   *
   * @returns what ran, and what could not be as on the chain and was let pass
   * @throws where the node refuses a transaction; none is mined then
   */
  async mineSigned(
    transactions: readonly (string | Readonly<Record<string, unknown>>)[],
  ): Promise<Watched> {
    await this.ready();
    for (const one of transactions) {
      const hash = await this.node.ask(
        typeof one === "string"
          ? "eth_sendRawTransaction"
          : "eth_sendTransaction",
        [one],
      );
      // What else it needs is found out when the block has run.
      const payers = this.live?.foreseenPayers ?? NO_PLAN.payers;
      this.#waiting.add(String(hash).toLowerCase(), { ...NO_PLAN, payers });
    }
    const watched: Watched = { late: [], runs: [] };
    const mine = async () => await this.node.ask("evm_mine");
    await this.#settling.run(mine, false, NO_PLAN.payers, watched);
    return watched;
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

  /** What the modules did in a transaction of a block, as JSON-RPC tells that. */
  async actsOf(
    transaction: Readonly<Record<string, unknown>>,
  ): Promise<readonly Act[]> {
    const mined = minedTransaction(transaction);
    return actsIn(await this.node.framesOf(mined, true), this.accounts);
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

  /** What a stack trace calls an account of the emulation; see {@link NameFrame}. */
  frameName(address: string): string | null | undefined {
    return (
      this.accounts.nameOf(address) ??
      (this.#parts?.patches.wasProxy(address) === true ? null : undefined)
    );
  }

  /** Installs the modules where they are not yet. */
  async ensure(): Promise<void> {
    if (this.#installed) return;
    const { emulator } = await this.#load();
    const begin = await this.#install(emulator);
    await this.live?.punish();
    this.#ledger.taken = await this.#ledger.debts();
    this.#installed = true;
    this.#automine ??= (await this.node.ask("hardhat_getAutomine")) === true;
    await this.blocks.begin(begin, this.live !== undefined);
    if (this.live !== undefined) this.blocks.forgetTime();
    if (this.blocks.mayBeDue()) await this.blocks.process();
    await this.live?.readForeseen();
    await this.#expectCopies();
  }

  /** Whether the modules stand there with all that the gas of their calls depends on. */
  get isReady(): boolean {
    return this.#installed && !this.#copies.old;
  }

  /** Makes it so. */
  async ready(): Promise<void> {
    await this.ensure();
    if (this.#copies.old)
      await this.#copies.bring((await this.#load()).emulator);
  }

  /** @returns the block that the state of the modules belongs to */
  async #install(emulator: Emulator): Promise<Head> {
    const books = this.live?.books;
    if (books !== undefined) {
      const timestamp = await books.install(emulator);
      return { number: books.height, timestamp };
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
        this.#supply,
        genesis,
      ),
    };
    return genesis;
  }

  /**
   * Answers a call that calls none of the emulation. Where the node tells that
   * while it runs, it need not run in advance. `undefined`: it may call it.
   *
   * @throws what the call itself throws
   */
  async answerWithout(
    call: CallRequest,
    request: unknown,
    block: unknown,
    pass: () => Promise<unknown>,
  ): Promise<{ readonly value: unknown } | undefined> {
    const { to } = call;
    if (!this.node.tellsCalls || to === undefined || this.live !== undefined)
      return (await this.planWithout(call, block)) === undefined
        ? undefined
        : { value: await pass() };
    if (this.accounts.owns(to)) return undefined;
    // On the chain a precompile has no code to be seen.
    const hidden = Object.fromEntries(
      [...this.accounts.precompiles].map((one) => [one, { code: "0x" }]),
    );
    const ask = this.#installed
      ? async () => await this.node.ask("eth_call", [request, block, hidden])
      : pass;
    let outcome: Outcome | undefined;
    const calls = await this.node.callsDuring(to, async () => {
      outcome = await outcomeOf(ask());
    });
    if (
      outcome === undefined ||
      calls?.every((one) => !this.accounts.all.has(one.to)) !== true
    )
      return undefined;
    if ("error" in outcome) throw outcome.error;
    return outcome;
  }

  /**
   * The plan of a request that calls none of the emulation. Asked while that is
   * not installed, which waits for the first request that needs it, and where
   * who is called is told for less than the rest of the plan.
   */
  async planWithout(
    call: CallRequest,
    block: unknown,
    purpose: "send" | "estimate" = "send",
  ): Promise<Plan | undefined> {
    const isSure = this.accounts.owns(call.to);
    const isNeeded =
      this.#installed && (purpose === "send" || this.live !== undefined);
    if (isNeeded || isSure) return undefined;
    const calls =
      call.to === undefined ? undefined : await this.node.calls(call, block);
    if (calls !== undefined)
      return await this.#planOf(
        calls.map(({ to }) => to),
        [],
        block,
      );
    if (this.#installed) return undefined;
    let root: Frame;
    try {
      root = await this.node.frames(call, block);
    } catch {
      // Such as too little balance for the value: the request itself will say so.
      return NO_PLAN;
    }
    const { called, made } = inspect(root, this.accounts);
    const plan = await this.#planOf([...called], made, block);
    // By the frames it gets as much gas as it had in advance.
    return plan === undefined ? undefined : { ...plan, root };
  }

  /** `undefined`: one is called, or may be in the run that counts. */
  async #planOf(
    called: readonly string[],
    made: readonly string[],
    block: unknown,
  ): Promise<Plan | undefined> {
    if (called.some((account) => this.accounts.all.has(account)))
      return undefined;
    const facts = made.map(factsOf);
    for (const account of called)
      facts.push(await this.#codes.of(account, block));
    // Where installing takes long, only for what is surely otherwise.
    const mayDiffer = facts.some(({ varies, fees, foreignBalances }) =>
      this.node.tracesQuickly ? varies : fees || foreignBalances,
    );
    return mayDiffer
      ? undefined
      : { ...NO_PLAN, creates: facts.some(({ creates }) => creates) };
  }

  async #load(): Promise<Parts> {
    if (this.#parts === undefined) {
      const { emulatorCode } = await import("./generated/emulator.js");
      const denom = (await this.live?.books.denom()) ?? this.settings.denom;
      const emulator = linkEmulator(emulatorCode, { ...this.settings, denom });
      const { node, accounts } = this;
      const patches = new Patches(node, emulator);
      const observer = new Observer(this.#codes, patches, accounts);
      const planner = new Planner(
        node,
        patches,
        observer,
        accounts,
        this.limits,
      );
      this.#parts = { emulator, patches, observer, planner };
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
    const without = await this.planWithout(call, block, purpose);
    if (without !== undefined) return without;
    await this.ensure();
    await this.live?.meet(call, block);
    const { planner, emulator } = await this.#load();
    const look = async () =>
      await planner.prepare(call, block, this.#standing, purpose);
    let { plan, seen } = await look();
    if (this.#copies.old && this.#callsPrecompile(plan)) {
      await this.ready();
      ({ plan, seen } = await look());
    }
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

  #callsPrecompile({ called }: Plan): boolean {
    return [...called].some((one) => this.accounts.precompiles.has(one));
  }

  /** Takes away what was arranged for a transaction. */
  async release(): Promise<void> {
    await this.limits.tell();
    await this.#parts?.patches.arrange(this.#standing);
  }

  /** A timer's blocks come at any time: what their transactions need stands until then. */
  get #standing(): ReadonlySet<string> {
    return this.intervalMining ? this.#waiting.payers : NO_PLAN.payers;
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

  /** Whether only the emulation's own code runs in a call, and pays nothing. */
  isView({ to, data = "0x" }: CallRequest): boolean {
    return this.accounts.isModule(to) && isView(data);
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
    if (this.isView(call)) return undefined;
    const { planner, patches, emulator } = await this.#load();
    const glanced = await planner.glance(call, block, NO_PLAN.payers);
    const seen =
      glanced !== undefined && glanced.deferred.size === 0
        ? glanced
        : await planner.look(call, block);
    if (seen === undefined) return undefined;
    const overrides: Overrides = {};
    const excess = this.limits.glean(seen.root);
    for (const [account, { balance, code }] of excess?.told ?? [])
      overrides[account] = { balance: toQuantity(balance), code };
    const found = excess === undefined ? seen : planner.inspect(excess.root);
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
    for (const precompile of this.accounts.precompiles) {
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
      return await this.#settling.run(pass, true, plan.payers);
    }
    const expected = debtsAfter(this.#ledger.taken, plan.debts);
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
      const word = await this.#ledger.debts();
      if (word === expected) {
        if (!corrected) await settle(this.node, plan.debts);
      } else if (word !== this.#ledger.taken) {
        touched = true;
        effect = larger(effect, await this.#settling.settleLate());
      }
      this.#ledger.taken = word;
      await this.#afterBlocks(effect, touched);
    }
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
    if (this.#waiting.size > 0) return await this.#settling.run(pass, fixTime);
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
      if (
        first !== undefined &&
        (await this.#ledger.debts()) !== this.#ledger.taken
      )
        effect = larger(effect, await this.#settling.settleLate(first - 1n));
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
    let marks = effect === "none" ? undefined : await this.#ledger.marks();
    if (effect === "any" || marks?.changed === true)
      await this.blocks.refresh();
    if (this.blocks.mayBeDue()) {
      await this.blocks.process(since);
      marks = await this.#ledger.marks();
    }
    if (marks !== undefined)
      await this.#expectCopies(marks.edition, effect === "any");
    if (touched) await this.#ledger.check();
  }

  /** Notes which copies have to stand behind the precompiles' codes. */
  async #expectCopies(edition?: string, mayBeProposed = true): Promise<void> {
    const validators = edition ?? (await this.#ledger.marks()).edition;
    // On a fork a proposal's text is read when something meets it.
    const proposals =
      mayBeProposed && this.live === undefined
        ? await this.#ledger.proposals()
        : undefined;
    this.#copies.expect({ validators, proposals });
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
      debts: this.#ledger.taken,
      given: this.#supply.given,
      copies: this.#copies.save(),
      books: this.live?.books.save(),
    };
  }

  #restore(saved: Saved): void {
    this.#installed = saved.installed;
    this.#begun = saved.begun;
    this.#parts?.patches.restore(saved.patches ?? new Map());
    this.#parts?.planner.forget();
    this.limits.forget();
    this.#waiting.restore(saved.waiting);
    this.blocks.restore(saved.blocks);
    this.#ledger.taken = saved.debts;
    this.#supply.given = saved.given;
    this.#copies.restore(saved.copies);
    this.live?.books.restore(saved.books);
  }

  /** The state is another one, or gone. */
  forget(): void {
    this.#installed = false;
    this.#supply.given = 0n;
    this.#copies.restore();
    this.live = undefined;
    this.#parts?.patches.restore(new Map());
    this.#parts?.planner.forget();
    this.limits.forget();
    this.#waiting.clear();
    this.#snapshots.clear();
  }

  /** The user sets the balance of an account, which makes coins more or fewer. */
  async setBalance(
    account: unknown,
    pass: () => Promise<unknown>,
  ): Promise<unknown> {
    return typeof account !== "string" || this.live !== undefined
      ? await pass()
      : await this.#supply.change(account, this.#installed, pass);
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
    if (emulator.isAt(account.toLowerCase(), code)) return "0x";
    return (await patches.originalOf(code, block)) ?? code;
  }

  /** Runs something that the chain does by itself, after the head's block. */
  async act(method: string, args: readonly unknown[]): Promise<void> {
    await this.ensure();
    await this.live?.meetAct(method, args);
    await this.system.run(method, args);
    await this.blocks.refresh();
    if (this.blocks.due !== undefined) await this.blocks.process();
    await this.#expectCopies();
  }

  /** Runs an account's action; see {@link runAction}. */
  async actAs(action: AccountAction, dry = false): Promise<ActionOutcome> {
    await this.ready();
    return await runAction(this.#host(), action, dry);
  }

  /** Mines one block at the time, or at the next possible one if that has passed. */
  async mineAt(time: bigint): Promise<void> {
    const head = await this.node.head();
    const at = time > head.timestamp ? time : head.timestamp + 1n;
    if (at > 2n ** 63n) throw new DualstackError("that time is out of reach");
    await this.node.ask("evm_setNextBlockTimestamp", [toQuantity(at)]);
    await this.mine(() => this.node.ask("evm_mine"), true);
  }
}
