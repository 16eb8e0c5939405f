import type { ChainFacts } from "../chain/facts.js";
import { variableName } from "../chain/variables.js";
import { DualstackError, type ErrorDetails } from "../support/errors.js";
import { cleanText, errorText } from "../support/text.js";

/** gRPC status codes that the framework's endpoints share (REST returns them as `code`). */
export const STATUS = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

/** The kind of a failure. Statuses alone mislead, so texts count too. */
export type FrameworkFault =
  | "not-found"
  | "invalid-request"
  | "height-in-future"
  | "height-pruned"
  | "unknown-path"
  | "unavailable"
  | "timeout"
  | "too-large"
  | "wrong-height"
  | "malformed"
  /** The node may or may not have acted. */
  | "unknown"
  | "refused";

export interface FrameworkErrorDetails extends ErrorDetails {
  readonly fault: FrameworkFault;
  /** The status code, in the numbering of the endpoint that answered. */
  readonly code?: number;
  /** The module whose numbering `code` follows, where the endpoint says so. */
  readonly codespace?: string;
  /** The server's own text, cleaned. */
  readonly serverText?: string;
}

/** A framework endpoint refused a question, or could not be asked. */
export class FrameworkError extends DualstackError {
  readonly fault: FrameworkFault;
  readonly code: number | undefined;
  readonly codespace: string | undefined;
  readonly serverText: string;

  constructor(what: string, details: FrameworkErrorDetails) {
    const { fault, code, codespace, serverText = "", ...rest } = details;
    super(what, rest);
    this.name = "FrameworkError";
    this.fault = fault;
    this.code = code;
    this.codespace = codespace;
    this.serverText = serverText;
  }
}

const TEXTS: readonly (readonly [RegExp, FrameworkFault])[] = [
  [
    /height in the future|sdk code 26\b|must be less than or equal to the current blockchain height/i,
    "height-in-future",
  ],
  [
    /version does not exist|been pruned|failed to load state at height|sdk code 38\b/i,
    "height-pruned",
  ],
  [/context did not contain latest block height/i, "unavailable"],
  [
    /unknown service|unknown method|unknown query path|unable to resolve type URL/i,
    "unknown-path",
  ],
  [/code = NotFound|not found|doesn't exist/i, "not-found"],
  [
    /bech32|invalid address|unknown address|illegal base64|parsing field|invalid height|unmarshal/i,
    "invalid-request",
  ],
  [/larger than max/i, "too-large"],
];

const CODES: Readonly<Record<number, FrameworkFault>> = {
  [STATUS.invalidArgument]: "invalid-request",
  [STATUS.deadlineExceeded]: "timeout",
  [STATUS.notFound]: "not-found",
  [STATUS.resourceExhausted]: "too-large",
  [STATUS.unimplemented]: "unknown-path",
  [STATUS.unavailable]: "unavailable",
};

/**
 * Classifies a refusal. Its code differs between endpoints (a missing vote is 3
 * in REST and gRPC, 22 in the node RPC) while its text does not, so the text
 * decides first.
 */
export function classify(
  code: number | undefined,
  text: string,
): FrameworkFault {
  for (const [pattern, fault] of TEXTS) {
    if (pattern.test(text)) {
      return fault;
    }
  }
  return (code === undefined ? undefined : CODES[code]) ?? "refused";
}

/** An error's first sentence, to be part of another. */
export const reasonOf = (error: unknown): string =>
  cleanText(DualstackError.is(error) ? error.reason : errorText(error), 200);

const FIXES: Partial<Readonly<Record<FrameworkFault, string>>> = {
  unavailable: "The node is starting, or too busy: try again.",
  "height-pruned":
    "The node keeps recent states only; ask for a later height or an archive node.",
  "unknown-path":
    "Check the name; the node, or a gateway in front of it, does not serve it.",
  "too-large": "Ask for less at once, with a page limit.",
};

/** The error for a height that the chain has not reached, the same for every endpoint. */
export const heightInFuture = (
  height: bigint,
  details: ErrorDetails,
  serverText = "",
): FrameworkError =>
  new FrameworkError(`the chain has not reached height ${height} yet`, {
    ...details,
    fault: "height-in-future",
    fix: "Ask for a height that the chain has reached, or for none to get the newest state.",
    serverText,
  });

/** The prefix of accounts, from that of any address form. */
const ofAccounts = (prefix: string) =>
  prefix.replace(/(?:valoper|valcons)?(?:pub)?$/, "");

/** What to set if the chain uses other names than the configured ones. */
function settingFor(
  fault: FrameworkFault,
  text: string,
  facts: Pick<ChainFacts, "frameworkPrefix" | "networkPrefix"> | undefined,
): string | undefined {
  const [, wanted = "", got = ""] =
    /prefix\W+expected '?([a-z0-9]+)'?,? got '?([a-z0-9]+)/i.exec(text) ?? [];
  if (ofAccounts(wanted) !== ofAccounts(got)) {
    return `The chain's addresses begin with "${ofAccounts(wanted)}": set dualstack.bech32Prefix, or ${variableName("bech32Prefix")}, to it.`;
  }
  return fault === "unknown-path" && facts !== undefined
    ? `Check the name, dualstack.frameworkPrefix ("${facts.frameworkPrefix}") and dualstack.networkPrefix ("${facts.networkPrefix}"); or a gateway in front of the node does not serve it.`
    : undefined;
}

/**
 * The error for an endpoint's refusal, classified by code and text.
 *
 * @param facts the configured names of the chain, to say which to check
 * @param height the height that was asked for
 */
export function refusal(
  endpointName: string,
  answer: {
    readonly code?: number;
    readonly codespace?: string;
    readonly text: string;
  },
  details: ErrorDetails = {},
  facts?: Pick<ChainFacts, "frameworkPrefix" | "networkPrefix">,
  height?: bigint,
): FrameworkError {
  const serverText = cleanText(answer.text);
  // A module's own codes differ from gRPC's.
  const shared = (answer.codespace ?? "") === "";
  const fault = classify(shared ? answer.code : undefined, serverText);
  if (fault === "height-in-future" && height !== undefined) {
    return heightInFuture(height, details, serverText);
  }
  const label = [answer.codespace, answer.code]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
  return new FrameworkError(
    `${endpointName} refused${label === "" ? "" : ` (code ${cleanText(label, 60)})`}: ${serverText === "" ? "no reason given" : serverText}`,
    {
      ...details,
      fix: details.fix ?? settingFor(fault, serverText, facts) ?? FIXES[fault],
      fault,
      code: answer.code,
      codespace: answer.codespace,
      serverText,
    },
  );
}

/** The error for using a client that was closed. */
export const closed = (endpointName: string, network: string): FrameworkError =>
  new FrameworkError(`the connection to ${endpointName} is closed`, {
    network,
    fault: "unavailable",
    fix: "Ask before you close the connection, or open another one.",
  });

/** The error for an answer that no server of this kind gives. */
export function malformed(
  endpointName: string,
  what: string,
  details: ErrorDetails = {},
): FrameworkError {
  return new FrameworkError(`${endpointName} ${what}`, {
    fix: "Check that the address belongs to this endpoint and not to something else.",
    ...details,
    fault: "malformed",
  });
}
