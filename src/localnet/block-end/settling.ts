// Mines blocks whose transactions no trace can foresee entirely: runs them,
// checks the outcome, and runs them again if it differs from the plan.

import { toQuantity } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import type { Limits, Told } from "../arrangement/limits.js";
import type { Parts } from "../arrangement/parts.js";
import { Payments, SeenPayment } from "../arrangement/payments.js";
import type { Veils } from "../arrangement/veils.js";
import type { Codes } from "../foresight/codes.js";
import { type Effect, larger } from "../foresight/effects.js";
import type { Run } from "../foresight/observer.js";
import type { SentGas } from "../foresight/sent-gas.js";
import type { Frame } from "../foresight/trace.js";
import type { LiveChain } from "../fork/live-chain.js";
import type { LocalNode } from "../node/node.js";
import { outcomeOf } from "../request/outcome.js";
import type { AfterBlocks } from "./after-blocks.js";
import { type Ledger, unbalanced } from "./ledger.js";
import { debtsAfter, settle } from "./settlement.js";
import type { WaitingTransactions } from "./waiting.js";

/** What {@link Settling} needs of the emulated chain. */
export interface SettlingHost {
  readonly node: LocalNode;
  readonly codes: Codes;
  readonly ledger: Ledger;
  readonly waiting: WaitingTransactions;
  readonly limits: Limits;
  readonly parts: Parts;
  readonly veils: Veils;
  readonly afterBlocks: AfterBlocks;
  /** Returns the live chain's state on a fork of the chain. */
  live(): LiveChain | undefined;
  /**
   * Takes a snapshot of the state, and returns a function that reverts to it.
   */
  checkpoint(): Promise<() => Promise<void>>;
  /** Fixes the next block's timestamp at the one that the pending block has. */
  fixNextTime(): Promise<void>;
}

/**
 * How many times a block runs at most: each run may show what the next one
 * needs.
 */
const MOST_RUNS = 8;

/** How many of these may only teach which calls exceed the limit. */
const MOST_LESSONS = MOST_RUNS / 2;

/** A transaction of a block that was just mined. */
interface MinedRun extends Run {
  readonly block: bigint;
  readonly name: string;
}

/** A mined transaction and its outermost frame. */
export interface MinedFrames {
  readonly hash: string;
  readonly root: Frame;
}

/** What {@link Settling.run} reports about the blocks that it mined. */
export interface Watched {
  /** Payments whose delay a transaction observed. */
  readonly late: SeenPayment[];
  /** All transactions, with their logs. */
  readonly runs: MinedFrames[];
}

/** How {@link Settling.run} mines blocks. */
export interface SettlingOptions {
  /** Whether every run's block gets the same timestamp. */
  readonly fixTime: boolean;
  /**
   * Accounts that need a payer's code, besides those of the pending
   * transactions.
   */
  readonly payers?: ReadonlySet<string>;
  /**
   * Collects what ran, and differences from the chain, which are then
   * tolerated.
   */
  readonly watched?: Watched;
  /** The limit of the only transaction, if its sender gives none. */
  readonly gas?: SentGas | undefined;
}

/**
 * Settles the deferred payments of mined blocks, and runs the blocks again
 * where they did not run as planned.
 */
export class Settling {
  readonly #host: SettlingHost;

  constructor(host: SettlingHost) {
    this.#host = host;
  }

  /**
   * Runs `pass`, which mines blocks with pending transactions or with one that
   * a trace cannot foresee entirely. Where the blocks' own traces show a
   * difference from the chain, the blocks are undone and run again with what
   * the traces taught.
   *
   * @throws DualstackError when the runs never agree, or cannot match the
   * chain; nothing of the blocks remains then
   */
  async run(
    pass: () => Promise<unknown>,
    { fixTime, payers = new Set(), watched, gas }: SettlingOptions,
  ): Promise<unknown> {
    const host = this.#host;
    const { patches, observer } = await host.parts.load();
    const payments = new Payments(observer, [
      ...host.waiting.payers,
      ...payers,
    ]);
    const { number } = await host.node.head();
    const start = async (account: string) =>
      await host.node.balance(account, toQuantity(number));
    let last: MinedRun | undefined;
    let told: Told | undefined;
    for (let round = 0; round < MOST_RUNS; round++) {
      const undo = await host.checkpoint();
      try {
        if (fixTime) await host.fixNextTime();
        await patches.arrange(payments.payers);
        await host.limits.tell(told);
        const outcome = await outcomeOf(pass());
        const replaced = await patches.arrange(host.veils.standing);
        payments.exclude(replaced);
        host.codes.forget();
        const runs = await this.#runsAfter(number, watched !== undefined);
        last = runs.at(-1);
        const lesson = host.limits.lesson(runs.map(({ found }) => found.root));
        await host.limits.tell();
        // Earlier transactions of the block saw the payers' codes that a later
        // one replaced.
        if (replaced.length > 0) {
          await undo();
          continue;
        }
        // After that many lessons the block stands as it ran: see callLimits.
        if (lesson !== undefined && round < MOST_LESSONS) {
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
        const only = runs.length === 1 ? last?.found.root : undefined;
        if ((await settled) && gas?.fits(only) !== false) {
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

  /**
   * Takes the deferred payments of the transactions, and runs the blocks' ends.
   */
  async #settle(runs: readonly MinedRun[]): Promise<void> {
    const { node, ledger, waiting } = this.#host;
    const debts = runs.flatMap(({ found }) => found.debts);
    const word = await ledger.debts();
    if (word !== debtsAfter(ledger.taken, debts)) throw unbalanced();
    await settle(node, debts);
    ledger.taken = word;
    await waiting.takeDone();
    const first = runs.find(({ found }) => found.effect !== "none");
    await this.#host.afterBlocks.run(
      effectOf(runs),
      runs.some(({ found }) => found.touched),
      first?.block,
    );
  }

  /**
   * Takes the deferred payments of blocks that are mined already.
   *
   * @param after settles the blocks after this one; default: the newest only
   * @returns the transactions' effect
   * @throws DualstackError when a transaction saw tokens in a balance that it
   * had already given to a precompile
   */
  async settleLate(after?: bigint): Promise<Effect> {
    const { node, ledger } = this.#host;
    const { observer } = await this.#host.parts.load();
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

  /** Traces the transactions after a block, until a block without any. */
  async #runsAfter(
    number: bigint,
    withLogs = false,
  ): Promise<readonly MinedRun[]> {
    const { node } = this.#host;
    const { planner } = await this.#host.parts.load();
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

/** A request that failed without being undone: its transaction was reverted. */
class Failed {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}
