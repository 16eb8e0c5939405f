import type { Any } from "cosmjs-types/google/protobuf/any";

import { parseAddress } from "../../address/index.js";
import { transactionHash } from "../../framework/node-rpc/transaction.js";
import type { Step } from "../../localnet/action.js";
import type { LocalEngine } from "../../localnet/engine.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import type { Block } from "../block.js";
import type { Account, Books } from "../books/books.js";
import { Fault } from "../fault.js";
import type { ModuleEvent, TransactionRecord } from "../history.js";
import { anteEvents, messageEvents } from "./events.js";
import { MessageFault } from "./messages.js";
import { responsesOf } from "./responses.js";
import {
  checkTransaction,
  feeOf,
  type FeeRules,
  gasLimitOf,
  gasOf,
  INTERNAL,
  isRefusal,
  keyOf,
  messageFailure,
  readTransaction,
  type Refusal,
  type Transaction,
} from "./transaction.js";
import { Standing } from "./standing.js";

/** What the pool needs from the chain. */
export interface PoolSurroundings {
  readonly engine: LocalEngine;
  readonly rules: FeeRules;
  /** Returns the newest block. */
  head(): Pick<Block, "height" | "time">;
  /** Returns the books of the current state. */
  books(): Books;
  /**
   * Returns until when a validator of the forked chain stays in jail, as Unix
   * time in seconds; absent without a fork.
   *
   * @throws UnreadError when the chain does not tell it
   */
  jailedUntil?(operator: string): Promise<bigint>;
  /** Tells whether the account has a pending EVM transaction. */
  isReserved(account: string): Promise<boolean>;
  /**
   * Notes an account that took part in a transaction, and whether it sent it.
   */
  note(account: string, acts: boolean): void;
  /** Called when the pool has accepted a transaction. */
  taken(): void;
}

interface Result {
  readonly gasUsed: bigint;
  readonly events: readonly ModuleEvent[];
  readonly data: Uint8Array;
  readonly refusal?: Refusal;
}

/** The steps of a transaction's messages, and which message each belongs to. */
interface Plan {
  readonly steps: readonly Step[];
  /** The index of each step's message. */
  readonly owners: readonly number[];
  readonly refusal?: Refusal;
}

/** A transaction's record without its place in a block. */
type Execution = Omit<TransactionRecord, "height" | "index">;

/** Returns the record of a transaction that was refused before it ran. */
const notRun = (transaction: Transaction, refusal: Refusal): Execution => ({
  hash: transaction.hash,
  bytes: transaction.bytes,
  ...refusal,
  data: new Uint8Array(),
  gasWanted: gasLimitOf(transaction),
  gasUsed: 0n,
  events: [],
});

/** Number of transaction hashes that a node remembers. */
const SEEN_LIMIT = 10_000;

/** The framework's transactions, from broadcast to inclusion in a block. */
export class FrameworkPool {
  /**
   * Public keys that accounts have signed with, by address in lower-case hex.
   */
  readonly keys = new Map<string, Any>();
  readonly #around: PoolSurroundings;
  readonly #waiting = new Map<string, Transaction>();
  readonly #seen = new Set<string>();

  constructor(around: PoolSurroundings) {
    this.#around = around;
  }

  /** Transactions that wait for a block. */
  get waiting(): readonly Transaction[] {
    return [...this.#waiting.values()];
  }

  #read(bytes: Uint8Array): Transaction | Refusal {
    return readTransaction(bytes, this.#around.rules);
  }

  /**
   * Checks a transaction as a node does on broadcast.
   *
   * @returns the refusal; `undefined` when the node would accept it
   */
  async check(bytes: Uint8Array): Promise<Refusal | undefined> {
    const transaction = this.#read(bytes);
    return isRefusal(transaction)
      ? transaction
      : await this.#check(transaction, false);
  }

  async #check(
    transaction: Transaction,
    simulated: boolean,
  ): Promise<Refusal | undefined> {
    const { rules } = this.#around;
    const books = this.#around.books();
    const address = this.#text(transaction.sender);
    const [account, coins] = await Promise.all([
      books.auth.account(address),
      books.bank.balances(address),
    ]);
    const balance = BigInt(coins[0]?.amount ?? 0);
    const { height, time } = this.#around.head();
    return await checkTransaction(
      transaction,
      account,
      { balance, height: height + 1n, time },
      rules,
      simulated,
    );
  }

