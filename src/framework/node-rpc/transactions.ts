import type { QueryOptions, Rpc } from "../services.js";
import type { NodeEvent, NodeStatus } from "./answers.js";

/** What a node said of a transaction that was handed to it. */
export interface Broadcast {
  /** Hex, upper case. */
  readonly hash: string;
  /** 0, or why the transaction is refused, in the numbering of `codespace`. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  /** Whether the node had the same bytes before. */
  readonly repeated: boolean;
  /** The block that holds it, for one that was sent before. */
  readonly height?: bigint;
}

/** A node's own refusal of a transaction. */
export interface Refusal {
  readonly hash: string;
  /** Not 0, in the numbering of `codespace`. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/** What a node says of bytes that it is given; of those that it has seen before it says no more. */
export type HandedOver =
  | { readonly hash: string; readonly seen: true }
  | (Refusal & { readonly seen: false });

/** A framework transaction in a block. */
export interface IncludedTransaction {
  /** Hex, upper case. */
  readonly hash: string;
  readonly height: bigint;
  /** 0 for success, in the numbering of `codespace`. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly NodeEvent[];
}

/** What sending takes of a node; `NodeRpcClient` has it. */
export interface TransactionNode {
  /** The network and the endpoint's address, as errors show them. */
  readonly place: { readonly network: string; readonly endpoint: string };
  rpc(options?: QueryOptions): Rpc;
  status(): Promise<NodeStatus>;
  /** Gives the node the bytes of a transaction once. @throws FrameworkError with the fault `unknown` where its answer is lost */
  handOver(tx: Uint8Array): Promise<HandedOver>;
  /** The first of several transactions that a block holds; `undefined` after `timeoutMs`. */
  findIncluded(
    hashes: readonly string[],
    options: FindOptions,
  ): Promise<IncludedTransaction | undefined>;
}

export interface FindOptions {
  readonly timeoutMs: number;
  readonly pollMs: number;
  readonly signal?: AbortSignal;
  /** Told of what goes wrong on the way to the node. */
  readonly onFailure?: (error: unknown) => void;
}
