// Reads what the chain has of single accounts, when a request meets them.

import { parseAddress } from "../../address/codec.js";
import { nothingOf } from "../../live-state/account.js";
import type { LiveReader } from "../../live-state/reader.js";
import type { LiveAccount, LiveBase } from "../../live-state/state.js";
import { toQuantity } from "../../rpc/quantities.js";
import type { LocalNode } from "../node/node.js";

/**
 * The chain's accounts at the fork's block, each read once; a failure is tried
 * again.
 */
export class LiveAccounts {
  readonly #node: LocalNode;
  readonly #reader: LiveReader;
  readonly #accounts = new Map<string, Promise<LiveAccount>>();
  readonly #completionTimes = new Map<string, Promise<readonly bigint[]>>();

  constructor(node: LocalNode, reader: LiveReader) {
    this.#node = node;
    this.#reader = reader;
  }

  /**
   * Reads an account, which has nothing if it was born on the fork.
   *
   * @throws UnreadError when the chain does not tell it
   */
  async read(account: string, base: LiveBase): Promise<LiveAccount> {
    const { hex } = parseAddress(account);
    if (await this.#isBornHere(account)) return nothingOf(hex);
    return await kept(
      this.#accounts,
      hex,
      async () => await this.#reader.account(hex, base),
    );
  }

  /**
   * Throws the error that was tolerated when an account was read.
   *
   * @param what of the account is needed: an operator whose unbonding entries,
   * or `redelegations`
   */
  async require(account: string, what: string | undefined): Promise<void> {
    const reading = this.#accounts.get(parseAddress(account).hex);
    const unread = (await reading)?.unread.get(what ?? "");
    if (unread !== undefined) throw unread.error;
  }

  /** Returns the accounts that were read. */
  async all(): Promise<readonly LiveAccount[]> {
    return await Promise.all(this.#accounts.values());
  }

  /**
   * Returns when an account's unbonding entries complete, in Unix seconds.
   *
   * @param account in lower case
   */
  async completionTimes(
    account: string,
    base: () => Promise<LiveBase>,
  ): Promise<readonly bigint[]> {
    return await kept(this.#completionTimes, account, async () =>
      (await this.#isBornHere(account))
        ? []
        : await this.#reader.completionTimes(
            parseAddress(account).hex,
            await base(),
          ),
    );
  }

  /**
   * Returns whether a contract was created on the fork, so that the chain lacks
   * it.
   */
  async #isBornHere(account: string): Promise<boolean> {
    if ((await this.#node.code(account)) === "0x") return false;
    const fork = toQuantity(this.#reader.height);
    const [code, nonce] = await Promise.all([
      this.#node.code(account, fork),
      this.#node.ask("eth_getTransactionCount", [account, fork]),
    ]);
    return code === "0x" && nonce === "0x0";
  }
}

/** Reads once for a key; a failure is forgotten, so that it is tried again. */
async function kept<T>(
  readings: Map<string, Promise<T>>,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  let reading = readings.get(key);
  if (reading === undefined) {
    reading = read();
    readings.set(key, reading);
  }
  try {
    return await reading;
  } catch (error) {
    if (readings.get(key) === reading) readings.delete(key);
    throw error;
  }
}
