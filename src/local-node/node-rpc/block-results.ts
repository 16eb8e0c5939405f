import type { Block } from "../block.js";
import { blockEvents } from "../block-events.js";
import { consensusAddress } from "../consensus.js";
import { indexed, type ModuleEvent } from "../history.js";
import type { Ledger } from "../ledger.js";
import {
  allValidatorsAt,
  capitals,
  CONSENSUS_PARAMS,
  type ConsensusValidator,
  resultJson,
  validatorsAt,
} from "./blocks.js";

/** The addresses of the validators that a block slashes. */
const slashedIn = (events: readonly ModuleEvent[]) =>
  events
    .filter(({ type }) => type === "slash")
    .flatMap(({ attributes }) => attributes)
    .filter(({ key }) => key === "address")
    .map(({ value }) => value);

/** Returns the validators whose voting power a block changes; 0 removes one. */
async function powerChanges(
  chain: Ledger,
  { height }: Block,
  events: readonly ModuleEvent[],
): Promise<readonly ConsensusValidator[]> {
  // The first block only has what the chain starts with.
  if (height <= chain.firstHeight) return [];
  const [before, after] = await Promise.all([
    allValidatorsAt(chain, height - 1n),
    validatorsAt(chain, height),
  ]);
  const now = new Map(after.map((one) => [one.address, one.power]));
  const then = new Map(
    before.map(({ address, bonded, power }) => [address, bonded ? power : 0n]),
  );
  // The emulation has slashed in the state of the block before.
  const slashed = slashedIn(events);
  const isChanged = ({ address }: ConsensusValidator) =>
    (then.get(address) ?? 0n) !== (now.get(address) ?? 0n) ||
    slashed.includes(consensusAddress(chain.prefix, address));
  return [
    ...after.filter(isChanged),
    ...before
      .filter((one) => !now.has(one.address) && isChanged(one))
      .map((one) => ({ ...one, power: 0n })),
  ];
}

const updateJson = ({ key, power }: ConsensusValidator) => ({
  pub_key: {
    Sum: {
      type: "tendermint.crypto.PublicKey_Ed25519",
      value: { ed25519: key },
    },
  },
  ...(power === 0n ? {} : { power: String(power) }),
});

const PARAM_UPDATES = {
  ...CONSENSUS_PARAMS,
  version: {},
  abci: {},
  authority: {},
};

const appHash = ({ stateRoot }: Block) =>
  Buffer.from(capitals(stateRoot), "hex").toString("base64");

/** What a block changes outside its transactions. */
async function outcomeOf(chain: Ledger, block: Block) {
  const events = await blockEvents(chain, block);
  return { events, changes: await powerChanges(chain, block, events) };
}

/**
 * Returns the results of a block's transactions, and the events of the block
 * itself.
 */
export async function blockResultsJson(chain: Ledger, block: Block) {
  const transactions = await chain.transactionsAt(block.height);
  const { events, changes } = await outcomeOf(chain, block);
  return {
    height: String(block.height),
    txs_results:
      transactions.length === 0 ? null : transactions.map(resultJson),
    finalize_block_events: indexed(events),
    validator_updates: changes.length === 0 ? null : changes.map(updateJson),
    consensus_param_updates: PARAM_UPDATES,
    app_hash: appHash(block),
  };
}

/** Returns the same for the event of a new block, and the changed validators. */
export async function finalized(chain: Ledger, block: Block) {
  const transactions = await chain.transactionsAt(block.height);
  const { events, changes } = await outcomeOf(chain, block);
  const results = {
    events: indexed(events),
    ...(transactions.length === 0
      ? {}
      : { tx_results: transactions.map(resultJson) }),
    validator_updates: changes.map(updateJson),
    consensus_param_updates: PARAM_UPDATES,
    app_hash: appHash(block),
  };
  return { results, changes };
}
