import type { ErrorPlace } from "../support/errors.js";
import { encryptionFault } from "../support/encryption.js";
import { NEVER_CONNECTED, retryAfterMs } from "../support/http.js";
import { fixRefused } from "../support/loopback.js";
import { statusFault } from "../support/http-status.js";
import { errorText } from "../support/text.js";
import { isRecord } from "./quantities.js";
import {
  ForeignAnswer,
  TransportError,
  type TransportFault,
} from "./transport-error.js";

/** Numbers of the errors that the HTTP provider of one major of Hardhat throws. */
export interface HttpFaultNumbers {
  readonly notJsonRpc: number;
  readonly connectionRefused: number;
  readonly timedOut: number;
}

const UNKNOWN_ERROR = -1;
const LIMIT_EXCEEDED = -32005;
const TOO_MANY_REQUESTS = 429;
const MAX_CAUSES = 8;

/** Error codes for an answer that did not come. */
const NO_ANSWER = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
/** Error codes for connections that broke, even while the answer was coming. */
const BROKEN = /^(?:UND_ERR_|ECONNRESET|EPIPE|ETIMEDOUT)/;

const CHECK_URL =
  "Check that the node is up and the network's base URL is right.";

/**
 * What happened to a request that Hardhat's HTTP provider failed with;
 * `undefined` if the connection is not to blame. The causes are left out: they
 * contain the whole answer, however long, and URLs with credentials.
 */
export function toTransportError(
  error: unknown,
  numbers: HttpFaultNumbers,
  place: ErrorPlace,
): TransportError | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const fail = (fault: TransportFault, what: string, fix = CHECK_URL) =>
    new TransportError(fault, `the node ${what}`, { ...place, fix });
  const chain = causesOf(error);
  const root = chain.at(-1);
  const code = String(propertyOf(root, "code") ?? "");
  const status = firstProperty(chain, "statusCode");
  const told =
    status === TOO_MANY_REQUESTS || propertyOf(error, "code") === LIMIT_EXCEEDED
      ? TOO_MANY_REQUESTS
      : status;
  if (typeof told === "number") {
    const waitMs = retryAfterMs(headersOf(firstProperty(chain, "headers")));
    const { fault, what, fix } = statusFault(told, waitMs);
    return fail(
      fault === "failing" ? "lost" : fault === "busy" ? "busy" : "refused",
      what,
      fix,
    );
  }
  switch (propertyOf(error, "number")) {
    case numbers.notJsonRpc:
      return new ForeignAnswer(
        "the node answered with something that is not JSON-RPC",
        { ...place, fix: CHECK_URL },
      );
    case numbers.connectionRefused:
      return fail(
        "unreachable",
        "cannot be reached: the connection was refused",
        fixRefused(place.endpoint ?? "", CHECK_URL),
      );
    case numbers.timedOut:
      return fail("lost", "did not answer in time");
  }
  if (root !== undefined && /redirect/i.test(root.message)) {
    return fail(
      "refused",
      "redirects to another host, which is not followed",
      "Configure the address that it redirects to, if you trust it.",
    );
  }
  if (NEVER_CONNECTED.has(code)) {
    return fail("unreachable", `cannot be reached: ${code}`);
  }
  const encryption = encryptionFault(code, root?.message ?? "");
  if (encryption !== undefined) {
    return fail("refused", encryption.what, encryption.fix);
  }
  if (NO_ANSWER.has(code)) {
    return fail("lost", "did not answer in time");
  }
  return propertyOf(error, "code") === UNKNOWN_ERROR || BROKEN.test(code)
    ? fail("lost", `broke the connection: ${errorText(root, 160)}`)
    : undefined;
}

const propertyOf = (error: unknown, name: string): unknown =>
  error instanceof Error
    ? (error as unknown as Record<string, unknown>)[name]
    : undefined;

const firstProperty = (chain: readonly Error[], name: string): unknown =>
  chain.map((error) => propertyOf(error, name)).find((v) => v !== undefined);

function causesOf(error: Error): Error[] {
  const chain = [error];
  for (
    let { cause } = error;
    cause instanceof Error && chain.length < MAX_CAUSES;
    { cause } = cause
  ) {
    chain.push(cause);
  }
  return chain;
}

function headersOf(value: unknown): Headers {
  const wait = isRecord(value) ? value["retry-after"] : undefined;
  return new Headers(
    typeof wait === "string" ? { "retry-after": wait } : undefined,
  );
}
