import { sleep } from "./async.js";
import { HttpError, type HttpFault } from "./http.js";

export interface RetryOptions {
  /** How often is asked again; without it as long as `retryForMs`, of an endpoint that has answered before. */
  readonly retries?: number;
  /** The first wait before that, in milliseconds; it doubles every time. Default 250. */
  readonly backoffMs?: number;
  /** The longest wait that a server may ask for with `Retry-After`, in milliseconds; default 20 s. */
  readonly maxWaitMs?: number;
  /** Nothing is asked again later than this after its beginning, in milliseconds; default 30 s. */
  readonly retryForMs?: number;
  /**
   * The same for a server that is not there, in milliseconds; what is asked
   * after that fails at once, until it answers again. Without it nothing is
   * particular about such a server.
   */
  readonly awaitMs?: number;
}

const BEFORE_THE_FIRST_ANSWER = 4;
const LONGEST_BACKOFF_MS = 4_000;

/** Nobody said anything. */
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

/** What is particular to one kind of endpoint. */
export interface RetryRules {
  /** Whether a failure may pass. */
  readonly passes?: (error: unknown) => boolean;
  /** The first wait after a failure that takes another time to pass, in milliseconds. */
  readonly backoffMs?: (error: unknown) => number | undefined;
}

/**
 * Asks an endpoint again when it failed in a way that passes. One that has
 * answered before is given the time in which a node is started again; an
 * address that never answered is more likely wrong.
 */
export class Retrying {
  readonly #options: RetryOptions;
  readonly #rules: RetryRules;
  #answered = false;
  /** It was waited for in vain. */
  #gone = false;

  constructor(options: RetryOptions = {}, rules: RetryRules = {}) {
    this.#options = options;
    this.#rules = rules;
  }

  /** @param deadline when the caller wants to know, whatever else is allowed; in milliseconds since 1970 */
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
        // Who refuses is there.
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
