// Methods that only read, and so may be retried. All others may change
// something: transactions, filters, development methods.
const READS =
  /^(?:eth_(?:get(?!Filter)\w+|call|estimateGas|fillTransaction|createAccessList|chainId|blockNumber|gasPrice|maxPriorityFeePerGas|feeHistory|syncing|accounts|protocolVersion)|net_\w+|web3_\w+|rpc_modules|txpool_\w+|debug_(?:trace|getRaw)\w+|abci_query)$/;

/** Whether a JSON-RPC method only reads, so that it may be retried. */
export function isRead(method: string): boolean {
  return READS.test(method);
}

/** Position of the block among the parameters of methods that read state. */
export const BLOCK_POSITION: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
};

/**
 * What a node of this kind answers to a query about a new block until its index
 * has caught up: measured at up to 18 ms, and at up to 300 ms with an index of
 * its own for the EVM (`enable-indexer`), which has other texts.
 */
export const INDEX_RACE =
  /ethereum tx not found|tx not found, (?:hash|block): |block result not found|handler crashed/i;

/** Said for a node that answers about its newest block as if there were none. */
export const NO_BLOCK = "the node has no block yet";

/** What a node answers for some seconds after its start, until it has a block. */
export const STARTING = new RegExp(
  `context did not contain latest block height|${NO_BLOCK}`,
  "i",
);
