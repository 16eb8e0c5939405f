import type { QueryOptions, Rpc } from "../services.js";
import type { NodeEvent, NodeStatus } from "./answers.js";

/** The node's answer to a submitted transaction. */
export interface Broadcast {
  /** Hex, upper case. */
  readonly hash: string;
  /** 0, or why the transaction was refused, in the numbering of `codespace`. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  /** Whether the node has seen the same bytes before. */
  readonly repeated: boolean;
  /** The block that holds it, if it was sent before. */
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

/** The node's answer to bytes; if it has seen them before, it says no more. */
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

/** What sending needs from a node; implemented by `NodeRpcClient`. */
export interface TransactionNode {
  /** The network and the endpoint's address, as errors show them. */
  readonly place: { readonly network: string; readonly endpoint: string };
  rpc(options?: QueryOptions): Rpc;
  status(): Promise<NodeStatus>;
  /**
   * Sends the bytes of a transaction to the node once. @throws FrameworkError
   * with the fault `unknown` if its answer is lost
   */
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
  /** Called with errors on the way to the node. */
  readonly onFailure?: (error: unknown) => void;
}
