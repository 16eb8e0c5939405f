/**
 * Answers of the node RPC. Declared here so that projects that check the
 * declarations of their libraries do not need CosmJS' types.
 */

/** An immutable time, with nanoseconds in addition to its milliseconds. */
export type NodeTime = Omit<Date, `set${string}`> & {
  readonly nanoseconds?: number;
};

export interface NodeStatus {
  readonly nodeInfo: {
    readonly id: Uint8Array;
    readonly listenAddr: string;
    /** The framework's chain ID. */
    readonly network: string;
    /** CometBFT's version; may be empty. */
    readonly version: string;
    readonly channels: string;
    readonly moniker: string;
    readonly other: Map<string, string>;
    readonly protocolVersion: {
      readonly p2p: number;
      readonly block: number;
      readonly app: number;
    };
  };
  readonly syncInfo: {
    readonly earliestAppHash?: Uint8Array;
    readonly earliestBlockHash?: Uint8Array;
    readonly earliestBlockHeight?: number;
    readonly earliestBlockTime?: NodeTime;
    readonly latestBlockHash: Uint8Array;
    readonly latestAppHash: Uint8Array;
    readonly latestBlockHeight: number;
    readonly latestBlockTime: NodeTime;
    readonly catchingUp: boolean;
  };
  readonly validatorInfo: NodeValidator;
}

export interface NodePubkey {
  readonly algorithm: string;
  readonly data: Uint8Array;
}

/** A validator in consensus. */
export interface NodeValidator {
  readonly address: Uint8Array;
  readonly pubkey?: NodePubkey;
  readonly votingPower: bigint;
  readonly proposerPriority?: number;
}

export interface NodeValidators {
  readonly blockHeight: number;
  readonly validators: readonly NodeValidator[];
  readonly count: number;
  readonly total: number;
}

export interface NodeBlockId {
  readonly hash: Uint8Array;
  readonly parts: { readonly total: number; readonly hash: Uint8Array };
}

export interface NodeBlock {
  readonly blockId: NodeBlockId;
  readonly block: {
    readonly header: {
      readonly version: { readonly block: number; readonly app: number };
      readonly chainId: string;
      readonly height: number;
      readonly time: NodeTime;
      /** Null for the first block. */
      readonly lastBlockId: NodeBlockId | null;
      readonly lastCommitHash: Uint8Array;
      readonly dataHash: Uint8Array;
      readonly validatorsHash: Uint8Array;
      readonly nextValidatorsHash: Uint8Array;
      readonly consensusHash: Uint8Array;
      readonly appHash: Uint8Array;
      readonly lastResultsHash: Uint8Array;
      readonly evidenceHash: Uint8Array;
      readonly proposerAddress: Uint8Array;
    };
    /** Null for the first block. */
    readonly lastCommit: {
      readonly blockId: NodeBlockId;
      readonly height: number;
      readonly round: number;
      readonly signatures: readonly {
        readonly blockIdFlag: number;
        readonly validatorAddress: Uint8Array | undefined;
        readonly timestamp: NodeTime | undefined;
        readonly signature: Uint8Array | undefined;
      }[];
    } | null;
    /** Framework transactions; each EVM transaction is wrapped in one. */
    readonly txs: readonly Uint8Array[];
    readonly evidence: readonly unknown[];
  };
}

export interface NodeEvent {
  readonly type: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: string;
  }[];
}

/** The result of a transaction. */
export interface NodeResult {
  /** 0 for success, in the numbering of `codespace`. */
  readonly code: number;
  readonly codespace?: string;
  readonly log?: string;
  readonly data?: Uint8Array;
  readonly events: readonly NodeEvent[];
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
}

export interface NodeBlockResults {
  readonly height: number;
  readonly results: readonly NodeResult[];
  readonly validatorUpdates: readonly {
    readonly pubkey: NodePubkey;
    readonly votingPower: bigint;
  }[];
  readonly consensusUpdates?: {
    readonly block:
      | { readonly maxBytes: number; readonly maxGas: number }
      | undefined;
    readonly evidence:
      | { readonly maxAgeNumBlocks: number; readonly maxAgeDuration: number }
      | undefined;
  };
  readonly finalizeBlockEvents: readonly NodeEvent[];
}

export interface NodeTransactions {
  readonly txs: readonly {
    readonly tx: Uint8Array;
    readonly hash: Uint8Array;
    readonly height: number;
    readonly index: number;
    readonly result: NodeResult;
  }[];
  readonly totalCount: number;
}

/** Proof of a stored value (ICS-23). */
export interface QueryProof {
  readonly ops: readonly {
    readonly type: string;
    readonly key: Uint8Array;
    readonly data: Uint8Array;
  }[];
}

export interface QueryAnswer {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly proof?: QueryProof;
  readonly height?: number;
  readonly index?: number;
  readonly code?: number;
  readonly codespace: string;
  readonly log?: string;
  readonly info: string;
}
