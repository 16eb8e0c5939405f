import { Queue } from "../../support/async.js";

/**
 * Lets one transaction of an account be on its way at a time. A node keeps an
 * account in one pool at a time, so whoever sends on the EVM's side must take
 * turns by the same object.
 */
export interface Turns {
  /**
   * Waits until nothing of the account is on its way, and keeps the account
   * until `send` has ended.
   *
   * @param send gets the nonce that the account has come to, as far as known here
   */
  alone<T>(
    address: `0x${string}`,
    send: (nonce: bigint) => Promise<T>,
  ): Promise<T>;
}

/** Turns among the senders of one client, which know nothing of the EVM's side. */
export class OneByOne implements Turns {
  readonly #queues = new Map<string, Queue>();

  async alone<T>(
    address: `0x${string}`,
    send: (nonce: bigint) => Promise<T>,
  ): Promise<T> {
    const queue = this.#queues.get(address) ?? new Queue();
    this.#queues.set(address, queue);
    return await queue.run(async () => await send(0n));
  }
}
