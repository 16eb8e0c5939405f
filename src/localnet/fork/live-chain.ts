// Finds what each request on a fork meets of the chain, before it is planned.

import type { LiveReader } from "../../live-state/reader.js";
import { UnreadError } from "../../live-state/unreadable.js";
import type { Planner } from "../arrangement/plan.js";
import type { BlockEnds } from "../block-end/blocks.js";
import type { Findings } from "../foresight/trace.js";
import type { EmulatedAccounts } from "../modules/emulated-accounts.js";
import type { SystemCalls } from "../modules/system.js";
import type { LocalNode } from "../node/node.js";
import { heightOf } from "../request/height.js";
import type { CallRequest } from "../request/calls.js";
import type { LocalnetSettings } from "../settings/settings.js";
import type { BlockBegin } from "./begin.js";
import { LiveBooks, type LiveOptions } from "./live-books.js";
import { MeetingFinder, type Meetings, noMeetings } from "./meetings.js";

/** What {@link LiveChain} needs of the emulated chain. */
export interface ForkHost {
  readonly node: LocalNode;
  readonly settings: LocalnetSettings;
  readonly accounts: EmulatedAccounts;
  readonly system: SystemCalls;
  readonly blocks: BlockEnds;
  /** Installs the modules where they are not yet. */
  ensure(): Promise<void>;
  planner(): Promise<Planner>;
}

/**
 * How many times what a request meets is read at most: with that in the books it
 * may meet more.
 */
const MOST_READINGS = 8;

/**
 * The live chain behind a fork. Before a request runs, it reads what the
 * request meets of the chain's books; requests that the chain itself can
 * answer, it passes on.
 */
export class LiveChain {
  /** Reads the chain at the fork's block. */
  readonly reader: LiveReader;
  readonly books: LiveBooks;
  readonly #host: ForkHost;
  #finder: MeetingFinder | undefined;
  #foreseenPayers: ReadonlySet<string> = new Set();
  /**
   * The head as long as nothing has changed the forked state; `undefined` once
   * something other than a block has.
   */
  #untouchedHead: bigint | undefined;

  /** @param head number of the fork's newest block before anything ran on it */
  constructor(host: ForkHost, live: LiveOptions, head: bigint) {
    this.#host = host;
    this.#untouchedHead = head;
    this.reader = live.reader;
    this.books = new LiveBooks(
      host.node,
      host.settings,
      live,
      host.accounts.all,
    );
  }

  /**
   * The begin of the chain's own next block, where it was wanted and the
   * chain's stores could be read.
   */
  get begin(): BlockBegin | undefined {
    return this.books.begin;
  }

  /**
   * Accounts that foreseen transactions make pay during their run, as far as
   * known.
   */
  get foreseenPayers(): ReadonlySet<string> {
    return this.#foreseenPayers;
  }

  /**
   * Reads what the foreseen transactions will meet, as far as it is known. The
   * rest is read when they meet it.
   */
  async readForeseen(): Promise<void> {
    const foreseen = await this.books.foreseen.told;
    if (foreseen === undefined) return;
    const planner = await this.#host.planner();
    const finder = await this.#meetings();
    const found = foreseen.roots.map((root) => planner.inspect(root));
    try {
      await this.read(finder.findAll(found));
    } catch (error) {
      // Whatever a transaction really needs fails when it is met.
      if (!(error instanceof UnreadError)) throw error;
    }
    this.#foreseenPayers = await planner.payersIn(foreseen.roots);
  }

  /** Notes that something other than a block changes the state. */
  touch(): void {
    this.#untouchedHead = undefined;
  }

