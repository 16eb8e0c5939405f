// Carries out what the engine does not pass on at once: before a request, while
// it runs, and after its block.

import { toQuantity, isRecord } from "../rpc/quantities.js";
import { DualstackError } from "../support/errors.js";
import {
  type AccountAction,
  type ActionHost,
  type ActionOutcome,
  runAction,
} from "./action.js";
import { type Act, actsIn } from "./acts.js";
import { type Correction, correct } from "./arrangement/construction.js";
import { Limits } from "./arrangement/limits.js";
import { Parts } from "./arrangement/parts.js";
import type { Patches } from "./arrangement/patches.js";
import { NO_PLAN, type Plan } from "./arrangement/plan.js";
import { Veils } from "./arrangement/veils.js";
import { AfterBlocks } from "./block-end/after-blocks.js";
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
import type { Codes } from "./foresight/codes.js";
import { type Effect, larger } from "./foresight/effects.js";
import { Estimates } from "./foresight/estimates.js";
import type { SentGas } from "./foresight/sent-gas.js";
import { LiveChain } from "./fork/live-chain.js";
import type { LiveBooks, LiveOptions } from "./fork/live-books.js";
import { Installation } from "./installation.js";
import { Copies } from "./modules/copies.js";
import { EmulatedAccounts } from "./modules/emulated-accounts.js";
import { Supply } from "./modules/supply.js";
import { SystemCalls } from "./modules/system.js";
import { Mining } from "./node/mining.js";
import { type LocalNode, minedTransaction } from "./node/node.js";
import { Preparation, type PreparationHost } from "./preparation.js";
import type { CallRequest } from "./request/calls.js";
import { type Outcome, valueOf } from "./request/outcome.js";
import type { LocalnetSettings } from "./settings/settings.js";
import { type Ran, Trials } from "./trials.js";

/** What a snapshot of the node does not hold. */
interface Saved {
  readonly installation: ReturnType<Installation["save"]>;
  readonly patches: ReturnType<Patches["save"]> | undefined;
  readonly waiting: ReturnType<WaitingTransactions["save"]>;
  readonly blocks: ReturnType<BlockEnds["save"]>;
  readonly debts: string;
  readonly given: bigint;
  readonly writes: number;
  readonly copies: ReturnType<Copies["save"]>;
  readonly books: ReturnType<LiveBooks["save"]> | undefined;
}

/** What is known of the node; see the engine's options. */
interface ChainOptions {
  readonly intervalMining: boolean;
  readonly forked: boolean;
  readonly estimatesLoosely: boolean;
}

/**
 * The emulated part of the chain: makes the parts that it consists of, runs
 * requests with them, and keeps its state with the node's snapshots. Methods
 * that change its state must run one at a time.
 */
export class LocalChain {
  readonly node: LocalNode;
  readonly system: SystemCalls;
  readonly blocks: BlockEnds;
  readonly settings: LocalnetSettings;
  readonly accounts: EmulatedAccounts;
  /** Makes the modules refuse calls beyond a transaction's limit. */
  readonly limits: Limits;
  readonly estimates: Estimates;
  readonly trials: Trials;
  readonly mining: Mining;
  readonly veils: Veils;
  readonly installation: Installation;
  /** What happens before a request runs. */
  readonly preparation: Preparation;
  /** The live chain's books, read as requests meet them; only on a fork. */
  live: LiveChain | undefined;

  readonly #codes: Codes;
  readonly #loosely: boolean;
  readonly #parts: Parts;
  readonly #ledger: Ledger;
  readonly #supply: Supply;
  readonly #copies: Copies;
  readonly #waiting: WaitingTransactions;
  readonly #settling: Settling;
  readonly #afterBlocks: AfterBlocks;
  readonly #snapshots = new Map<string, Saved>();

