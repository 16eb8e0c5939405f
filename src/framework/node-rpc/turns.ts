import { Queue } from "../../support/async.js";

/**
 * Lets one transaction of an account be pending at a time. A node keeps an
 * account in one pool at a time, so senders on the EVM's side must share the
 * same object.
 */
export interface Turns {
  /**
   * Waits until the account has no pending transactions, and reserves it until
   * `send` has ended.
   *
   * @param send gets the account's nonce, as far as it is known here
   */
  alone<T>(
    address: `0x${string}`,
    send: (nonce: bigint) => Promise<T>,
  ): Promise<T>;
}

/** Turns among the senders of one client; does not know of the EVM's side. */
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