  /**
   * Slashes and jails the validators that the begin of the chain's own next
   * block punishes for missed blocks.
   */
  async punish(): Promise<void> {
    const { begin } = this;
    if (begin === undefined || begin.punished.length === 0) return;
    const { number, timestamp } = await this.#host.node.head();
    const height = number + 1n;
    for (const operator of begin.punished) {
      await this.#host.system.run("slash", [
        operator,
        begin.slashFraction,
        height,
        true,
        height,
        timestamp,
      ]);
    }
  }

  /**
   * Answers a call that meets the modules from the chain, if it is at one of
   * the chain's own blocks or nothing has changed since the fork.
   *
   * @returns `undefined` if the call must run on the fork
   * @throws RpcError when the chain refuses the call
   */
  async answer(
    call: CallRequest,
    request: unknown,
    block: unknown,
  ): Promise<{ readonly value: unknown } | undefined> {
    const { books } = this;
    const asksModule = this.#host.accounts.isModule(call.to);
    const height = heightOf(block);
    // A node takes block 0 for its newest one.
    if (height !== undefined && height > 0n && height < books.height) {
      return asksModule || (await this.#meetsModules(call, block))
        ? { value: await books.ask(request, height) }
        : undefined;
    }
    if (!asksModule || !(await this.#isUntouched(block))) return undefined;
    try {
      const value = await books.ask(request, books.height);
      // The chain may lack a precompile that the configuration has.
      return value === "0x" ? undefined : { value };
    } catch (error) {
      // The books may hold what the node cannot answer in this form.
      if (error instanceof UnreadError) return undefined;
      throw error;
    }
  }

  /**
   * Returns whether a block is the fork's, and nothing has changed its state.
   */
  async #isUntouched(block: unknown): Promise<boolean> {
    const height = heightOf(block);
    if (block !== "latest" && height === undefined) return false;
    const { number } = await this.#host.node.head();
    return number === this.#untouchedHead && (height ?? number) === number;
  }

  async #meetsModules(call: CallRequest, block: unknown): Promise<boolean> {
    const planner = await this.#host.planner();
    const found = await planner.look(call, block);
    const { modules } = this.#host.accounts;
    return (
      found !== undefined &&
      [...found.called].some((account) => modules.has(account))
    );
  }

  /**
   * Installs the modules and reads what a request meets of the chain's books,
   * so that it runs as on the chain.
   *
   * @throws UnreadError when something cannot be read
   * @throws DualstackError when a past block of the fork lacks it
   */
  async meet(call: CallRequest, block: unknown): Promise<void> {
    await this.#host.ensure();
    const planner = await this.#host.planner();
    const height = heightOf(block);
    for (let round = 0; round < MOST_READINGS; round++) {
      const found = await planner.look(call, block);
      if (found === undefined) return;
      const finder = await this.#meetings();
      const met = finder.find(found.root, found.born);
      if (
        height !== undefined &&
        height < (await this.#host.node.head()).number
      ) {
        this.books.requireAt(met, height);
        return;
      }
      if (!(await this.read(met))) return;
    }
  }

  /** Pays completed unbondings of an account that no request has met yet. */
  async meetBalance(account: unknown, block: unknown): Promise<void> {
    if (typeof account !== "string") return;
    const { number, timestamp } = await this.#host.node.head();
    const isNewest =
      block === undefined ||
      block === "latest" ||
      block === "pending" ||
      heightOf(block) === number;
    if (!isNewest || number === this.#untouchedHead) return;
    if (!(await this.books.pays(account.toLowerCase(), timestamp))) return;
    await this.#host.ensure();
    await this.read({ ...noMeetings(), accounts: new Set([account]) });
  }

  /** Reads a validator that the chain itself is about to change. */
  async meetOperator(operator: string): Promise<void> {
    await this.#host.ensure();
    await this.read({ ...noMeetings(), operators: new Set([operator]) });
  }

  /** Reads a validator that may leave jail, and its self-delegation. */
  async meetRelease(operator: string): Promise<void> {
    await this.#host.ensure();
    const own = new Set([operator]);
    await this.read({ ...noMeetings(), accounts: own, operators: own });
  }

  /** Reads a proposal. */
  async meetProposal(id: bigint): Promise<void> {
    await this.#host.ensure();
    await this.read({
      ...noMeetings(),
      governance: true,
      proposals: new Set([id]),
    });
  }

  /**
   * Reads what an act of the chain itself meets.
   *
   * @throws DualstackError for a slash for an infraction before the fork
   */
  async meetAct(method: string, args: readonly unknown[]): Promise<void> {
    this.touch();
    const [operator, , infraction, , height] = args;
    if (method === "slash" && infraction !== height)
      this.books.requireNoneBefore(BigInt(String(infraction)));
    if (ON_VALIDATORS.has(method)) await this.meetOperator(String(operator));
  }

  /**
   * Reads what was met into the books.
   *
   * @returns whether anything was missing
   */
  async read(met: Meetings): Promise<boolean> {
    if (!(await this.books.load(met))) return false;
    const { blocks } = this.#host;
    await blocks.refresh();
    // What was due in the meantime is done now.
    if (blocks.due !== undefined) await blocks.process();
    return true;
  }

  /** Returns what runs met, if the books lack any of it. */
  async unreadIn(found: readonly Findings[]): Promise<Meetings | undefined> {
    const finder = await this.#meetings();
    const met = finder.findAll(found);
    return this.books.lacks(met) ? met : undefined;
  }

  async #meetings(): Promise<MeetingFinder> {
    const { addresses, active } = this.#host.settings;
    return (this.#finder ??= await MeetingFinder.create(addresses, active));
  }
}

/** Acts of the chain whose first argument is an operator address. */
const ON_VALIDATORS = new Set(["slash", "jail", "unjail", "depositRewards"]);
