import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { isRead } from "./methods.js";
import type { Ask, Exchange, Layer, Next } from "./pipeline.js";
import { fromQuantity, toQuantity } from "./quantities.js";

/** Whether a node's chain ID was checked. */
export interface CheckedChain {
  done?: Promise<void>;
  /** Whether the node has answered. */
  answered?: boolean;
  /** Whether it was the right one. */
  passed?: boolean;
}

/** Has the chain ID checked again: a node that was away may be another one now. */
export function recheck(checked: CheckedChain): void {
  if (checked.passed === true) {
    checked.passed = false;
    delete checked.done;
  }
}

/**
 * Refuses a node of another chain before anything is signed or sent. Asks for
 * the chain ID once, and again after the node was away, and answers later
 * requests for it from memory.
 */
export class ChainGuard implements Layer {
  readonly #checked: CheckedChain;
  readonly #expected: bigint;
  readonly #ask: Ask;
  readonly #place: ErrorPlace;

  /** @param checked shared by the connections to one node, so that it is asked only once */
  constructor(
    checked: CheckedChain,
    expected: bigint,
    ask: Ask,
    place: ErrorPlace,
  ) {
    this.#checked = checked;
    this.#expected = expected;
    this.#ask = ask;
    this.#place = place;
  }

  async handle(exchange: Exchange, next: Next): Promise<unknown> {
    await this.#pass();
    if (exchange.method === "eth_chainId") {
      return toQuantity(this.#expected);
    }
    const answer = await next(exchange);
    if (isRead(exchange.method)) {
      // It may have waited for a node that was away.
      await this.#pass();
    }
    return answer;
  }

  async #pass(): Promise<void> {
    this.#checked.done ??= this.#check();
    try {
      await this.#checked.done;
    } catch (error) {
      delete this.#checked.done;
      throw error;
    }
  }

  async #check(): Promise<void> {
    const found = fromQuantity(
      await this.#ask("eth_chainId"),
      "the node's chain ID",
    );
    this.#checked.answered = true;
    if (found !== this.#expected) {
      throw new DualstackError(
        `the node's chain ID is ${found}, but the network's is ${this.#expected}; nothing was signed or sent`,
        {
          ...this.#place,
          fix: "Check the base URL of the network: it leads to another chain.",
        },
      );
    }
    this.#checked.passed = true;
  }
}
