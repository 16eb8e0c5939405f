import { encryptionFault, type Told } from "./encryption.js";
import {
  type HttpAnswer,
  HttpError,
  type HttpFault,
  retryAfterMs,
} from "./http.js";
import type { ErrorPlace } from "./errors.js";

const CREDENTIALS =
  "user and password in its address, or the API key in the network's httpHeaders in the Hardhat configuration";

/**
 * What a status means that does not come from the server itself but from
 * something in front of it.
 */
export function statusFault(
  status: number,
  waitMs?: number,
): Told & { readonly fault: HttpFault } {
  const told = (fault: HttpFault, what: string, fix: string) => ({
    fault,
    what: `${what} (HTTP ${status})`,
    fix,
  });
  switch (status) {
    case 401:
      return told(
        "denied",
        "asks for credentials",
        `Set or check the ${CREDENTIALS}.`,
      );
    case 403:
      return told(
        "denied",
        "refuses access",
        `Check your permissions there, and the ${CREDENTIALS}.`,
      );
    case 413:
      return told(
        "not-served",
        "rejects the request as too large",
        "Make a smaller request.",
      );
    case 429:
      return told(
        "busy",
        "accepts no more requests for now",
        waitMs === undefined
          ? "Wait a while, or use a node of your own."
          : `It asks you to wait ${Math.ceil(waitMs / 1000)} s.`,
      );
    case 408:
    case 425:
      return told("failing", "did not get the request in time", "Try again.");
    default:
      return status >= 500
        ? told(
            "failing",
            "answers with a gateway's error",
            "The gateway answers, but the node behind it does not: try again later, or use another node.",
          )
        : told(
            "not-served",
            "is not at this address",
            "Check the base URL, or give this endpoint an address of its own.",
          );
  }
}

/**
 * The error for an answer that does not come from the server: a gateway's, a
 * proxy's, a website's.
 */
export function foreignAnswer(
  name: string,
  { status, headers, text }: HttpAnswer,
  place: ErrorPlace,
): HttpError {
  const fail = (fault: HttpFault, { what, fix }: Told, waitMs?: number) =>
    new HttpError(fault, `${name} ${what}`, { ...place, fix, waitMs });
  const encryption =
    status === 400 ? encryptionFault(undefined, text) : undefined;
  if (encryption !== undefined) {
    return fail("encryption", encryption);
  }
  if (status < 200 || status >= 300) {
    const waitMs = retryAfterMs(headers);
    const { fault, ...told } = statusFault(status, waitMs);
    return fail(fault, told, waitMs);
  }
  if (/^\s*[[{]/.test(text) && !isJson(text)) {
    return fail("dropped", {
      what: "answered with something that is not JSON: it is cut off or broken",
      fix: "Try again.",
    });
  }
  const page = /^\s*</.test(text);
  return fail("not-json", {
    what: page
      ? "answered with a web page, not JSON"
      : "answered with something that is not JSON",
    fix: page
      ? "Check the address: a website, a login page or a proxy answers there."
      : "Check that the address belongs to this endpoint and not to something else.",
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
