import type { ChainState } from "../gas/chain-state.js";
import { explainFailure, type Failure } from "./failure.js";
import type { Ask, Exchange, Layer, Next } from "../rpc/pipeline.js";
import { isRecord } from "../rpc/quantities.js";

const MAX_REPORTED = 1_000;

/** Learns from the receipts that pass, and reports why transactions failed, each once. */
export class Receipts implements Layer {
  readonly #state: ChainState;
  readonly #ask: Ask;
  readonly #onFailure: (hash: string, failure: Failure) => Promise<void>;
  readonly #reported = new Set<string>();

  constructor(
    state: ChainState,
    ask: Ask,
    onFailure: (hash: string, failure: Failure) => Promise<void>,
  ) {
    this.#state = state;
    this.#ask = ask;
    this.#onFailure = onFailure;
  }

  async handle(exchange: Exchange, next: Next): Promise<unknown> {
    const answer = await next(exchange);
    if (exchange.method !== "eth_getTransactionReceipt" || !isRecord(answer)) {
      return answer;
    }
    this.#state.learnReceipt(answer);
    const hash = String(answer["transactionHash"]).toLowerCase();
    if (
      answer["status"] === "0x0" &&
      !this.#reported.has(hash) &&
      this.#reported.size < MAX_REPORTED
    ) {
      this.#reported.add(hash);
      try {
        const ask = this.#ask;
        await this.#onFailure(hash, await explain(ask, answer));
      } catch {
        // The receipt is what was asked for; an explanation is a courtesy.
      }
    }
    return answer;
  }
}

async function explain(
  ask: Ask,
  receipt: Record<string, unknown>,
): Promise<Failure> {
  // One that stands for a receipt that never comes says why.
  return typeof receipt["reason"] === "string"
    ? { kind: "unknown", reason: receipt["reason"] }
    : await explainFailure(
        { request: ({ method, params }) => ask(method, [...(params ?? [])]) },
        receipt,
      );
}
