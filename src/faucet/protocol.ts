import type { HttpAnswer } from "../support/http.js";
import type { FaucetOutcome, Refusal } from "./outcome.js";
import type { FaucetToken } from "./token.js";

/** What is asked for, in every form that a faucet may want. */
export interface Wish {
  readonly token: FaucetToken;
  /** The recipient as 0x…. */
  readonly address: `0x${string}`;
  /** The recipient as an account address. */
  readonly bech32: string;
  /** The name by which the faucet knows the token. */
  readonly denom: string;
  /** Whole tokens. */
  readonly amount: string;
  /** Base units. */
  readonly baseUnits: bigint;
  /** Whether denomination or amount were configured, and not just the defaults. */
  readonly explicit: boolean;
}

export interface FaucetRequest {
  readonly method: "GET" | "POST";
  /** Under the faucet's address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** How one kind of faucet is spoken to. */
export interface FaucetProtocol {
  readonly name: string;
  /** The request for a wish, or why this kind of faucet cannot fulfil it. */
  readonly request: (wish: Wish) => FaucetRequest | Refusal;
  readonly classify: (answer: HttpAnswer, wish: Wish) => FaucetOutcome;
  /** Where a faucet of this kind describes itself, and how that is recognised. */
  readonly discovery?: {
    readonly path: string;
    readonly recognise: (json: unknown) => boolean;
    /** What the description says about why asking would be in vain. */
    readonly obstacle?: (json: unknown) => Refusal | undefined;
  };
}
