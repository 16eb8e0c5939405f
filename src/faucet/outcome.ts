import type { HttpAnswer } from "../support/http.js";
import { retryAfterMs } from "../support/http.js";
import { cleanText } from "../support/text.js";
import { waitingTimeMs } from "./waiting-time.js";

/** Why a faucet granted nothing. */
export type RefusalKind =
  | "cooldown"
  | "captcha"
  | "bad-address"
  | "unsupported-token"
  | "empty"
  | "failing"
  | "unreachable";

export interface Refusal {
  readonly kind: RefusalKind;
  /** The faucet's own words, cleaned. */
  readonly text: string;
  /** How long to wait before asking again, in milliseconds, if it said so. */
  readonly waitMs?: number;
  /** Whether the request may have been carried out, since only the answer failed. */
  readonly mayHaveGranted?: boolean;
}

/** The outcome of a request to a faucet. */
export type FaucetOutcome =
  | { readonly kind: "granted"; readonly transaction?: string }
  | Refusal;

// The order matters: a text about waiting may also say that tokens are blocked,
// and one about a missing token may contain the word address.
const SIGNS: readonly (readonly [RefusalKind, RegExp])[] = [
  ["captcha", /captcha|turnstile|human verification/i],
  [
    "cooldown",
    /rate.?limit|too many requests|too often|please wait|try again (?:in|after|later)|cool.?down|gr[ae]ylist|already.{0,20}(?:airdrop|fund|request|claim|receiv)|max\w*\.?(?: \w+){0,2} credit|daily limit|recurring.?limit/i,
  ],
  [
    "unsupported-token",
    /(?:token|denom|coin|currency)\w*\b.{0,30}(?:not available|not supported|unsupported|unknown|invalid)|(?:unsupported|unknown|invalid) (?:token|denom|coin|currency)/i,
  ],
  [
    "bad-address",
    /(?:invalid|bad|wrong|malformed|unknown).{0,20}(?:address|bech32|recipient|prefix)|address.{0,100}(?:not in the expected format|invalid|not supported|not valid)|decoding bech32/i,
  ],
  [
    "empty",
    /insufficient (?:funds|balance)|out of (?:funds|tokens)|(?:faucet|wallet|account) (?:is )?(?:empty|drained|depleted|dry)|not enough (?:funds|tokens|balance)/i,
  ],
];

/**
 * Sorts an answer that is not a grant. Faucets do not agree on statuses (429,
 * 405, 425, 500 and even 200 all mean to wait), so the text decides first.
 */
export function refusal(
  answer: HttpAnswer,
  text: string,
  waitMs = retryAfterMs(answer.headers) ?? waitingTimeMs(text),
): Refusal {
  const { status } = answer;
  const shown = cleanText(text) || statusText(answer);
  const kind =
    SIGNS.find(([, pattern]) => pattern.test(shown))?.[0] ??
    (status === 429 || status === 425 ? "cooldown" : "failing");
  return kind === "cooldown"
    ? { kind, text: shown, ...(waitMs === undefined ? {} : { waitMs }) }
    : {
        kind,
        text: shown,
        ...(isGatewayError(status) ? { mayHaveGranted: true } : {}),
      };
}

/** Whether a status means that a gateway's server is down or too slow. */
export const isGatewayError = (status: number): boolean =>
  status >= 502 && status <= 504;

/** Whether a text sounds like a refusal, for faucets that always answer with 200. */
export function soundsRefused(text: string): boolean {
  return SIGNS.some(([, pattern]) => pattern.test(text));
}

/** A gateway's error page says nothing about the faucet; only its status does. */
export function bodyText(answer: HttpAnswer): string {
  return /^\s*</.test(answer.text) ? statusText(answer) : answer.text;
}

/** What a status says about a faucet that said nothing itself. */
export const statusText = ({ status }: HttpAnswer): string =>
  isGatewayError(status)
    ? `HTTP ${status}, so its gateway got no answer from it`
    : `HTTP ${status}`;

/** The body as JSON; `undefined` for anything else. */
export function bodyJson(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    return undefined;
  }
}

/** A field of a JSON answer by its path, such as `data.txHash`. */
export function fieldOf(json: unknown, path: string): unknown {
  let value = json;
  for (const key of path.split(".")) {
    if (
      typeof value !== "object" ||
      value === null ||
      !Object.hasOwn(value, key)
    ) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A transaction hash of either stack, as `0x…`, if it is one. */
export function asHash(value: unknown): string | undefined {
  const match =
    typeof value === "string"
      ? /(?:^|[^0-9a-fA-F])(?:0x)?([0-9a-fA-F]{64})(?:$|[^0-9a-fA-F])/.exec(
          value,
        )
      : null;
  return match?.[1] === undefined ? undefined : `0x${match[1].toLowerCase()}`;
}
