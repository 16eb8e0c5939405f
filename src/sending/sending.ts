import { sleep } from "../support/async.js";
import { DualstackError, type ErrorPlace } from "../support/errors.js";
import type { Ask, Exchange, Layer, Next } from "../rpc/pipeline.js";
import { rpcErrorOf } from "../rpc/provider.js";
import { fromQuantity, isRecord, toQuantity } from "../rpc/quantities.js";
import { lostReceipt } from "./lost.js";
import { LostAnswers } from "./lost-answers.js";
import { isKnown, isNonceTooLow, isReserved } from "./refusals.js";
import {
  type Sent,
  type SentByAccount,
  type SentTransactions,
} from "./sent.js";
import { decodeTransaction, toPendingTransaction } from "./transactions.js";
import { TransportError } from "../rpc/transport-error.js";

export interface SendingOptions {
  /** Who sends where a request does not say. */
  readonly defaultSender: () => Promise<string | undefined>;
  /** Makes a request once more from the start, past nothing. */
  readonly again: (method: string, params: unknown[]) => Promise<unknown>;
  /** Why a transaction used its nonce and has no receipt, as far as the node RPC tells. */
  readonly explainMissing?: (hash: string) => Promise<string | undefined>;
  readonly place: ErrorPlace;
  readonly patience?: Partial<Patience>;
}

/** Waiting times in milliseconds; a block of such a chain comes every one to six seconds. */
export interface Patience {
  /** From sending until a missing receipt is looked into. */
  readonly lookAfter: number;
  /** Between two looks. */
  readonly lookEvery: number;
  /** From sending until the same bytes are given to the node again. */
  readonly resendAfter: number;
  /** From seeing the nonce used until a receipt is given up. */
  readonly giveUpAfter: number;
  /** How long a lost answer is followed up. */
  readonly followLostFor: number;
  /** How long the other stack's transactions are waited for. */
  readonly settleFor: number;
  /** Between two looks at them. */
  readonly settleEvery: number;
}

const PATIENCE: Patience = {
  lookAfter: 8_000,
  lookEvery: 2_000,
  resendAfter: 12_000,
  giveUpAfter: 5_000,
  followLostFor: 20_000,
  settleFor: 120_000,
  settleEvery: 500,
};

/**
 * Sending on a node without a pending state. Such a node tells the committed
 * nonce whatever is on its way, knows no transaction before it is in a block,
 * and drops what comes twice or too early without a word. So what was sent is
 * remembered here: nonces are counted on, sends of an account go in order, a
 * lost answer is followed up by the hash, the same bytes are given again to a
 * node that forgot them, and a wait ends when a receipt can no longer come.
 */
export class Sending implements Layer {
  readonly #sent: SentTransactions;
  readonly #ask: Ask;
  readonly #options: SendingOptions;
  readonly #patience: Patience;
  readonly #lostAnswers: LostAnswers;

