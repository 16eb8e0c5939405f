import { sleep } from "./async.js";
import { HttpError, type HttpFault } from "./http.js";

export interface RetryOptions {
  /**
   * How many retries; if unset, an endpoint that has answered before is retried
   * for `retryForMs`.
   */
  readonly retries?: number;
  /** Milliseconds before the first retry; doubles every time. Default: 250. */
  readonly backoffMs?: number;
  /**
   * The longest wait in milliseconds that a server may ask for with
   * `Retry-After`; default: 20 s.
   */
  readonly maxWaitMs?: number;
  /** Milliseconds after the first try within which a retry may begin; default: 30 s. */
  readonly retryForMs?: number;
  /**
   * The same for a server that cannot be reached, in milliseconds; after that,
   * requests fail at once until it answers again. If unset, such a server is
   * not treated differently.
   */
  readonly awaitMs?: number;
}

const BEFORE_THE_FIRST_ANSWER = 4;
const LONGEST_BACKOFF_MS = 4_000;

/** Faults without any answer. */
const SILENT: ReadonlySet<HttpFault> = new Set([
  "unreachable",
  "timeout",
  "dropped",
]);

const isSilent = (error: unknown): boolean =>
  error instanceof HttpError && SILENT.has(error.fault);

const PASSING: ReadonlySet<HttpFault> = new Set([...SILENT, "busy", "failing"]);

/** Whether an exchange failed in a way that may pass. */
export const isPassing = (error: unknown): boolean =>
  error instanceof HttpError && PASSING.has(error.fault);

/** What differs between kinds of endpoints. */
export interface RetryRules {
  /** Whether a failure may pass. */
  readonly passes?: (error: unknown) => boolean;
  /** Milliseconds before the first retry of a failure that needs a different wait. */
  readonly backoffMs?: (error: unknown) => number | undefined;
}

/**
 * Retries requests to an endpoint that failed in a way that may pass. An
 * endpoint that has answered before gets the time in which a node restarts; an
 * address that never answered is more likely wrong.
 */
export class Retrying {
  readonly #options: RetryOptions;
  readonly #rules: RetryRules;
  #answered = false;
  /** Whether it was waited for in vain. */
  #gone = false;

  constructor(options: RetryOptions = {}, rules: RetryRules = {}) {
    this.#options = options;
    this.#rules = rules;
  }

  /**
   * @param deadline milliseconds since 1970 at which the caller needs a result,
   * whatever else is allowed
   */
  async run<T>(
    task: () => Promise<T>,
    { signal, deadline }: { signal?: AbortSignal; deadline?: number } = {},
  ): Promise<T> {
    const {
      backoffMs = 250,
      maxWaitMs = 20_000,
      retryForMs = 30_000,
      awaitMs,
    } = this.#options;
    const { passes = isPassing } = this.#rules;
    const began = Date.now();
    const end = Math.min(began + retryForMs, deadline ?? Infinity);
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await task();
        this.#answered = true;
        this.#gone = false;
        return result;
      } catch (error) {
        const isGone = awaitMs !== undefined && isSilent(error);
        // A refusal shows that the server is there.
        if (!isGone) this.#gone = false;
        const first = this.#rules.backoffMs?.(error) ?? backoffMs;
        const backoff =
          Math.min(LONGEST_BACKOFF_MS, first * 2 ** attempt) *
          (0.75 + Math.random() / 2);
        const wished = error instanceof HttpError ? error.waitMs : undefined;
        const wait = Math.max(wished ?? 0, backoff);
        const last = isGone ? Math.min(end, began + awaitMs) : end;
        if (
          !passes(error) ||
          attempt >= this.#retries ||
          wait > maxWaitMs ||
          this.#gone ||
          Date.now() + wait > last
        ) {
          this.#gone = isGone;
          throw error;
        }
        await sleep(wait, signal);
      }
    }
  }

  get #retries(): number {
    return (
      this.#options.retries ??
      (this.#answered ? Infinity : BEFORE_THE_FIRST_ANSWER)
    );
  }
}
