import { DualstackError, type ErrorDetails } from "../support/errors.js";
import type { Refusal, RefusalKind } from "./outcome.js";
import { formatWait } from "./waiting-time.js";

const WHAT: Readonly<Record<Exclude<RefusalKind, "unreachable">, string>> = {
  cooldown: "the faucet asks you to wait",
  captcha: "the faucet asks for a captcha",
  "bad-address": "the faucet does not accept the address",
  "unsupported-token": "the faucet does not give this token",
  empty: "the faucet is empty",
  failing: "the faucet failed",
};

const LOOK_FIRST =
  "The tokens may have been granted anyway: check the balance first.";

const FIX: Readonly<Record<RefusalKind, string>> = {
  cooldown: "Ask again later, or for another address.",
  captcha:
    "Open the faucet in a browser: a captcha cannot be solved from here.",
  "bad-address":
    "Check dualstack.bech32Prefix and the protocol in dualstack.testnet.faucet.",
  "unsupported-token":
    "Set the faucet's name for the token in dualstack.testnet.faucet.denoms.",
  empty: "Tell its operator, or get tokens from another account.",
  failing:
    "Try again later; if it keeps failing, check dualstack.testnet.faucet.",
  unreachable: "Check DUALSTACK_TESTNET_FAUCET_URL, and that the faucet is up.",
};

/** A faucet that granted nothing, with the kind of reason. */
export class FaucetError extends DualstackError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, details: ErrorDetails) {
    const { kind, text, waitMs, mayHaveGranted = false } = refusal;
    super(
      // Then the message says how it could not be reached.
      kind === "unreachable"
        ? text
        : `${WHAT[kind]}${waitMs === undefined ? "" : ` ${formatWait(waitMs)}`}: ${text}`,
      {
        fix: mayHaveGranted ? `${LOOK_FIRST} ${FIX[kind]}` : FIX[kind],
        ...details,
      },
    );
    this.name = "FaucetError";
    this.refusal = refusal;
  }

  /** The fields that scripts act on. */
  toJSON(): { kind: RefusalKind; waitSeconds?: number } {
    const { kind, waitMs } = this.refusal;
    return {
      kind,
      ...(waitMs === undefined
        ? {}
        : { waitSeconds: Math.ceil(waitMs / 1000) }),
    };
  }
}
