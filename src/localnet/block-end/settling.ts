// Around a block of which no trace in advance tells all: runs it, checks it,
// and runs it again where need be.

import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import type { Limits, Told } from "../arrangement/limits.js";
import type { Patches } from "../arrangement/patches.js";
import { Payments, SeenPayment } from "../arrangement/payments.js";
import { MAX_ROUNDS, type Planner } from "../arrangement/plan.js";
import type { Codes } from "../foresight/codes.js";
import { type Effect, larger } from "../foresight/effects.js";
import type { Observer, Run } from "../foresight/observer.js";
import type { Frame } from "../foresight/trace.js";
import type { LiveChain } from "../fork/live-chain.js";
import type { LocalNode } from "../node/node.js";
import { outcomeOf } from "../request/outcome.js";
import { type Ledger, unbalanced } from "./ledger.js";
import { debtsAfter, settle } from "./settlement.js";
import type { WaitingTransactions } from "./waiting.js";

/** What is needed of the emulation around it. */
export interface SettlingHost {
  readonly node: LocalNode;
  readonly codes: Codes;
  readonly ledger: Ledger;
  readonly waiting: WaitingTransactions;
  readonly limits: Limits;
  /** Of a fork of the chain. */
  live(): LiveChain | undefined;
  /** Whose payers' codes stand between blocks. */
  standing(): ReadonlySet<string>;
  parts(): Promise<{
    readonly patches: Patches;
    readonly observer: Observer;
    readonly planner: Planner;
  }>;
  /** Notes the state. @returns goes back to it */
  checkpoint(): Promise<() => Promise<void>>;
  /** The next block gets the time that is told in advance. */
  fixNextTime(): Promise<void>;
  /** Does what blocks' ends do, from the first block that had an effect. */
  afterBlocks(effect: Effect, touched: boolean, since?: bigint): Promise<void>;
}

/** So often a block runs again to learn which calls are too many. */
const MAX_LESSONS = MAX_ROUNDS / 2;

/** A transaction of a block that was just mined. */
interface MinedRun extends Run {
  readonly block: bigint;
  readonly name: string;
}

/** A transaction of a block, and its outermost frame. */
export interface MinedFrames {
  readonly hash: string;
  readonly root: Frame;
}

/** What came of blocks that somebody watches. */
export interface Watched {
  /** Payments that were seen to be late. */
  readonly late: SeenPayment[];
  /** All that ran, with its events. */
  readonly runs: MinedFrames[];
}

/** Takes what blocks of transactions owe, and runs them again where they went another way than planned. */
export class Settling {
  readonly #host: SettlingHost;

  constructor(host: SettlingHost) {
    this.#host = host;
  }

  /**
   * Runs what mines blocks with waiting transactions, or one of which a trace
   * does not tell all. Where its own traces show that something was not as on
   * the chain, it is undone and runs again with what they taught.
   *
   * @param payers where payers' codes are known to be needed, besides what waits
   * @param watched told of what could not be as on the chain, which is let pass then, and of what ran
   * @throws DualstackError where that has no end, or cannot be; nothing is left of the blocks then
   */
  async run(
    pass: () => Promise<unknown>,
    fixTime: boolean,
    payers: ReadonlySet<string> = new Set(),
    watched?: Watched,
  ): Promise<unknown> {
    const host = this.#host;
    const { patches, observer } = await host.parts();
    const payments = new Payments(observer, [
      ...host.waiting.payers,
      ...payers,
    ]);
    const { number } = await host.node.head();
    const start = async (account: string) =>
      await host.node.balance(account, toQuantity(number));
    let last: MinedRun | undefined;
    let told: Told | undefined;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const undo = await host.checkpoint();
      try {
        if (fixTime) await host.fixNextTime();
        await patches.arrange(payments.payers);
        await host.limits.tell(told);
        const outcome = await outcomeOf(pass());
        payments.exclude(await patches.arrange(host.standing()));
        host.codes.forget();
        const runs = await this.#runsAfter(number, watched !== undefined);
        last = runs.at(-1);
        const lesson = host.limits.lesson(runs.map(({ found }) => found.root));
        await host.limits.tell();
        // What no run shows right is let pass: see callLimits.
        if (lesson !== undefined && round < MAX_LESSONS) {
          await undo();
          told = lesson;
          continue;
        }
        const unread = await host
          .live()
          ?.unreadIn(runs.map(({ found }) => found));
        if (unread !== undefined) {
          await undo();
          await host.live()?.read(unread);
          continue;
        }
        const settled = payments.settled(runs, start).catch((error) => {
          if (!(error instanceof SeenPayment) || watched === undefined)
            throw error;
          watched.late.push(error);
          return true;
        });
        if (await settled) {
          await this.#settle(runs);
          watched?.runs.push(
            ...runs.map(({ name, found: { root } }) => ({ hash: name, root })),
          );
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

  /** Takes what the transactions of blocks owe, and does what follows. */
  async #settle(runs: readonly MinedRun[]): Promise<void> {
    const { node, ledger, waiting } = this.#host;
    const debts = runs.flatMap(({ found }) => found.debts);
    const word = await ledger.debts();
    if (word !== debtsAfter(ledger.taken, debts)) throw unbalanced();
    await settle(node, debts);
    ledger.taken = word;
    await waiting.takeDone();
    const first = runs.find(({ found }) => found.effect !== "none");
    await this.#host.afterBlocks(
      effectOf(runs),
      runs.some(({ found }) => found.touched),
      first?.block,
    );
  }

  /**
   * Takes what the transactions of blocks owe that are there already.
   *
   * @param after default: the block before the newest
   * @returns their effect
   */
  async settleLate(after?: bigint): Promise<Effect> {
    const { node, ledger } = this.#host;
    const { observer } = await this.#host.parts();
    const from = after ?? (await node.head()).number - 1n;
    const runs = await this.#runsAfter(from);
    const debts = runs.flatMap(({ found }) => found.debts);
    const word = await ledger.debts();
    await settle(node, debts);
    ledger.taken = word;
    const start = async (account: string) =>
      await node.balance(account, toQuantity(from));
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
    return effectOf(runs);
  }

  /** The transactions of the blocks after one, until a block without any. */
  async #runsAfter(
    number: bigint,
    withLogs = false,
  ): Promise<readonly MinedRun[]> {
    const { node } = this.#host;
    const { planner } = await this.#host.parts();
    const runs: MinedRun[] = [];
    for (let block = number + 1n; ; block++) {
      const transactions = (await node.transactions(block)) ?? [];
      if (transactions.length === 0) return runs;
      for (const transaction of transactions) {
        runs.push({
          block,
          name: transaction.hash,
          sender: transaction.from,
          fee: transaction.fee,
          found: planner.inspect(await node.framesOf(transaction, withLogs)),
          steps: async () => await node.stepsOf(transaction),
        });
      }
    }
  }
}

const effectOf = (runs: readonly MinedRun[]) =>
  runs.reduce<Effect>((all, { found }) => larger(all, found.effect), "none");

/** A request failed, and what it did stays: a transaction that was reverted. */
class Failed {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}
