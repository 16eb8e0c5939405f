/** A block, which both stacks share. */
export interface Block {
  readonly height: bigint;
  /** The EVM's block hash: 0x… */
  readonly hash: string;
  readonly parentHash: string;
  readonly stateRoot: string;
  /** Unix time in seconds. */
  readonly time: bigint;
  readonly gasUsed: bigint;
  /** Base units per gas. */
  readonly baseFee: bigint;
  /** The block as JSON-RPC returns it, with full transactions. */
  readonly evm: Readonly<Record<string, unknown>>;
}
