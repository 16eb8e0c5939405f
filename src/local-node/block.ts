/** A block as both stacks have it. */
export interface Block {
  readonly height: bigint;
  /** 0x…, of the EVM's block. */
  readonly hash: string;
  readonly parentHash: string;
  readonly stateRoot: string;
  /** Seconds. */
  readonly time: bigint;
  readonly gasUsed: bigint;
  readonly baseFee: bigint;
  /** As JSON-RPC has it, with whole transactions. */
  readonly evm: Readonly<Record<string, unknown>>;
}
