import { AsyncLocalStorage } from "node:async_hooks";

import type { Ask, Exchange, Layer, Next } from "../rpc/pipeline.js";
import { RpcError, rpcErrorOf } from "../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import { sleep } from "../support/async.js";
import { DualstackError } from "../support/errors.js";
import {
  FollowUp,
  type FollowUpOptions,
  PATIENCE,
  type Patience,
} from "./follow-up.js";
import { Counts } from "./counts.js";
import { closeGap } from "./gap.js";
import { LostAnswers } from "./lost-answers.js";
import { isKnown, isNonceInUse, isNonceTaken, isReserved } from "./refusals.js";
import type { SentByAccount, SentTransactions } from "./sent.js";
import {
  addressOfCreated,
  decodeTransaction,
  toIncludedTransaction,
  toPendingTransaction,
} from "./transactions.js";
import { withSalt } from "./salt.js";
import { Turn } from "./turn.js";

export interface SendingOptions extends FollowUpOptions {
  /** The sender of requests that name none. */
  readonly defaultSender: () => Promise<string | undefined>;
  /**
   * Whether the signer below asks for a nonce that a request lacks, and for
   * nothing after it.
   */
  readonly signerAsksForNonce?: boolean;
  readonly patience?: Partial<Patience>;
}

/** Milliseconds that a node's count stays valid for an account with pending transactions. */
const COUNT_AGE_MS = 5_000;
/** How many pending contracts a call's data is searched for. */
const MAX_SEARCHED = 32;

/** The transaction that is being prepared and signed, for those who ask for its nonce. */
const signing = new AsyncLocalStorage<Turn>();

/**
 * Sends on a node without a pending state. Such a node reports the committed
 * nonce, whatever is pending, knows no transaction before it is in a block, and
 * silently drops what comes twice or too early. So sent transactions are
 * remembered here: nonces are counted, an account's transactions go to the node
 * in order, a lost answer is followed up by the hash, the same bytes are sent
 * again to a node that forgot them, and a wait ends when a receipt can no
 * longer come.
 */
export class Sending implements Layer {
  readonly #sent: SentTransactions;
  readonly #ask: Ask;
  readonly #options: SendingOptions;
  readonly #patience: Patience;
  readonly #counts: Counts;
  readonly #lostAnswers: LostAnswers;
  readonly #followUp: FollowUp;

  constructor(sent: SentTransactions, ask: Ask, options: SendingOptions) {
    const patience = { ...PATIENCE, ...options.patience };
    this.#sent = sent;
    this.#ask = ask;
    this.#options = options;
    this.#patience = patience;
    this.#lostAnswers = new LostAnswers(ask, { ...options, ...patience });
    this.#counts = new Counts(sent, ask);
    this.#followUp = new FollowUp(sent, ask, this.#counts, options, patience);
    // Connections are often opened to a node that has just been started again.
    sent.forgetCounts();
  }

  /**
   * Reserves an account for a sender of the other stack: a node keeps an
   * account in one pool at a time. When `send` is called with its nonce,
   * everything sent from here is in a block; what is sent meanwhile waits until
   * it has ended.
   *
   * @throws DualstackError if what was sent before does not get into a block in
   * time
   */
  async alone<T>(
    address: string,
    send: (nonce: bigint) => Promise<T>,
  ): Promise<T> {
    const account = this.#sent.of(address);
    return await account.queue.run(
      async () =>
        await account.slots.withAll(async () => {
          // It waits for this count, so it must be of the chain that is there.
          account.forgetCounts();
          const count = await this.#countOf(address);
          const nonce = account.firstFree(count);
          account.markForeign(nonce);
          try {
            const result = await send(await this.#settled(address, nonce));
            account.learnUsed(nonce + 1n);
            return result;
          } finally {
            account.forgetForeign(nonce);
          }
        }),
    );
  }

  /** The committed nonce, once it has reached a given one. */
  async #settled(address: string, nonce: bigint): Promise<bigint> {
    const account = this.#sent.of(address);
    const { settleFor, settleEvery } = this.#patience;
    const end = Date.now() + settleFor;
    for (;;) {
      const committed = fromQuantity(
        await this.#ask("eth_getTransactionCount", [address, "latest"]),
        "nonce",
      );
      if (committed >= nonce) {
        return committed;
      }
      if (Date.now() > end) {
        throw new DualstackError(
          `an earlier transaction of the account, with nonce ${committed}, is not in a block after ${Math.round(settleFor / 1000)} s`,
          {
            ...this.#options.place,
            address,
            transaction: account.at(committed)?.hash,
            fix: "Nothing was sent after it. Look it up, and try again when it is in a block.",
          },
        );
      }
      await sleep(settleEvery);
      // Sends again what a node may have forgotten.
      await this.#learnCount(account, committed);
    }
  }