  #text(hex: string): string {
    const { prefix } = this.#around.rules;
    return parseAddress(hex, { prefix }).account;
  }

  /**
   * Adds a transaction to the pool.
   *
   * @returns its hash, with the refusal when the pool does not accept it
   * @throws Fault when the pool has seen it before
   */
  async broadcast(
    bytes: Uint8Array,
  ): Promise<{ readonly hash: string; readonly refusal?: Refusal }> {
    const hash = transactionHash(bytes);
    const transaction = this.#read(bytes);
    if (isRefusal(transaction)) {
      return { hash, refusal: transaction };
    }
    if (this.#seen.has(hash)) {
      throw new Fault(2, "tx already seen", { code: 19, log: "" });
    }
    this.#remember(hash);
    const refusal =
      (await this.#place(transaction.sender)) ??
      (await this.#check(transaction, false));
    if (refusal !== undefined) {
      return { hash, refusal };
    }
    this.#waiting.set(hash, transaction);
    this.#around.taken();
    return { hash };
  }

  #remember(hash: string): void {
    this.#seen.add(hash);
    if (this.#seen.size > SEEN_LIMIT) {
      const [oldest] = this.#seen;
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
  }

  // Each account may have one pending transaction, on either stack.
  async #place(sender: string): Promise<Refusal | undefined> {
    const other = this.waiting.find((one) => one.sender === sender);
    if (other !== undefined) {
      const sequence = other.auth.signerInfos[0]?.sequence ?? 0n;
      return {
        code: 32,
        codespace: "sdk",
        log: `account sequence mismatch, expected ${sequence + 1n}, got ${sequence}: incorrect account sequence`,
      };
    }
    return (await this.#around.isReserved(sender))
      ? { code: 1, codespace: "", log: "address already reserved" }
      : undefined;
  }

  /**
   * Executes all waiting transactions at the end of the newest block.
   *
   * @param height of that block
   */
  async runAll(height: bigint): Promise<TransactionRecord[]> {
    const transactions = this.waiting;
    this.#waiting.clear();
    const records: TransactionRecord[] = [];
    for (const transaction of transactions) {
      // Such as state of a forked chain that cannot be read: who waits for the
      // transaction learns it, and the others still run.
      const record = await this.#execute(transaction).catch((error: unknown) =>
        notRun(transaction, { ...INTERNAL, log: errorText(error) }),
      );
      records.push({ ...record, height, index: records.length });
    }
    return records;
  }

  async #execute(transaction: Transaction): Promise<Execution> {
    const { hash, bytes, sender, raw } = transaction;
    const { rules, note } = this.#around;
    // Checks again: the block's EVM transactions ran first.
    const late = await this.#check(transaction, false);
    if (late !== undefined) return notRun(transaction, late);
    const account = await this.#around.books().auth.account(this.#text(sender));
    const fee = feeOf(transaction, rules.denom) ?? 0n;
    const plan = await this.#planOf(transaction);
    const result = await this.#run(transaction, account, plan, fee);
    const key = keyOf(transaction);
    if (key !== undefined) this.keys.set(sender, key);
    note(sender, true);
    for (const step of plan.steps) {
      if ("amount" in step) note(step.to, false);
    }
    return {
      hash,
      bytes,
      code: result.refusal?.code ?? 0,
      codespace: result.refusal?.codespace ?? "",
      log: result.refusal?.log ?? "",
      data: result.data,
      gasWanted: gasLimitOf(transaction),
      gasUsed: result.gasUsed,
      events: [
        ...anteEvents(
          sender,
          fee,
          account?.sequence ?? 0n,
          raw.signatures[0] ?? new Uint8Array(),
          rules,
        ),
        ...result.events,
      ],
    };
  }

  async #planOf(transaction: Transaction): Promise<Plan> {
    const plan = planOf(transaction);
    const { jailedUntil } = this.#around;
    if (jailedUntil === undefined) return plan;
    const steps: Step[] = [];
    for (const [i, step] of plan.steps.entries()) {
      if (!("unjail" in step)) {
        steps.push(step);
        continue;
      }
      try {
        steps.push({ ...step, until: await jailedUntil(step.unjail) });
      } catch (error) {
        if (!DualstackError.is(error)) throw error;
        const refusal = messageFailure(plan.owners[i] ?? 0, error.message);
        return { ...plan, refusal };
      }
    }
    return { ...plan, steps };
  }

  async #run(
    transaction: Transaction,
    account: Account | undefined,
    plan: Plan,
    fee: bigint,
  ): Promise<Result> {
    // A trial run tells the gas: beyond the limit, only the fee is taken.
    const trial = await this.#act(transaction, account, plan, fee, true);
    const wanted = gasLimitOf(transaction);
    if (trial.gasUsed <= wanted) {
      return await this.#act(transaction, account, plan, fee, false);
    }
    const nothing = { ...plan, steps: [], owners: [] };
    await this.#act(transaction, account, nothing, fee, false);
    return {
      gasUsed: trial.gasUsed,
      events: [],
      data: new Uint8Array(),
      refusal: {
        code: 11,
        codespace: "sdk",
        log: `out of gas in location: WriteFlat; gasWanted: ${wanted}, gasUsed: ${trial.gasUsed}: out of gas`,
      },
    };
  }

  async #act(
    transaction: Transaction,
    account: Account | undefined,
    { steps, owners, refusal: early }: Plan,
    fee: bigint,
    dry: boolean,
  ): Promise<Result> {
    const { engine, rules } = this.#around;
    const { sender, messages } = transaction;
    const books = this.#around.books();
    // Framework transactions edit no validators, whose times these would be.
    const standing = new Standing(() => books, 0n, rules.denom);
    if (!dry && messages.some(({ module }) => module === "governance")) {
      await standing.readProposals();
    }
    const { done, failure } = await engine.act(
      { sender, fee, steps: early === undefined ? steps : [] },
      dry,
    );
    const refusal =
      failure === undefined
        ? early
        : messageFailure(owners[done.length] ?? 0, failure);
    const gasUsed = gasOf(
      transaction,
      account,
      done.map(({ gas }) => gas),
    );
    if (refusal !== undefined) {
      return { gasUsed, events: [], data: new Uint8Array(), refusal };
    }
    const results = messages.map((message, index) => {
      const isMine = (_: unknown, i: number) => owners[i] === index;
      return {
        message,
        outcomes: done.filter(isMine),
      };
    });
    const events: ModuleEvent[] = [];
    for (const [index, { message, outcomes }] of results.entries()) {
      const acts = outcomes.flatMap((outcome) => outcome.acts);
      if (!dry) {
        events.push(
          ...(await messageEvents(message, index, acts, rules, standing)),
        );
      }
    }
    return {
      gasUsed,
      events,
      data: responsesOf(results),
    };
  }

  /**
   * Returns the gas that a transaction would use.
   *
   * @throws Fault when it is refused or fails
   */
  async simulate(bytes: Uint8Array): Promise<bigint> {
    const transaction = this.#read(bytes);
    const fault = ({ log, code }: Refusal) => new Fault(2, log, { code, log });
    if (isRefusal(transaction)) {
      throw fault(transaction);
    }
    const refusal = await this.#check(transaction, true);
    if (refusal !== undefined) {
      throw fault(refusal);
    }
    const address = this.#text(transaction.sender);
    const account = await this.#around.books().auth.account(address);
    const plan = await this.#planOf(transaction);
    const result = await this.#act(transaction, account, plan, 0n, true);
    if (result.refusal !== undefined) {
      throw fault(result.refusal);
    }
    return result.gasUsed;
  }
}

function planOf({ messages }: Transaction): Plan {
  const steps: Step[] = [];
  const owners: number[] = [];
  for (const [index, message] of messages.entries()) {
    try {
      const own = message.steps();
      steps.push(...own);
      owners.push(...own.map(() => index));
    } catch (error) {
      // Invalid addresses and numbers throw other errors.
      const reason = error instanceof Error ? error.message : String(error);
      const text =
        error instanceof MessageFault ? reason : `${reason}: invalid request`;
      return { steps, owners, refusal: messageFailure(index, text) };
    }
  }
  return { steps, owners };
}
