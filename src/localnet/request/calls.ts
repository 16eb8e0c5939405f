// What requests, overrides and changes look like once they have been read.

/** A call as JSON-RPC takes it. */
export interface CallRequest {
  readonly from?: string;
  readonly to?: string;
  readonly data?: string;
  readonly value?: string;
  readonly gas?: string;
}

/** A transaction that is in a block, in lower case. */
export interface MinedTransaction {
  readonly hash: string;
  readonly from: string;
  /** Absent where it creates a contract. */
  readonly to?: string;
  readonly data: string;
  readonly value: string;
  /** What its sender must have for gas. */
  readonly fee: bigint;
}

/** What a call would write: accounts in lower case, storage words of 32 bytes. */
export interface StateChanges {
  readonly storage: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly balances: ReadonlyMap<string, bigint>;
  /** What the changed words and balances were; absent words were zero. */
  readonly before: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly balancesBefore: ReadonlyMap<string, bigint>;
}
