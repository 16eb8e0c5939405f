/** An event of a framework module. */
export interface ModuleEvent {
  readonly type: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: string;
  }[];
}

/** A transaction in a block, as the framework reports it. */
export interface TransactionRecord {
  /** SHA-256 of the bytes in upper-case hex. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly height: bigint;
  /** Index in its block. */
  readonly index: number;
  /** 0 for success. */
  readonly code: number;
  readonly codespace: string;
  /** The reason of a failure. */
  readonly log: string;
  /** The message responses in protobuf (TxMsgData). */
  readonly data: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly ModuleEvent[];
}

/** Returns events in the node's JSON, with all attributes indexed. */
export const indexed = (events: readonly ModuleEvent[]) =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map((attribute) => ({ ...attribute, index: true })),
  }));
