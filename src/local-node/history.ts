/** An event of the framework's side. */
export interface ModuleEvent {
  readonly type: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: string;
  }[];
}

/** A transaction in a block, as the framework's side has it. */
export interface TransactionRecord {
  /** SHA-256 of its bytes, in capitals. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  readonly height: bigint;
  /** Place in its block. */
  readonly index: number;
  /** 0: it did what it should. */
  readonly code: number;
  readonly codespace: string;
  /** Why it failed. */
  readonly log: string;
  /** The answers of its messages, as protobuf. */
  readonly data: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly ModuleEvent[];
}

/** Events as the node's JSON has them: all of them are indexed. */
export const indexed = (events: readonly ModuleEvent[]) =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map((attribute) => ({ ...attribute, index: true })),
  }));