  constructor(
    node: LocalNode,
    settings: LocalnetSettings,
    codes: Codes,
    options: ChainOptions,
  ) {
    this.node = node;
    this.#codes = codes;
    this.settings = settings;
    this.#loosely = options.estimatesLoosely;
    this.accounts = new EmulatedAccounts(settings);
    this.limits = new Limits(node, this.accounts);
    this.estimates = new Estimates(this.limits);
    this.trials = new Trials(node, this.accounts);
    this.mining = new Mining(node, options.intervalMining);
    this.system = new SystemCalls(node, this.accounts.staking);
    this.blocks = new BlockEnds(node, this.system, {
      next: () => this.live?.books.next(),
      read: async (time) => {
        const books = this.live?.books;
        if (books !== undefined) await books.load(books.comeTo(time));
      },
    });
    this.#ledger = new Ledger(
      node,
      this.system,
      this.accounts,
      async () => (await this.#parts.load()).emulator,
    );
    this.#supply = new Supply(node, this.accounts.staking);
    this.#copies = new Copies(node, this.system, this.accounts);
    this.#waiting = new WaitingTransactions(node);
    const { accounts, limits, mining, system, blocks } = this;
    const live = () => this.live;
    this.#parts = new Parts({
      node,
      codes,
      accounts,
      limits,
      settings,
      denom: async () => await this.live?.books.denom(),
    });
    this.veils = new Veils(this.#parts, mining, this.#waiting);
    this.#afterBlocks = new AfterBlocks({
      blocks,
      ledger: this.#ledger,
      copies: this.#copies,
      live,
    });
    this.installation = new Installation({
      node,
      settings,
      parts: this.#parts,
      mining,
      system,
      supply: this.#supply,
      ledger: this.#ledger,
      copies: this.#copies,
      blocks,
      afterBlocks: this.#afterBlocks,
      forked: options.forked,
      live,
    });
    const host = this.#host();
    this.preparation = new Preparation(host);
    this.#settling = new Settling(host);
  }

  /** Returns what the parts in other files need of the emulation. */
  #host(): SettlingHost & ActionHost & PreparationHost {
    return {
      node: this.node,
      codes: this.#codes,
      accounts: this.accounts,
      settings: this.settings,
      ledger: this.#ledger,
      waiting: this.#waiting,
      limits: this.limits,
      estimates: this.estimates,
      trials: this.trials,
      estimatesLoosely: this.#loosely,
      mining: this.mining,
      veils: this.veils,
      installation: this.installation,
      parts: this.#parts,
      afterBlocks: this.#afterBlocks,
      live: () => this.live,
      checkpoint: async () => await this.#checkpoint(),
      fixNextTime: async () => await this.#fixNextTime(),
    };
  }

  /**
   * Makes the network a fork of the live chain.
   *
   * @param head height of the fork before anything happened on it
   */
  fork(live: LiveOptions, head: bigint): void {
    const { node, settings, accounts, system, blocks } = this;
    const host = {
      node,
      settings,
      accounts,
      system,
      blocks,
      ensure: async () => await this.installation.ensure(),
      planner: async () => (await this.#parts.load()).planner,
    };
    this.live = new LiveChain(host, live, head);
    // What was loaded before belongs to another chain.
    this.#parts.forget();
  }

  /**
   * Mines one block of transactions, in order.
   *
   * @param transactions signed ones, or transactions of accounts that the node
   * impersonates
   * @returns what ran, and payments that could not run as on the chain and were
   * tolerated
   * @throws the node's error when it refuses a transaction; none is mined then
   */
  async mineSigned(
    transactions: readonly (string | Readonly<Record<string, unknown>>)[],
  ): Promise<Watched> {
    await this.installation.ready();
    for (const one of transactions) {
      const hash = await this.node.ask(
        typeof one === "string"
          ? "eth_sendRawTransaction"
          : "eth_sendTransaction",
        [one],
      );
      // Whatever else it needs shows once the block has run.
      const payers = this.live?.foreseenPayers ?? NO_PLAN.payers;
      this.#waiting.add(String(hash).toLowerCase(), { ...NO_PLAN, payers });
    }
    const watched: Watched = { late: [], runs: [] };
    const mine = async () => await this.node.ask("evm_mine");
    await this.#settling.run(mine, { fixTime: false, watched });
    return watched;
  }

  /** Returns the transactions of a block, each with its frames. */
  async runsIn(block: bigint): Promise<readonly MinedFrames[]> {
    const transactions = (await this.node.transactions(block)) ?? [];
    const runs: MinedFrames[] = [];
    for (const transaction of transactions) {
      const { hash } = transaction;
      runs.push({ hash, root: await this.node.framesOf(transaction, true) });
    }
    return runs;
  }

  /**
   * Returns what the modules did in a mined transaction.
   *
   * @param transaction as JSON-RPC returns it
   */
  async actsOf(
    transaction: Readonly<Record<string, unknown>>,
  ): Promise<readonly Act[]> {
    const mined = minedTransaction(transaction);
    return actsIn(await this.node.framesOf(mined, true), this.accounts);
  }

  /**
   * Whether a transaction's block needs nothing afterwards but the work that is
   * due: nothing is pending, and no timer mines.
   */
  get idle(): boolean {
    return this.#waiting.size === 0 && !this.mining.byTimer;
  }

  /** Whether a block without a call to the emulation needs no attention. */
  get still(): boolean {
    return (
      this.idle && (!this.installation.done || this.blocks.due === undefined)
    );
  }

  /** Returns a stack trace's name for an account; see {@link NameFrame}. */
  frameName(address: string): string | null | undefined {
    return (
      this.accounts.nameOf(address) ??
      (this.#parts.loaded?.patches.wasProxy(address) === true
        ? null
        : undefined)
    );
  }

  /**
   * Runs a transaction that reaches nothing of the emulation, and does what
   * follows its block; `undefined` if it may reach it. Nothing of it remains
   * then.
   */
  async sendWithout(
    call: CallRequest,
    pass: () => Promise<unknown>,
  ): Promise<Ran | undefined> {
    // The node's own estimate may be too low for what the chain would do.
    const isLimited = call.gas !== undefined || !this.#loosely;
    if (
      !this.node.tellsCalls ||
      call.to === undefined ||
      !isLimited ||
      !this.idle ||
      this.live !== undefined
    )
      return undefined;
    if (!(await this.mining.learn())) return undefined;
    this.trials.countWrites();
    if (!this.trials.isWorthIt(call)) return undefined;
    await this.veils.remove();
    const ran = await this.trials.send(call, pass);
    if (ran !== undefined && this.installation.done)
      await this.#afterBlocks.run("none", false);
    return ran;
  }

  /**
   * Removes what was arranged for a transaction, but for payers' codes that may
   * stay until a request may see them.
   */
  async release(): Promise<void> {
    await this.limits.tell();
    await this.veils.release(
      this.mining.atOnce && this.idle && this.live === undefined,
    );
  }

  /** Makes the next block's timestamp the one that traces see. */
  async #fixNextTime(): Promise<void> {
    await this.node.ask("evm_setNextBlockTimestamp", [
      toQuantity(await this.node.nextTime()),
    ]);
    this.blocks.forgetTime();
  }

  /**
   * Sends a prepared transaction, and does what follows its block.
   *
   * @param gas its limit, if its sender gives none
   */
  async send(
    call: CallRequest,
    plan: Plan,
    pass: () => Promise<unknown>,
    gas?: SentGas,
  ): Promise<unknown> {
    if (!this.installation.done) return await pass();
    if (!this.mining.automines) {
      const hash = await pass();
      if (typeof hash === "string") this.#waiting.add(hash, plan);
      return hash;
    }
    if (plan.unsure || this.#waiting.size > 0) {
      await this.release();
      return await this.#settling.run(pass, {
        fixTime: true,
        payers: plan.payers,
        gas,
      });
    }
    const expected = debtsAfter(this.#ledger.taken, plan.debts);
    // A transaction that fails in its block is an error too, after the block.
    const { outcome, called } = await this.trials.run(call, pass);
    try {
      return valueOf(outcome);
    } finally {
      await this.release();
      const corrected =
        plan.correction !== undefined &&
        (await this.#correct(outcome, plan.correction));
      let { effect, touched } = plan;
      let governed = plan.called.has(this.accounts.governance);
      const reached = called === undefined;
      const closing =
        reached && plan.touched ? await this.#ledger.closing() : undefined;
      const word =
        closing?.debts ??
        (reached ? await this.#ledger.debts() : this.#ledger.taken);
      if (word === expected) {
        if (!corrected) await settle(this.node, plan.debts);
      } else if (word !== this.#ledger.taken) {
        touched = governed = true;
        effect = larger(effect, await this.#settling.settleLate());
      }
      this.#ledger.taken = word;
      await this.#afterBlocks.run(
        effect,
        touched,
        undefined,
        closing,
        governed,
      );
    }
  }

  /**
   * Notes the state.
   *
   * @returns a function that restores it
   */
  async #checkpoint(): Promise<() => Promise<void>> {
    const id = await this.node.ask("evm_snapshot");
    const saved = this.#save();
    return async () => {
      await this.node.ask("evm_revert", [id]);
      this.#restore(saved);
      this.#codes.forget();
    };
  }

  /**
   * Writes a correction, unless the transaction failed.
   *
   * @returns whether it did
   */
  async #correct(outcome: Outcome, correction: Correction): Promise<boolean> {
    const receipt =
      "value" in outcome && typeof outcome.value === "string"
        ? await this.node.ask("eth_getTransactionReceipt", [outcome.value])
        : undefined;
    if (!isRecord(receipt) || receipt.status !== "0x1") return false;
    await correct(this.node, correction);
    return true;
  }

  /**
   * Mines blocks, and does what follows them.
   *
   * @param fixTime whether the request leaves the next block's timestamp to the
   * node
   */
  async mine(pass: () => Promise<unknown>, fixTime: boolean): Promise<unknown> {
    if (!this.installation.done) return await pass();
    this.blocks.forgetTime();
    if (this.#waiting.size > 0)
      return await this.#settling.run(pass, { fixTime });
    try {
      return await pass();
    } finally {
      await this.#afterBlocks.run("none", false);
    }
  }

  /** Does what remains to be done after blocks that a timer mined. */
  async catchUp(): Promise<void> {
    if (!this.installation.done) return;
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
      await this.#afterBlocks.run(effect, effect !== "none", since);
    }
  }

  /**
   * Whether a block that was just mined may have reached the time of due work.
   */
  mayBeDue(): boolean {
    return this.installation.done && this.blocks.mayBeDue();
  }

  /** Does the work that has become due. */
  async endBlocks(): Promise<void> {
    await this.blocks.process();
  }

  /** Takes a snapshot of the node, and notes what it does not hold. */
  async snapshot(pass: () => Promise<unknown>): Promise<unknown> {
    const id = await pass();
    this.#snapshots.set(String(id), this.#save());
    return id;
  }

  /** Reverts the node to a snapshot, and the emulation with it. */
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
      installation: this.installation.save(),
      patches: this.#parts.loaded?.patches.save(),
      waiting: this.#waiting.save(),
      blocks: this.blocks.save(),
      debts: this.#ledger.taken,
      given: this.#supply.given,
      writes: this.trials.writes,
      copies: this.#copies.save(),
      books: this.live?.books.save(),
    };
  }

  #restore(saved: Saved): void {
    this.installation.restore(saved.installation);
    this.#parts.loaded?.patches.restore(saved.patches ?? new Map());
    this.#parts.loaded?.planner.forget();
    this.limits.forget();
    this.#waiting.restore(saved.waiting);
    this.blocks.restore(saved.blocks);
    this.#ledger.taken = saved.debts;
    this.#supply.given = saved.given;
    this.trials.writes = saved.writes;
    this.#copies.restore(saved.copies);
    this.live?.books.restore(saved.books);
  }

  /** Forgets all state, after the node was reset or the connection closed. */
  forget(): void {
    this.installation.forget();
    this.#supply.given = 0n;
    this.trials.forget();
    this.#copies.restore();
    this.live = undefined;
    this.#parts.loaded?.patches.restore(new Map());
    this.#parts.loaded?.planner.forget();
    this.limits.forget();
    this.#waiting.clear();
    this.#snapshots.clear();
  }

  /** Lets the user set an account's balance, which changes the supply. */
  async setBalance(
    account: unknown,
    pass: () => Promise<unknown>,
  ): Promise<unknown> {
    // A fork without the bank's precompile does not know the supply.
    const isCounted =
      this.live === undefined || this.settings.active.includes("bank");
    return typeof account !== "string" || !isCounted
      ? await pass()
      : await this.#supply.change(account, this.installation.done, pass);
  }

  /**
   * Runs a method of ISystem.sol after the newest block: what the chain does by
   * itself.
   */
  async act(method: string, args: readonly unknown[]): Promise<void> {
    await this.installation.ensure();
    await this.live?.meetAct(method, args);
    await this.system.run(method, args);
    await this.blocks.refresh();
    if (this.blocks.due !== undefined) await this.blocks.process();
    await this.#afterBlocks.expectCopies();
  }

  /** Runs an account's action; see {@link runAction}. */
  async actAs(action: AccountAction, dry = false): Promise<ActionOutcome> {
    await this.installation.ready();
    await this.veils.remove();
    return await runAction(this.#host(), action, dry);
  }

  /**
   * Mines one block with this timestamp, or the next possible one if it has
   * passed.
   *
   * @param time seconds since 1970
   * @throws DualstackError when it is beyond 2^63
   */
  async mineAt(time: bigint): Promise<void> {
    const head = await this.node.head();
    const at = time > head.timestamp ? time : head.timestamp + 1n;
    if (at > 2n ** 63n) throw new DualstackError("that time is out of reach");
    await this.node.ask("evm_setNextBlockTimestamp", [toQuantity(at)]);
    await this.mine(() => this.node.ask("evm_mine"), true);
  }
}