  /** Ends all waits for blocks here. */
  close(): void {
    this.#followUp.close();
  }

  async handle(exchange: Exchange, next: Next): Promise<unknown> {
    switch (exchange.method) {
      case "eth_sendTransaction":
        return await this.#sendTransaction(exchange, next);
      case "eth_sendRawTransaction":
        return await this.#sendRaw(exchange, next);
      case "eth_getTransactionCount":
        return await this.#count(exchange, next);
      case "eth_estimateGas":
        this.#foresee(exchange);
        await this.#untilCreated(exchange);
        return await next(exchange);
      case "eth_call":
        await this.#untilCreated(exchange);
        return await next(exchange);
      case "eth_fillTransaction":
        await this.#untilCreated(exchange);
        return await this.#fill(exchange, next);
      case "eth_feeHistory":
        return withSalt(exchange, await next(exchange));
      case "eth_getTransactionByHash":
        return await this.#transaction(exchange, next);
      case "eth_getTransactionReceipt":
        return await this.#receipt(exchange, next);
      case "evm_revert":
      case "hardhat_reset":
      case "anvil_reset":
        return await this.#setBack(exchange, next);
      default:
        return await next(exchange);
    }
  }

  // A node that has no such method, or not that snapshot, keeps its chain.
  async #setBack(exchange: Exchange, next: Next): Promise<unknown> {
    const done = await next(exchange);
    if (done !== false) {
      await this.#counts.forget();
    }
    return done;
  }

  async #sendTransaction(exchange: Exchange, next: Next): Promise<unknown> {
    const [request, ...rest] = exchange.params;
    if (!isRecord(request)) {
      return await next(exchange);
    }
    const from =
      typeof request["from"] === "string"
        ? request["from"]
        : await this.#options.defaultSender();
    if (from === undefined) {
      return await next(exchange);
    }
    const account = this.#sent.of(from);
    const turn = new Turn(from, account, () => this.#countOf(from));
    const given = isGiven(request["nonce"])
      ? fromQuantity(request["nonce"], "nonce")
      : undefined;
    // The account handlers below rewrite this copy into the signed transaction.
    const sending = (nonce?: bigint): Exchange => ({
      method: exchange.method,
      params: [
        {
          ...request,
          from,
          ...(nonce === undefined ? {} : { nonce: toQuantity(nonce) }),
        },
        ...rest,
      ],
    });
    const send = async (asked: Exchange) =>
      await this.#send(
        turn,
        () =>
          asked.method === "eth_sendRawTransaction" &&
          typeof asked.params[0] === "string"
            ? asked.params[0]
            : undefined,
        () => signing.run(turn, () => next(asked)),
        !isGiven(request["to"]),
      );
    try {
      if (given !== undefined || isPrepared(request)) {
        return await send(sending(await turn.take(given)));
      }
      // Missing fields are asked for below, in parallel if the nonce is asked for last.
      if (this.#options.signerAsksForNonce === true) {
        this.#countOf(from).catch(() => undefined);
        return await send(sending());
      }
      return await account.queue.run(async () =>
        send(sending(await turn.take())),
      );
    } catch (error) {
      turn.end();
      // Another process used this nonce, which such a node does not count.
      if (
        turn.nonce !== undefined &&
        given === undefined &&
        account.isTakenElsewhere(turn.nonce, error)
      ) {
        return await this.#options.again(exchange.method, [request, ...rest]);
      }
      this.#closeGap(turn, error);
      throw error;
    } finally {
      turn.end();
    }
  }

  // Transactions sent at the same time would wait forever behind one that the
  // node refused.
  #closeGap({ from, account, nonce }: Turn, error: unknown): void {
    if (
      nonce !== undefined &&
      !isNonceInUse(error) &&
      account.at(nonce) === undefined &&
      account.isCountedOn(nonce)
    ) {
      closeGap(this.#options.again, account, from, nonce);
    }
  }

  async #sendRaw(exchange: Exchange, next: Next): Promise<unknown> {
    const raw = exchange.params[0];
    const transaction =
      typeof raw === "string" ? await decodeTransaction(raw) : undefined;
    if (typeof raw !== "string" || transaction === undefined) {
      return await next(exchange);
    }
    const { from, nonce } = transaction;
    const turn = new Turn(from, this.#sent.of(from), () => this.#countOf(from));
    await turn.take(nonce);
    try {
      return await this.#send(
        turn,
        () => raw,
        () => next(exchange),
        transaction.creates,
      );
    } catch (error) {
      this.#closeGap(turn, error);
      throw nonceInUse(error, from, nonce);
    } finally {
      turn.end();
    }
  }

  async #send(
    turn: Turn,
    signed: () => string | undefined,
    send: () => Promise<unknown>,
    creates: boolean,
  ): Promise<string> {
    let answer: unknown;
    let failure: unknown;
    try {
      answer = await this.#whenFree(send);
    } catch (error) {
      failure = error;
    }
    const raw = signed();
    const transaction =
      raw === undefined ? undefined : await decodeTransaction(raw);
    const nonce = turn.nonce ?? transaction?.nonce;
    if (failure !== undefined) {
      if (nonce === undefined) {
        throw failure;
      }
      await this.#lostAnswers.follow(
        failure,
        turn.from,
        nonce,
        raw,
        transaction,
      );
    }
    const hash =
      transaction?.hash ??
      (typeof answer === "string" ? answer.toLowerCase() : undefined);
    if (
      hash === undefined ||
      nonce === undefined ||
      (failure === undefined &&
        typeof answer === "string" &&
        answer.toLowerCase() !== hash)
    ) {
      throw new DualstackError(
        `the node answered with another transaction hash than that of what was sent`,
        {
          ...this.#options.place,
          transaction: transaction?.hash,
          fix: "Look the transaction up by this hash before sending it again.",
        },
      );
    }
    const now = Date.now();
    const sent = {
      hash,
      from: turn.from.toLowerCase(),
      nonce,
      raw,
      creates: creates ? await addressOfCreated(turn.from, nonce) : undefined,
      firstLookWaits: turn.chosenHere,
      sentAt: now,
      givenAt: now,
    };
    this.#sent.add(sent);
    this.#followUp.attend(sent);
    return hash;
  }

  // Waits while a transaction of the other stack holds the account's place in the pool.
  async #whenFree(send: () => Promise<unknown>): Promise<unknown> {
    const { settleFor, settleEvery } = this.#patience;
    const end = Date.now() + settleFor;
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (!isReserved(error) || Date.now() > end) {
          throw error;
        }
      }
      await sleep(settleEvery);
    }
  }

  /** How many transactions of an account the node knows. */
  async #countOf(from: string): Promise<bigint> {
    const account = this.#sent.of(from);
    // A count that came with a block is still valid for a transaction sent
    // right after it.
    const count =
      account.committed.recent(COUNT_AGE_MS) ??
      (await account.pending.get(COUNT_AGE_MS, () =>
        this.#counts.pending(from),
      ));
    await this.#learnCount(account, count);
    return count;
  }

  async #learnCount(account: SentByAccount, count: bigint): Promise<void> {
    account.learnUsed(count);
    const oldest = account.at(count);
    if (oldest !== undefined) {
      await this.#followUp.giveAgainIfOld(oldest, account);
    }
  }

  async #firstFree(address: string, count: bigint): Promise<bigint> {
    const account = this.#sent.of(address);
    await this.#learnCount(account, count);
    return account.firstFree(count);
  }

  async #count(exchange: Exchange, next: Next): Promise<unknown> {
    const [address, tag] = exchange.params;
    if (tag !== "pending" || typeof address !== "string") {
      return await next(exchange);
    }
    const turn = signing.getStore();
    if (turn?.from.toLowerCase() === address.toLowerCase()) {
      return toQuantity(await turn.take());
    }
    return toQuantity(
      await this.#firstFree(
        address,
        await this.#counts.check(address, () => next(exchange)),
      ),
    );
  }

  async #fill(exchange: Exchange, next: Next): Promise<unknown> {
    const [request] = exchange.params;
    const result = await next(exchange);
    if (
      !isRecord(request) ||
      typeof request["from"] !== "string" ||
      (request["nonce"] !== undefined && request["nonce"] !== null) ||
      !isRecord(result) ||
      !isRecord(result["tx"])
    ) {
      return result;
    }
    const { from } = request;
    const { tx } = result;
    const nonce = await this.#firstFree(
      from,
      await this.#counts.check(from, () => Promise.resolve(tx["nonce"])),
    );
    // `raw` encodes the transaction as the node filled it in, so it no longer matches.
    const { raw: _, ...rest } = result;
    return { ...rest, tx: { ...tx, nonce: toQuantity(nonce) } };
  }

  // A signer of ethers returns once it finds its transaction by the hash. On
  // such a node the lookup waits for the block, so that code that awaits a send
  // continues on the state after it. ethers looks once, right after sending.
  // Later lookups show the transaction as pending, and so do all lookups if the
  // sender chose the nonce: Ignition takes a transaction that is not shown for
  // dropped.
  async #transaction(exchange: Exchange, next: Next): Promise<unknown> {
    const [hash] = exchange.params;
    const sent = typeof hash === "string" ? this.#sent.find(hash) : undefined;
    if (sent?.firstLookWaits === true) {
      sent.firstLookWaits = false;
      await this.#followUp.untilSettled(sent);
      const receipt = this.#sent.receiptOf(sent.hash);
      if (receipt !== undefined && sent.raw !== undefined) {
        return await toIncludedTransaction(sent.raw, receipt);
      }
    }
    const answer = await next(exchange);
    return answer !== null || sent?.raw === undefined
      ? answer
      : await toPendingTransaction(sent.raw);
  }

  async #receipt(exchange: Exchange, next: Next): Promise<unknown> {
    const hash =
      typeof exchange.params[0] === "string" ? exchange.params[0] : "";
    const known = this.#sent.receiptOf(hash);
    if (known !== undefined) {
      return known;
    }
    const sent = this.#sent.find(hash);
    if (sent !== undefined) {
      sent.asked = true;
    }
    let receipt: unknown;
    try {
      receipt = await next(exchange);
    } catch (error) {
      // The node held the request back for as long as it could: not in a block yet.
      if (rpcErrorOf(error)?.code !== -32002) {
        throw error;
      }
      receipt = null;
    }
    if (sent === undefined || this.#sent.find(hash) === undefined) {
      return receipt ?? this.#sent.receiptOfLost(hash) ?? null;
    }
    if (isRecord(receipt)) {
      this.#sent.settle(sent, receipt);
      return receipt;
    }
    return await this.#followUp.lookInto(sent);
  }

  // An estimate with fees is followed by a signature (Hardhat 2 does the same),
  // so its nonce is asked for at the same time.
  #foresee({ params: [call] }: Exchange): void {
    if (
      isRecord(call) &&
      typeof call["from"] === "string" &&
      !isGiven(call["nonce"]) &&
      (isGiven(call["gasPrice"]) || isGiven(call["maxFeePerGas"]))
    ) {
      this.#countOf(call["from"]).catch(() => undefined);
    }
  }

  /** Waits for the creation of a contract that is about to be called. */
  async #untilCreated({ params: [call, tag] }: Exchange): Promise<void> {
    const creations = this.#sent.creations();
    if (
      creations.length === 0 ||
      !isRecord(call) ||
      !(tag === undefined || tag === "latest" || tag === "pending")
    ) {
      return;
    }
    const to = String(call["to"] ?? "").toLowerCase();
    const data = String(call["data"] ?? call["input"] ?? "").toLowerCase();
    const met = creations.filter(
      ({ creates = "" }, i) =>
        creates === to ||
        (i >= creations.length - MAX_SEARCHED &&
          data.includes(creates.slice(2))),
    );
    await Promise.all(met.map((sent) => this.#followUp.untilSettled(sent)));
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Whether only a nonce is missing to sign a request. */
const isPrepared = (request: Record<string, unknown>) =>
  isGiven(request["gas"]) &&
  (isGiven(request["gasPrice"]) ||
    (isGiven(request["maxFeePerGas"]) &&
      isGiven(request["maxPriorityFeePerGas"])));

/** The node's refusal of a nonce that a pending transaction has, with the reason. */
function nonceInUse(error: unknown, from: string, nonce: bigint): unknown {
  const rpc = rpcErrorOf(error);
  const of = `the nonce ${nonce} of ${from}`;
  const reason = isKnown(error)
    ? `a transaction with the same content and ${of} is on its way, so the nonce was chosen twice. Send one after another, or let a nonce manager choose`
    : isNonceTaken(error)
      ? `another transaction with ${of} is on its way. To replace it, raise both fees by a tenth or more. To send both, send one after another, or let a nonce manager choose`
      : undefined;
  if (rpc === undefined || reason === undefined) {
    return error;
  }
  // Clients are shown the message alone.
  const refusal = DualstackError.is(error) ? error.reason : rpc.message;
  return new RpcError(`${refusal}: ${reason}`, rpc.code, rpc.data);
}
