// For each request on a fork, before it is planned: what of the chain it meets.

import type { LiveReader } from "../../live-state/reader.js";
import { UnreadError } from "../../live-state/unreadable.js";
import { MAX_ROUNDS, type Planner } from "../arrangement/plan.js";
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

/** What a fork needs of the emulation around it. */
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
 * A fork of the chain, beside what was done on it since. Before a request runs,
 * what it meets of the chain's books is found and read; what the chain can
 * answer by itself, it answers.
 */
export class LiveChain {
  /** Reads the chain at the fork's block. */
  readonly reader: LiveReader;
  readonly books: LiveBooks;
  readonly #host: ForkHost;
  #finder: MeetingFinder | undefined;
  #foreseenPayers: ReadonlySet<string> = new Set();
  /** The head while nothing has changed the forked state; `undefined` once something has without a block. */
  #untouchedHead: bigint | undefined;

  /** `head`: of the fork before anything happened on it. */
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

  /** What the chain's own next block began with, as far as stores told it and it was needed. */
  get begin(): BlockBegin | undefined {
    return this.books.begin;
  }

  /** Who will have to pay at once in what is foreseen, as far as that tells it. */
  get foreseenPayers(): ReadonlySet<string> {
    return this.#foreseenPayers;
  }

  /**
   * Reads what the transactions that are foreseen will meet, as far as that is
   * known; the rest is read when they do.
   */
  async readForeseen(): Promise<void> {
    const foreseen = await this.books.foreseen;
    if (foreseen === undefined) return;
    const planner = await this.#host.planner();
    const finder = await this.#meetings();
    const found = foreseen.roots.map((root) => planner.inspect(root));
    try {
      await this.read(finder.findAll(found));
    } catch (error) {
      // Of what is needed indeed it is said when it is met.
      if (!(error instanceof UnreadError)) throw error;
    }
    this.#foreseenPayers = await planner.payersIn(foreseen.roots);
  }

  /** Something that is no block changes the state. */
  touch(): void {
    this.#untouchedHead = undefined;
  }

  /** What the begin of the chain's own next block does to validators that missed too many. */
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
   * What a call gets from the chain: where it asks a block of the chain's own,
   * or nothing has changed since. `undefined`: it has to be run here.
   *
   * @throws RpcError with the chain's refusal
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
   * Reads what a request meets of the chain's books, so that it runs as on the
   * chain; installs the modules for that.
   *
   * @throws UnreadError where something cannot be read
   */
  async meet(call: CallRequest, block: unknown): Promise<void> {
    await this.#host.ensure();
    const planner = await this.#host.planner();
    const height = heightOf(block);
    for (let round = 0; round < MAX_ROUNDS; round++) {
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

  /** Pays what an account of the chain is due by now, which nothing has met. */
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

  /** Reads what the chain itself is about to do something to: a validator. */
  async meetOperator(operator: string): Promise<void> {
    await this.#host.ensure();
    await this.read({ ...noMeetings(), operators: new Set([operator]) });
  }

  /** The same for a proposal. */
  async meetProposal(id: bigint): Promise<void> {
    await this.#host.ensure();
    await this.read({
      ...noMeetings(),
      governance: true,
      proposals: new Set([id]),
    });
  }

  /** What an act of the chain by itself meets. */
  async meetAct(method: string, args: readonly unknown[]): Promise<void> {
    this.touch();
    const [operator, , infraction, , height] = args;
    if (method === "slash" && infraction !== height)
      this.books.requireNoneBefore(BigInt(String(infraction)));
    if (ON_VALIDATORS.has(method)) await this.meetOperator(String(operator));
  }

  /** @returns whether anything was not there yet */
  async read(met: Meetings): Promise<boolean> {
    if (!(await this.books.load(met))) return false;
    const { blocks } = this.#host;
    await blocks.refresh();
    // What was due long ago happens now, as if it had been there.
    if (blocks.due !== undefined) await blocks.process();
    return true;
  }

  /** What runs met that was not in the books. */
  async unreadIn(found: readonly Findings[]): Promise<Meetings | undefined> {
    const finder = await this.#meetings();
    const met = finder.findAll(found);
    return this.books.lacks(met) ? met : undefined;
  }

  async #meetings(): Promise<MeetingFinder> {
    return (this.#finder ??= await MeetingFinder.create(
      this.#host.settings.addresses,
    ));
  }
}

/** Acts of the chain whose first argument is an operator. */
const ON_VALIDATORS = new Set(["slash", "jail", "unjail", "depositRewards"]);
