import type { ErrorPlace } from "../support/errors.js";
import type { HttpAnswer } from "../support/http.js";
import { foreignAnswer } from "../support/http-status.js";
import { cleanText } from "../support/text.js";
import { RpcError } from "./provider.js";

/** The answer to one call, as it is in the body. */
export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly data?: unknown;
  } | null;
}

/** The server refuses a batch as a whole; none of its calls was run. */
export class BatchRefused extends Error {
  readonly tooLarge: boolean;
  /** The most calls that the server takes, if it says so. */
  readonly most: number | undefined;

  constructor(tooLarge: boolean, most?: number) {
    super("the node refuses the batch");
    this.tooLarge = tooLarge;
    this.most = most;
  }
}

// Gateways answer with these when a node did not get the request.
const GATEWAY_STATUS = new Set([429, 502, 503, 504]);

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

/** The error in an answer; `undefined` if it has a result. */
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
 * @throws BatchRefused if the server refuses the batch as such
 * @throws HttpError for anything that is not JSON-RPC
 */
export function readAnswer(
  answer: HttpAnswer,
  isBatch: boolean,
  place: ErrorPlace,
): RpcAnswer | readonly unknown[] {
  const { status, text } = answer;
  const parsed = parseJson(text);
  if (
    (Array.isArray(parsed) || isAnswer(parsed)) &&
    !GATEWAY_STATUS.has(status)
  ) {
    return parsed;
  }
  const error = foreignAnswer("the node", answer, place);
  throw isBatch && error.fault === "not-served"
    ? new BatchRefused(status === 413)
    : error;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