  constructor(sent: SentTransactions, ask: Ask, options: SendingOptions) {
    this.#sent = sent;
    this.#ask = ask;
    this.#options = options;
    this.#patience = { ...PATIENCE, ...options.patience };
    this.#lostAnswers = new LostAnswers(
      ask,
      options.place,
      this.#patience.followLostFor,
    );
  }

  /**
   * Gives an account to a sender of the other stack: a node keeps an account
   * in one pool at a time. When `send` gets its nonce, all that was sent from
   * here is in a block, and what is sent meanwhile waits until it has ended.
   *
   * @throws DualstackError if what was sent before is in no block in time
   */
  async alone<T>(
    address: string,
    send: (nonce: bigint) => Promise<T>,
  ): Promise<T> {
    const account = this.#sent.of(address);
    return await account.queue.run(async () => {
      const nonce = await this.#nextNonce(address);
      account.markForeign(nonce);
      try {
        return await send(await this.#settled(address, nonce));
      } catch (error) {
        account.forgetForeign(nonce);
        throw error;
      }
    });
  }

  /** The committed nonce, once it has come as far as the given one. */
  async #settled(address: string, nonce: bigint): Promise<bigint> {
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
            transaction: this.#sent.of(address).at(committed)?.hash,
            fix: "Nothing was sent after it. Look it up, and try again when it is in a block.",
          },
        );
      }
      await sleep(settleEvery);
      // Gives what a node may have forgotten to it again.
      await this.#countOn(address, committed);
    }
  }

  async handle(exchange: Exchange, next: Next): Promise<unknown> {
    switch (exchange.method) {
      case "eth_sendTransaction":
        return await this.#sendTransaction(exchange, next);
      case "eth_sendRawTransaction":
        return await this.#sendRaw(exchange, next);
      case "eth_getTransactionCount":
        return await this.#count(exchange, next);
      case "eth_fillTransaction":
        return await this.#fill(exchange, next);
      case "eth_getTransactionByHash":
        return await this.#transaction(exchange, next);
      case "eth_getTransactionReceipt":
        return await this.#receipt(exchange, next);
      case "evm_revert":
      case "hardhat_reset":
      case "anvil_reset":
        this.#sent.clear();
        return await next(exchange);
      default:
        return await next(exchange);
    }
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
    const given = request["nonce"] !== undefined && request["nonce"] !== null;
    let nonce: bigint | undefined;
    try {
      return await account.queue.run(async () => {
        const chosen = given
          ? fromQuantity(request["nonce"], "nonce")
          : await this.#nextNonce(from);
        nonce = chosen;
        // The account handlers below rewrite this copy into the signed transaction.
        const sending: Exchange = {
          method: exchange.method,
          params: [{ ...request, from, nonce: toQuantity(chosen) }, ...rest],
        };
        const signed = () =>
          sending.method === "eth_sendRawTransaction" &&
          typeof sending.params[0] === "string"
            ? sending.params[0]
            : undefined;
        return await this.#send(from, chosen, signed, () => next(sending));
      });
    } catch (error) {
      // Another process sent with this nonce, which such a node does not count.
      if (
        given ||
        nonce === undefined ||
        !account.isTakenElsewhere(nonce, error)
      ) {
        throw error;
      }
      return await this.#options.again(exchange.method, [request, ...rest]);
    }
  }

  async #sendRaw(exchange: Exchange, next: Next): Promise<unknown> {
    const raw = exchange.params[0];
    const transaction =
      typeof raw === "string" ? await decodeTransaction(raw) : undefined;
    if (typeof raw !== "string" || transaction === undefined) {
      return await next(exchange);
    }
    return await this.#sent.of(transaction.from).queue.run(() =>
      this.#send(
        transaction.from,
        transaction.nonce,
        () => raw,
        () => next(exchange),
      ),
    );
  }

  async #send(
    from: string,
    nonce: bigint,
    signed: () => string | undefined,
    send: () => Promise<unknown>,
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
    if (failure !== undefined) {
      await this.#lostAnswers.follow(failure, from, nonce, raw, transaction);
    }
    const hash =
      transaction?.hash ??
      (typeof answer === "string" ? answer.toLowerCase() : undefined);
    if (
      hash === undefined ||
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
    this.#sent.add({
      hash,
      from: from.toLowerCase(),
      nonce,
      raw,
      sentAt: now,
      givenAt: now,
    });
    return hash;
  }

  // While a transaction of the other stack has the account's place in the pool.
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

  async #nextNonce(from: string): Promise<bigint> {
    return await this.#countOn(
      from,
      fromQuantity(
        await this.#ask("eth_getTransactionCount", [from, "pending"]),
        "nonce",
      ),
    );
  }

  async #countOn(from: string, known: bigint): Promise<bigint> {
    const account = this.#sent.of(from);
    for (const sent of account.all()) {
      if (sent.nonce < known) {
        // It is in a block, or its nonce was used otherwise: only its hash still matters.
        account.remove(sent);
      }
    }
    const oldest = account.at(known);
    if (
      oldest !== undefined &&
      Date.now() - oldest.givenAt > this.#patience.resendAfter
    ) {
      await this.#giveAgain(account);
    }
    return account.firstFree(known);
  }

  async #count(exchange: Exchange, next: Next): Promise<unknown> {
    const [address, tag] = exchange.params;
    const answer = await next(exchange);
    if (tag !== "pending" || typeof address !== "string") {
      return answer;
    }
    return toQuantity(
      await this.#countOn(address, fromQuantity(answer, "nonce")),
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
    const nonce = await this.#countOn(
      request["from"],
      fromQuantity(result["tx"]["nonce"], "nonce"),
    );
    return { ...result, tx: { ...result["tx"], nonce: toQuantity(nonce) } };
  }

  async #transaction(exchange: Exchange, next: Next): Promise<unknown> {
    const answer = await next(exchange);
    const sent =
      typeof exchange.params[0] === "string"
        ? this.#sent.find(exchange.params[0])
        : undefined;
    if (
      answer !== null ||
      sent?.raw === undefined ||
      sent.passedAt !== undefined
    ) {
      return answer;
    }
    return await toPendingTransaction(sent.raw);
  }

  async #receipt(exchange: Exchange, next: Next): Promise<unknown> {
    const hash =
      typeof exchange.params[0] === "string" ? exchange.params[0] : "";
    let receipt: unknown;
    try {
      receipt = await next(exchange);
    } catch (error) {
      // The node held the request back for as long as it could: not yet.
      if (rpcErrorOf(error)?.code !== -32002) {
        throw error;
      }
      receipt = null;
    }
    const sent = this.#sent.find(hash);
    if (sent === undefined) {
      return receipt ?? this.#sent.receiptOfLost(hash) ?? null;
    }
    if (receipt !== null) {
      this.#sent.remove(sent);
      return receipt;
    }
    return await this.#settle(sent);
  }

  /** `null` while the receipt may still come; throws when it never will. */
  async #settle(sent: Sent): Promise<unknown> {
    const now = Date.now();
    const { lookAfter, lookEvery, resendAfter, giveUpAfter } = this.#patience;
    if (
      now - sent.sentAt < lookAfter ||
      (sent.lookedAt !== undefined && now - sent.lookedAt < lookEvery)
    ) {
      return null;
    }
    sent.lookedAt = now;
    const committed = fromQuantity(
      await this.#ask("eth_getTransactionCount", [sent.from, "latest"]),
      "nonce",
    );
    const account = this.#sent.of(sent.from);
    if (committed <= sent.nonce) {
      if (now - sent.givenAt > resendAfter) {
        await this.#giveAgain(account);
      }
      return null;
    }
    sent.passedAt ??= now;
    if (now - sent.passedAt < giveUpAfter) {
      return null;
    }
    const error = await this.#lost(sent, account);
    // Whoever asks once more did not listen.
    const block = await this.#ask("eth_getBlockByNumber", [
      "latest",
      false,
    ]).catch(() => undefined);
    if (isRecord(block)) {
      this.#sent.giveUp(sent, await lostReceipt(sent, block, error.reason));
    }
    throw error;
  }

  async #lost(sent: Sent, account: SentByAccount): Promise<DualstackError> {
    const place = {
      ...this.#options.place,
      address: sent.from,
      transaction: sent.hash,
    };
    const other = account.lastHashAt(sent.nonce);
    this.#sent.remove(sent);
    if (other !== undefined && other !== sent.hash) {
      return new DualstackError(
        `the transaction was replaced by ${other}, which has the same nonce ${sent.nonce}`,
        place,
      );
    }
    const reason = await this.#options
      .explainMissing?.(sent.hash)
      .catch(() => undefined);
    return reason === undefined
      ? new DualstackError(
          `the account's nonce ${sent.nonce} is used, but the transaction has no receipt and never will: it was replaced by another of the account, or it failed in a way that leaves none`,
          {
            ...place,
            fix: "Look at the account's transactions; configure the node RPC endpoint to be told the reason.",
          },
        )
      : new DualstackError(
          `the transaction was included, used its nonce ${sent.nonce} and its gas, failed, and has no receipt: ${reason}`,
          {
            ...place,
            fix: "A transfer to one of the chain's module accounts ends like this.",
          },
        );
  }

  // In the order of the nonces: a node forgets what comes too early.
  async #giveAgain(account: SentByAccount): Promise<void> {
    for (const sent of account.all()) {
      if (sent.raw === undefined) {
        continue;
      }
      sent.givenAt = Date.now();
      try {
        await this.#ask("eth_sendRawTransaction", [sent.raw]);
      } catch (error) {
        if (error instanceof TransportError) {
          return;
        }
        if (!isKnown(error) && !isNonceTooLow(error)) {
          // Refused for good: its nonce is free again.
          account.remove(sent);
        }
      }
    }
  }
}
