import type { Block } from "../block.js";
import { blockEvents } from "../block-events.js";
import type { Ledger } from "../ledger.js";
import { indexed } from "../history.js";
import { capitals, CONSENSUS_PARAMS, resultJson } from "./blocks.js";

/**
 * Returns the results of a block's transactions, and the events of the block
 * itself.
 */
export async function blockResultsJson(chain: Ledger, block: Block) {
  const transactions = await chain.transactionsAt(block.height);
  return {
    height: String(block.height),
    txs_results:
      transactions.length === 0 ? null : transactions.map(resultJson),
    finalize_block_events: indexed(await blockEvents(chain, block)),
    validator_updates: null,
    consensus_param_updates: {
      ...CONSENSUS_PARAMS,
      version: {},
      abci: {},
      authority: {},
    },
    app_hash: Buffer.from(capitals(block.stateRoot), "hex").toString("base64"),
  };
}
