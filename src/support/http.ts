import { encryptionFault } from "./encryption.js";
import {
  DualstackError,
  type ErrorDetails,
  type ErrorPlace,
} from "./errors.js";
import { fixRefused } from "./loopback.js";
import { cleanText, errorText } from "./text.js";

/** Limits of one HTTP exchange. */
export interface HttpLimits {
  /** Milliseconds until the whole answer must be there. */
  readonly timeoutMs: number;
  /** The most bytes of an answer's body. */
  readonly maxBytes: number;
}

export const DEFAULT_LIMITS: HttpLimits = {
  timeoutMs: 15_000,
  maxBytes: 16 * 1024 * 1024,
};

export interface HttpRequest extends Partial<HttpLimits> {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** What errors call the endpoint, such as `the faucet`. */
  readonly name?: string;
  readonly network?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body, as text. */
  readonly text: string;
}

/** Why an exchange failed, for code that retries. */
export type HttpFault =
  | "unreachable"
  | "timeout"
  | "too-large"
  | "redirect"
  | "dropped"
  /**
   * The server expects encryption where the address has none, or the other way
   * round, or its certificate is wrong.
   */
  | "encryption"
  /** The server refuses the credentials, or asks for some. */
  | "denied"
  /** The server accepts no more requests for now. */
  | "busy"
  /** A gateway answers that the server behind it is down. */
  | "failing"
  /** There is no such endpoint at the address. */
  | "not-served"
  /** The answer is not JSON. */
  | "not-json";

export class HttpError extends DualstackError {
  readonly fault: HttpFault;
  /** The wait that the server asked for, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(
    fault: HttpFault,
    what: string,
    {
      waitMs,
      ...details
    }: ErrorDetails & { readonly waitMs?: number | undefined },
  ) {
    super(what, details);
    this.fault = fault;
    this.waitMs = waitMs;
  }
}

/** The parts of a URL that may be shown: no user, password or query. */
export function shownUrl(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return cleanText(
      `${protocol}//${host}${pathname === "/" ? "" : pathname}`,
      200,
    );
  } catch {
    return "(not a URL)";
  }
}

/**
 * One HTTP exchange, bounded in time and size. Does not judge statuses. Refuses
 * redirects, since a node's endpoint does not move and a request may contain a
 * signed transaction.
 *
 * @throws HttpError if there is no complete answer
 */
export async function httpExchange(request: HttpRequest): Promise<HttpAnswer> {
  const { url, name = "the endpoint", network } = request;
  const timeoutMs = request.timeoutMs ?? DEFAULT_LIMITS.timeoutMs;
  const maxBytes = request.maxBytes ?? DEFAULT_LIMITS.maxBytes;
  const place = { network, endpoint: shownUrl(url) };
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal =
    request.signal === undefined
      ? timeout
      : AbortSignal.any([timeout, request.signal]);

  const { target, authorization } = splitUser(url, name, place);
  let response: Response | undefined;
  try {
    response = await fetch(target, {
      method: request.method ?? "GET",
      headers: merged(
        { accept: "application/json", ...authorization },
        request.headers,
      ),
      body: request.body,
      redirect: "manual",
      signal,
    });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new HttpError(
        "redirect",
        `${name} redirects to ${shownUrl(new URL(response.headers.get("location") ?? "", url).href)}, which is not followed`,
        {
          ...place,
          fix: "Configure the address that it redirects to, if you trust it.",
        },
      );
    }
    return {
      status: response.status,
      headers: response.headers,
      text: await readBounded(response, maxBytes, name, place),
    };
  } catch (error) {
    if (error instanceof HttpError) {
      throw error;
    }
    if (request.signal?.aborted === true) {
      throw request.signal.reason;
    }
    if (timeout.aborted) {
      throw new HttpError(
        "timeout",
        `${name} did not answer within ${timeoutMs / 1000} s`,
        {
          ...place,
          fix: "Check that the node is up and the address is right.",
          cause: error,
        },
      );
    }
    if (response !== undefined) {
      throw new HttpError(
        "dropped",
        `the connection to ${name} broke before the whole answer was there`,
        {
          ...place,
          cause: error,
        },
      );
    }
    const encryption = encryptionFault(causeCode(error), reasonOf(error));
    if (encryption !== undefined) {
      throw new HttpError("encryption", `${name} ${encryption.what}`, {
        ...place,
        fix: encryption.fix,
        cause: error,
      });
    }
    const fault = isRefused(error) ? "unreachable" : "dropped";
    const check = "Check that the node is up and the address is right.";
    throw new HttpError(
      fault,
      `${name} cannot be reached: ${reasonOf(error)}`,
      {
        ...place,
        fix:
          causeCode(error) === "ECONNREFUSED"
            ? fixRefused(url, check)
            : `${check}${fault === "dropped" && target.protocol === "http:" ? " If it encrypts, write https://." : ""}`,
        cause: error,
      },
    );
  }
}

/**
 * A URL without its user and password, and the header for them: fetch refuses a
 * URL with credentials, and shows them in its message.
 */
export function splitUser(
  url: string,
  name: string,
  place: ErrorPlace,
): { target: URL; authorization: Record<string, string> } {
  let target: URL;
  try {
    target = new URL(url);
  } catch {
    throw new DualstackError(`the address of ${name} is not a URL`, place);
  }
  if (target.username === "" && target.password === "") {
    return { target, authorization: {} };
  }
  const authorization = basicAuthorization(
    `${target.username}:${target.password}`,
  );
  target.username = "";
  target.password = "";
  return { target, authorization };
}

/** @param user `user:password` as it stands in a URL */
export const basicAuthorization = (user: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(decodeURIComponent(user)).toString("base64")}`,
});

// Names of headers are case-insensitive.
function merged(
  defaults: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>> = {},
): Headers {
  const headers = new Headers(defaults);
  for (const [name, value] of Object.entries(given)) {
    headers.set(name, value);
  }
  return headers;
}

async function readBounded(
  response: Response,
  maxBytes: number,
  name: string,
  place: { network: string | undefined; endpoint: string },
): Promise<string> {
  const tooLarge = () =>
    new HttpError(
      "too-large",
      `${name} answered with more than ${Math.floor(maxBytes / 1024)} KiB`,
      {
        ...place,
        fix: "Check that the address belongs to the node and not to something else.",
      },
    );
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  if (response.body !== null) {
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > maxBytes) {
        throw tooLarge();
      }
      text += decoder.decode(chunk, { stream: true });
    }
  }
  return text + decoder.decode();
}

function causeCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error &&
    "code" in cause &&
    typeof cause.code === "string"
    ? cause.code
    : undefined;
}

/** Error codes for failures before a connection was made: nothing can have reached the server. */
export const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const isRefused = (error: unknown) =>
  NEVER_CONNECTED.has(causeCode(error) ?? "");

function reasonOf(error: unknown): string {
  const cause =
    error instanceof Error && error.cause instanceof Error
      ? error.cause
      : error;
  const text = errorText(cause, 160);
  return text === "" ? (causeCode(error) ?? "no answer") : text;
}

/**
 * The wait that an answer asks for in `Retry-After`, in milliseconds; both
 * forms of RFC 9110 §10.2.3.
 */
export function retryAfterMs(
  headers: Headers,
  now = Date.now(),
): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (value === undefined || value === "") {
    return undefined;
  }
  if (/^\d+$/.test(value)) {
    return Number(value) * 1000;
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
