import type { RpcProvider } from "../../rpc/provider.js";
import { isRecord } from "../../rpc/quantities.js";
import { DualstackError } from "../../support/errors.js";
import { errorText } from "../../support/text.js";
import { Refused, type SocketEvents } from "./socket.js";

/**
 * A provider that delivers subscriptions' events itself (EIP-1193), like those
 * of simulated networks.
 */
export interface SubscribingProvider extends RpcProvider {
  on(event: "message", listener: (message: unknown) => void): unknown;
  removeListener(
    event: "message",
    listener: (message: unknown) => void,
  ): unknown;
}

/** Whether a provider delivers events. */
export const isSubscribing = (
  provider: RpcProvider,
): provider is SubscribingProvider =>
  "on" in provider &&
  typeof provider.on === "function" &&
  "removeListener" in provider &&
  typeof provider.removeListener === "function";

/** Subscriptions to a network in this process, in place of a socket. */
export class ProviderSocket {
  readonly #provider: SubscribingProvider;
  readonly #listener: (message: unknown) => void;
  readonly #ids = new Set<string>();

  constructor(provider: SubscribingProvider, events: SocketEvents) {
    this.#provider = provider;
    this.#listener = (message) => {
      if (!isRecord(message) || message["type"] !== "eth_subscription") {
        return;
      }
      const { data } = message;
      if (isRecord(data) && typeof data["subscription"] === "string") {
        events.onEvent(data["subscription"], data["result"]);
      }
    };
    provider.on("message", this.#listener);
  }

  /** @throws Refused if the network refuses it */
  async subscribe(params: readonly unknown[]): Promise<string> {
    let id: unknown;
    try {
      id = await this.#provider.request({ method: "eth_subscribe", params });
    } catch (cause) {
      throw new Refused(
        `the network refused the subscription: ${errorText(cause)}`,
        { cause },
      );
    }
    if (typeof id !== "string") {
      throw new DualstackError("the network answered eth_subscribe without ID");
    }
    this.#ids.add(id);
    return id;
  }

  async unsubscribe(id: string): Promise<void> {
    this.#ids.delete(id);
    await this.#provider.request({ method: "eth_unsubscribe", params: [id] });
  }

  close(): void {
    this.#provider.removeListener("message", this.#listener);
    // The network itself stays open.
    for (const id of this.#ids) {
      void this.unsubscribe(id).catch(() => undefined);
    }
  }
}
