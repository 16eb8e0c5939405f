/** Where something went wrong, as far as it is known; printed in this order. */
export interface ErrorPlace {
  readonly network?: string;
  readonly endpoint?: string;
  readonly address?: string;
  readonly transaction?: string;
}

/** What is known about a failure in addition to the reason. */
export interface ErrorDetails extends ErrorPlace {
  /** What the user can do about it, in whole sentences. */
  readonly fix?: string;
  readonly cause?: unknown;
}

const BRAND = Symbol.for("hardhat-dualstack.error");

/**
 * The one error type of the core. The entry points for Hardhat 2 and 3 turn it
 * into Hardhat's own plugin errors; scripts and front ends get it as it is.
 *
 * @example
 * throw new DualstackError("the node did not answer within 10 s", {
 *   network: "testnet",
 *   endpoint: "https://testnet.example/evm",
 *   fix: "Check DUALSTACK_TESTNET_BASE_URL.",
 * });
 */
export class DualstackError extends Error {
  readonly [BRAND] = true;
  readonly place: ErrorPlace;
  readonly fix: string | undefined;
  /** What happened, without place and fix. */
  readonly reason: string;

  constructor(what: string, details: ErrorDetails = {}) {
    const { fix, cause, ...place } = details;
    const where = Object.entries(place)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ");
    const sentence = what.replace(/\.$/, "");
    super(
      `${sentence}${where === "" ? "" : ` (${where})`}.${fix === undefined ? "" : ` ${fix}`}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = "DualstackError";
    this.reason = sentence;
    this.place = place;
    this.fix = fix;
  }

  /** Also true for an error of another copy of this module, as with bundles and CommonJS. */
  static is(value: unknown): value is DualstackError {
    return value instanceof Error && BRAND in value;
  }
}
