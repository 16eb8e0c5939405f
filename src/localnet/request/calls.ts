// The forms of requests and state changes once they have been read.

/** Passes a request on to the simulated node. */
export type PassOn = () => Promise<unknown>;

/** A call as JSON-RPC takes it. */
export interface CallRequest {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: string;
  readonly gas?: string;
  /** Left out where a trace is to pay no fees, as are the two below. */
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
}

/** A transaction of a block; addresses and data in lower case. */
export interface MinedTransaction {
  readonly hash: string;
  readonly from: string;
  /** Absent if it creates a contract. */
  readonly to?: string;
  readonly data: string;
  readonly value: string;
  /** Base units that its sender needs for gas. */
  readonly fee: bigint;
}

/**
 * What a call would write: accounts in lower case, storage words of 32 bytes,
 * balances in base units.
 */
export interface StateChanges {
  readonly storage: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly balances: ReadonlyMap<string, bigint>;
  /** The changed words and balances as they were; an absent word was zero. */
  readonly before: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly balancesBefore: ReadonlyMap<string, bigint>;
}
