import { fromQuantity } from "../rpc/quantities.js";

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

/** Returns a block as JSON-RPC tells it, with its transactions. */
export function toBlock(evm: Readonly<Record<string, unknown>>): Block {
  const number = (name: string) =>
    fromQuantity(evm[name], "a field of a block");
  return {
    height: number("number"),
    hash: String(evm["hash"]),
    parentHash: String(evm["parentHash"]),
    stateRoot: String(evm["stateRoot"]),
    time: number("timestamp"),
    gasUsed: number("gasUsed"),
    baseFee: number("baseFeePerGas"),
    evm,
  };
}
