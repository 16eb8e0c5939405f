// What only reads, and may therefore be asked again. Everything that is not
// listed here may change something: transactions, filters, development methods.
const READS =
  /^(?:eth_(?:get(?!Filter)\w+|call|estimateGas|fillTransaction|createAccessList|chainId|blockNumber|gasPrice|maxPriorityFeePerGas|feeHistory|syncing|accounts|protocolVersion)|net_\w+|web3_\w+|rpc_modules|txpool_\w+|debug_(?:trace|getRaw)\w+|abci_query)$/;

/** Whether a JSON-RPC method only reads, so that it may be asked twice. */
export function isRead(method: string): boolean {
  return READS.test(method);
}

/**
 * Texts with which a node of this kind answers a query of a block that is
 * there, until its index has caught up: measured at up to 18 ms.
 */
export const INDEX_RACE =
  /ethereum tx not found|block result not found|handler crashed/i;

/** With this a node answers for some seconds after its start, until it has a block. */
export const STARTING = /context did not contain latest block height/i;
