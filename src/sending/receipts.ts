import type { Delegations } from "../gas/delegations.js";
import type { EstimateSource } from "../gas/quote.js";
import { explainFailure, type Failure } from "./failure.js";
import type { Ask, Exchange, Layer, Next } from "../rpc/pipeline.js";
import { isRecord } from "../rpc/quantities.js";

const MAX_REPORTED = 1_000;

/** Learns from receipts that pass, and reports once why a transaction failed. */
export class Receipts implements Layer {
  readonly #delegations: Delegations;
  readonly #estimates: EstimateSource;
  readonly #ask: Ask;
  readonly #onFailure: (hash: string, failure: Failure) => Promise<void>;
  readonly #reported = new Set<string>();

  constructor(
    delegations: Delegations,
    estimates: EstimateSource,
    ask: Ask,
    onFailure: (hash: string, failure: Failure) => Promise<void>,
  ) {
    this.#delegations = delegations;
    this.#estimates = estimates;
    this.#ask = ask;
    this.#onFailure = onFailure;
  }

  async handle(exchange: Exchange, next: Next): Promise<unknown> {
    const answer = await next(exchange);
    if (exchange.method !== "eth_getTransactionReceipt" || !isRecord(answer)) {
      return answer;
    }
    this.#delegations.learnReceipt(answer);
    const hash = String(answer["transactionHash"]).toLowerCase();
    if (
      answer["status"] === "0x0" &&
      !this.#reported.has(hash) &&
      this.#reported.size < MAX_REPORTED
    ) {
      this.#reported.add(hash);
      try {
        const failure = await this.#explain(answer);
        await this.#onFailure(hash, failure);
        if (failure.kind === "out-of-gas") {
          await this.#learnTrace(hash);
        }
      } catch {
        // The receipt is what was asked for; the explanation is optional.
      }
    }
    return answer;
  }

  // Not every node lets clients trace.
  async #learnTrace(hash: string): Promise<void> {
    this.#delegations.learnTrace(
      await this.#ask("debug_traceTransaction", [
        hash,
        { tracer: "callTracer" },
      ]),
    );
  }

  async #explain(receipt: Record<string, unknown>): Promise<Failure> {
    // A receipt that stands in for a missing one has the reason.
    return typeof receipt["reason"] === "string"
      ? { kind: "missing", reason: receipt["reason"] }
      : await explainFailure(
          {
            request: ({ method, params }) =>
              this.#ask(method, [...(params ?? [])]),
          },
          receipt,
          this.#estimates,
        );
  }
}
