import type { HttpAnswer } from "../support/http.js";
import type { FaucetOutcome, Refusal } from "./outcome.js";
import type { FaucetToken } from "./token.js";

/** What to ask for, in every form that a faucet may need. */
export interface Wish {
  readonly token: FaucetToken;
  /** The recipient as 0x…. */
  readonly address: `0x${string}`;
  /** The recipient as an account address. */
  readonly bech32: string;
  /** The faucet's name for the token. */
  readonly denom: string;
  /** Whole tokens. */
  readonly amount: string;
  /** Base units. */
  readonly baseUnits: bigint;
  /** Whether the denomination or the amount was configured. */
  readonly explicit: boolean;
}

export interface FaucetRequest {
  readonly method: "GET" | "POST";
  /** Below the faucet's address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** One faucet protocol. */
export interface FaucetProtocol {
  readonly name: string;
  /** The request for a wish, or why this protocol cannot fulfil it. */
  readonly request: (wish: Wish) => FaucetRequest | Refusal;
  readonly classify: (answer: HttpAnswer, wish: Wish) => FaucetOutcome;
  /** Where such a faucet describes itself, and how to recognise it. */
  readonly discovery?: {
    readonly path: string;
    readonly recognise: (json: unknown) => boolean;
    /** Why asking would be in vain, according to the description. */
    readonly obstacle?: (json: unknown) => Refusal | undefined;
  };
}
