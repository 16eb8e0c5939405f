import type { Ask } from "../rpc/pipeline.js";
import { fromQuantity, toQuantity } from "../rpc/quantities.js";
import { TransportError } from "../rpc/transport-error.js";
import { sleep } from "../support/async.js";
import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { errorText } from "../support/text.js";
import type { Counts } from "./counts.js";
import { lostReceipt, newestBlock } from "./lost.js";
import { closeGap } from "./gap.js";
import {
  isForNow,
  isKnown,
  isNonceTaken,
  isNonceTooLow,
  isReserved,
} from "./refusals.js";
import type { Sent, SentByAccount, SentTransactions } from "./sent.js";

/** Waiting times in milliseconds; such a chain makes a block every one to six seconds. */
export interface Patience {
  /** From sending until a missing receipt is looked into. */
  readonly lookAfter: number;
  /** Between two looks. */
  readonly lookEvery: number;
  /** From sending until the same bytes are sent again. */
  readonly resendAfter: number;
  /** From seeing the nonce used until the receipt is given up. */
  readonly giveUpAfter: number;
  /** How long a lost answer is followed up: longer than a passing outage. */
  readonly followLostFor: number;
  /** From sending until a transaction that nobody waits for is checked. */
  readonly unattendedAfter: number;
  /** How long to wait for the other stack's transactions. */
  readonly settleFor: number;
  /** Between two looks at them. */
  readonly settleEvery: number;
}

export const PATIENCE: Patience = {
  lookAfter: 8_000,
  lookEvery: 2_000,
  resendAfter: 12_000,
  giveUpAfter: 5_000,
  followLostFor: 35_000,
  unattendedAfter: 3_000,
  settleFor: 120_000,
  settleEvery: 500,
};

/** Waits between looks for a block: with blocks of a second, the second look finds it. */
const WAITS_MS = [300, 800, 500, 1_000, 1_000];
const LONGEST_WAIT_MS = 2_000;
/** An answer this young serves everyone who asks at the same time. */
const SAME_LOOK_MS = 200;
/** No transaction is watched for longer. */
const WATCH_FOR_MS = 5 * 60_000;

export interface FollowUpOptions {
  /** Makes a request that passes all layers. */
  readonly again: (method: string, params: unknown[]) => Promise<unknown>;
  /** Why a transaction used its nonce but has no receipt, if the node RPC knows. */
  readonly explainMissing?: (hash: string) => Promise<string | undefined>;
  readonly place: ErrorPlace;
}

/** Follows transactions after the node has accepted them. */
export class FollowUp {
  readonly #sent: SentTransactions;
  readonly #ask: Ask;
  readonly #counts: Counts;
  readonly #options: FollowUpOptions;
  readonly #patience: Patience;
  readonly #closed = new AbortController();

  constructor(
    sent: SentTransactions,
    ask: Ask,
    counts: Counts,
    options: FollowUpOptions,
    patience: Patience,
  ) {
    this.#sent = sent;
    this.#ask = ask;
    this.#counts = counts;
    this.#options = options;
    this.#patience = patience;
  }

  /** Ends all waits, since the connection is closed. */
  close(): void {
    this.#closed.abort();
  }

  /**
   * Resolves once a transaction is in a block and its receipt has passed all
   * layers, so that a failure is reported even if nobody else asks; also when
   * that can no longer happen, or after five minutes without news.
   */
  async untilSettled(sent: Sent): Promise<void> {
    sent.settled ??= this.#watch(sent).finally(() => delete sent.settled);
    await sent.settled;
  }

  /** Checks a transaction later if nobody has asked for it, as long as the process runs. */
  attend(sent: Sent): void {
    const look = async (round: number): Promise<void> => {
      if (
        sent.asked !== true &&
        sent.settled === undefined &&
        this.#isOnItsWay(sent) &&
        !(await this.#isSettled(sent))
      ) {
        later(round + 1);
      }
    };
    const later = (round: number) =>
      setTimeout(
        () => void look(round).catch(() => undefined),
        round === 0
          ? this.#patience.unattendedAfter
          : (WAITS_MS[round] ?? LONGEST_WAIT_MS),
      ).unref();
    later(0);
  }

  #isOnItsWay(sent: Sent): boolean {
    return this.#sent.find(sent.hash) === sent;
  }

  async #watch(sent: Sent): Promise<void> {
    const end = Date.now() + WATCH_FOR_MS;
    for (let i = 0; Date.now() < end && !this.#closed.signal.aborted; i++) {
      try {
        await sleep(WAITS_MS[i] ?? LONGEST_WAIT_MS, this.#closed.signal);
        if (await this.#isSettled(sent)) {
          return;
        }
      } catch {
        // A node that cannot answer now may answer a second later.
      }
    }
  }

