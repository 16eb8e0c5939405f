import { DualstackError, type ErrorPlace } from "../support/errors.js";
import { type HttpAnswer, retryAfterMs } from "../support/http.js";
import { cleanText } from "../support/text.js";
import { RpcError } from "./provider.js";

/** The answer to one call, as it stands in the body. */
export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  } | null;
}

/** A failure that may pass, with the wait that the server asked for. */
export class Passing extends Error {
  readonly error: DualstackError;
  readonly waitMs: number | undefined;

  constructor(error: DualstackError, waitMs?: number) {
    super(error.message);
    this.error = error;
    this.waitMs = waitMs;
  }
}

/** The server does not take a batch as it is; nothing of it was run. */
export class BatchRefused extends Error {
  readonly tooLarge: boolean;

  constructor(tooLarge: boolean) {
    super("the node refuses the batch");
    this.tooLarge = tooLarge;
  }
}

const RETRIED_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);
// Gateways answer these in the name of a node that did not get the request.
const GATEWAY_STATUS = new Set([429, 502, 503, 504]);
const WRONG_ADDRESS =
  "Check that the address is that of the EVM JSON-RPC endpoint.";

export function isAnswer(value: unknown): value is RpcAnswer {
  return (
    typeof value === "object" &&
    value !== null &&
    ("result" in value ||
      ("error" in value &&
        typeof value.error === "object" &&
        value.error !== null))
  );
}

/** The error that an answer holds; `undefined` when it holds a result. */
export function errorOf(
  { error }: RpcAnswer,
  place: ErrorPlace,
): RpcError | undefined {
  if (error === undefined || error === null) {
    return undefined;
  }
  return new RpcError(
    cleanText(error.message ?? "the node answered with an error"),
    typeof error.code === "number" ? error.code : -32603,
    error.data,
    place,
  );
}

/**
 * The JSON-RPC answer, or answers, in an HTTP answer.
 *
 * @throws Passing for what is worth another try
 * @throws BatchRefused when a batch is the reason
 * @throws DualstackError for what is no JSON-RPC and never will be
 */
export function readAnswer(
  answer: HttpAnswer,
  isBatch: boolean,
  place: ErrorPlace,
): RpcAnswer | readonly unknown[] {
  const { status, headers, text } = answer;
  const parsed = parseJson(text);
  if (
    (Array.isArray(parsed) || isAnswer(parsed)) &&
    !GATEWAY_STATUS.has(status)
  ) {
    return parsed;
  }
  const failure = (what: string, fix?: string) =>
    new DualstackError(`the node ${what}`, { ...place, fix });
  if (RETRIED_STATUS.has(status)) {
    const waitMs = retryAfterMs(headers);
    throw new Passing(
      failure(
        status === 429
          ? "refuses further requests for now (HTTP 429)"
          : `failed with HTTP ${status}${detail(text, parsed)}`,
        waitMs === undefined
          ? "Try again later."
          : `It asks to wait ${Math.ceil(waitMs / 1000)} s.`,
      ),
      waitMs,
    );
  }
  if (isBatch && status >= 400) {
    throw new BatchRefused(status === 413);
  }
  if (status < 200 || status >= 300) {
    throw failure(
      `refused the request with HTTP ${status}${detail(text, parsed)}`,
      WRONG_ADDRESS,
    );
  }
  if (isMarkup(text)) {
    throw failure("answered with a web page instead of JSON", WRONG_ADDRESS);
  }
  if (parsed === undefined && /^\s*[[{]/.test(text)) {
    throw new Passing(failure("answered with JSON that is cut off or broken"));
  }
  throw failure("answered with something that is not JSON-RPC", WRONG_ADDRESS);
}

const isMarkup = (text: string) => /^\s*</.test(text);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function detail(text: string, parsed: unknown): string {
  const message = isAnswer(parsed) ? parsed.error?.message : undefined;
  const shown = cleanText(message ?? (isMarkup(text) ? "" : text), 120);
  return shown === "" ? "" : `: ${shown}`;
}
