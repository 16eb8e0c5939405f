// The first question about a request: of what kind is its method?

/** How a JSON-RPC method concerns the emulation. */
export type MethodKind =
  /** Passes at once, or is the plugin's own (`dualstack_…`). */
  | "free"
  /** Reads the state of one account, its first parameter. */
  | "account"
  | "code"
  | "call"
  | "estimate"
  | "send"
  | "raw"
  | "mine"
  | "clock"
  | "snapshot"
  | "revert"
  | "automine"
  | "interval"
  /** Writes the state of one account, its first parameter. */
  | "set"
  | "reset"
  /** Wants to hear of every block or transaction from now on. */
  | "watch"
  /** Reads state that several requests of the engine may be changing. */
  | "read"
  /** Any other change. */
  | "change";

const KINDS: Readonly<Record<string, MethodKind>> = {
  eth_getBalance: "account",
  eth_getStorageAt: "account",
  eth_getProof: "account",
  eth_getCode: "code",
  eth_call: "call",
  eth_estimateGas: "estimate",
  debug_traceCall: "estimate",
  eth_sendTransaction: "send",
  eth_sendRawTransaction: "raw",
  evm_mine: "mine",
  hardhat_mine: "mine",
  evm_increaseTime: "clock",
  evm_setNextBlockTimestamp: "clock",
  evm_setTime: "clock",
  evm_snapshot: "snapshot",
  evm_revert: "revert",
  evm_setAutomine: "automine",
  evm_setIntervalMining: "interval",
  hardhat_setBalance: "set",
  hardhat_setCode: "set",
  hardhat_setNonce: "set",
  hardhat_setStorageAt: "set",
  hardhat_reset: "reset",
  eth_newBlockFilter: "watch",
  eth_newFilter: "watch",
  eth_newPendingTransactionFilter: "watch",
  eth_subscribe: "watch",
  debug_traceTransaction: "read",
  eth_pendingTransactions: "read",
  hardhat_dropTransaction: "change",
  hardhat_setCoinbase: "change",
  hardhat_setNextBlockBaseFeePerGas: "change",
  hardhat_setPrevRandao: "change",
  hardhat_setMinGasPrice: "change",
  evm_setBlockGasLimit: "change",
};

/** Returns the kind of a method; unknown ones are `free`. */
export const kindOf = (method: string): MethodKind => KINDS[method] ?? "free";