  async #isSettled(sent: Sent): Promise<boolean> {
    if (this.#isOnItsWay(sent) && !(await this.#isUsed(sent))) {
      return false;
    }
    await this.#options.again("eth_getTransactionReceipt", [sent.hash]);
    return !this.#isOnItsWay(sent);
  }

  async #isUsed(sent: Sent): Promise<boolean> {
    const account = this.#sent.of(sent.from);
    const committed = await account.committed.get(SAME_LOOK_MS, () =>
      this.#counts.committed(sent.from),
    );
    if (committed <= sent.nonce) {
      await this.giveAgainIfOld(sent, account);
      return false;
    }
    sent.passedAt ??= Date.now();
    return true;
  }

  /** Returns `null` while the receipt may still come; throws when it never will. */
  async lookInto(sent: Sent): Promise<null> {
    const now = Date.now();
    const { lookAfter, lookEvery, giveUpAfter } = this.#patience;
    if (
      now - sent.sentAt < lookAfter ||
      (sent.lookedAt !== undefined && now - sent.lookedAt < lookEvery)
    ) {
      return null;
    }
    sent.lookedAt = now;
    if (
      !(await this.#isUsed(sent)) ||
      now - (sent.passedAt ?? now) < giveUpAfter
    ) {
      return null;
    }
    const error = await this.#lost(sent);
    // A client that asks again ignores errors, so from now on it gets a receipt.
    const block = await this.#usedIn(sent).catch(() => undefined);
    if (block !== undefined) {
      this.#sent.giveUp(sent, await lostReceipt(sent, block, error.reason));
    }
    throw error;
  }

  /** The block in which a transaction's nonce was used, as far back as the node knows. */
  async #usedIn({ from, nonce }: Sent): Promise<bigint> {
    const head = await newestBlock(this.#ask);
    const isUsedAt = async (block: bigint) =>
      fromQuantity(
        await this.#ask("eth_getTransactionCount", [from, toQuantity(block)]),
        "nonce",
      ) > nonce;
    let [used, free] = [head, 0n];
    try {
      for (let back = 1n; used - back > free; back *= 2n) {
        if (await isUsedAt(used - back)) {
          used -= back;
        } else {
          free = used - back;
        }
      }
      while (used - free > 1n) {
        const middle = (used + free) / 2n;
        if (await isUsedAt(middle)) {
          used = middle;
        } else {
          free = middle;
        }
      }
    } catch {
      // A node may have pruned the states of old blocks.
    }
    return used;
  }

  async #lost(sent: Sent): Promise<DualstackError> {
    const place = {
      ...this.#options.place,
      address: sent.from,
      transaction: sent.hash,
    };
    const other = this.#sent.of(sent.from).lastHashAt(sent.nonce);
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

  /**
   * Sends an account's pending transactions again, if this one has been pending
   * for long; in the order of their nonces, since a node forgets what comes too
   * early.
   */
  async giveAgainIfOld(sent: Sent, account: SentByAccount): Promise<void> {
    if (Date.now() - sent.givenAt <= this.#patience.resendAfter) {
      return;
    }
    const all = account.all();
    for (const one of all) {
      one.givenAt = Date.now();
    }
    for (const one of all) {
      if (one.raw === undefined) {
        continue;
      }
      try {
        await this.#ask("eth_sendRawTransaction", [one.raw]);
      } catch (error) {
        if (error instanceof TransportError) {
          return;
        }
        if (isNonceTaken(error)) {
          account.remove(one);
        } else if (
          !isKnown(error) &&
          !isNonceTooLow(error) &&
          !isReserved(error) &&
          !isForNow(error)
        ) {
          await this.#refused(one, error);
        }
      }
    }
  }

  /** Ends the wait for a transaction that a node forgot and does not take again. */
  async #refused(sent: Sent, refusal: unknown): Promise<void> {
    const { from, nonce } = sent;
    const head = await newestBlock(this.#ask);
    this.#sent.remove(sent);
    this.#sent.giveUp(
      sent,
      await lostReceipt(
        sent,
        head,
        `the node forgot the transaction, and now refuses it: ${errorText(refusal)}`,
      ),
    );
    const account = this.#sent.of(from);
    if (account.isCountedOn(nonce)) {
      closeGap(this.#options.again, account, from, nonce);
    }
  }
}
