import { ChainState } from "../gas/chain-state.js";
import { Delegations } from "../gas/delegations.js";
import { GasBuffer } from "../gas/gas-buffer.js";
import type { GasSettings } from "../gas/settings.js";
import type { PrecompileAddresses } from "../precompiles/addresses.js";
import { ChainGuard, type CheckedChain, recheck } from "../rpc/chain-guard.js";
import { type Ask, type Layer, pipeline } from "../rpc/pipeline.js";
import { Reads, retrying } from "../rpc/reads.js";
import type { Failure } from "../sending/failure.js";
import { Receipts } from "../sending/receipts.js";
import { Sending, type SendingOptions } from "../sending/sending.js";
import { SentTransactions } from "../sending/sent.js";
import { setBounded } from "../support/bounded.js";
import type { ErrorPlace } from "../support/errors.js";

/** What all connections to one node share. */
export interface SharedNode {
  readonly state: ChainState;
  readonly delegations: Delegations;
  readonly sent: SentTransactions;
  /** Whether its chain ID was checked. */
  readonly chain: CheckedChain;
}

// Kept after a connection is closed, since what it sent may still be pending.
const shared = new Map<string, SharedNode>();
const MAX_NODES = 32;

/** The state that all connections of this process to a node share. */
export function shareNode(
  url: string,
  chainId: number,
  precompiles: PrecompileAddresses,
): SharedNode {
  const key = `${chainId} ${url}`;
  const node = shared.get(key) ?? createNode(precompiles);
  shared.delete(key);
  setBounded(shared, key, node, MAX_NODES);
  return node;
}

function createNode(precompiles: PrecompileAddresses): SharedNode {
  const state = new ChainState();
  const delegations = new Delegations(precompiles);
  // What is forgotten there was of another chain.
  const sent = new SentTransactions(() => {
    state.forget();
    delegations.forget();
  });
  return { state, delegations, sent, chain: {} };
}

export interface NodePipelineOptions extends SendingOptions {
  readonly chainId: number;
  readonly gas: GasSettings;
  readonly precompiles: PrecompileAddresses;
  readonly node: SharedNode;
  readonly ask: Ask;
  readonly place: ErrorPlace;
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number | undefined;
  readonly onFailure: (hash: string, failure: Failure) => Promise<void>;
}

/** All layers that a request to a node of this chain passes, outermost first. */
export function createNodePipeline(options: NodePipelineOptions): {
  layer: Layer;
  gas: GasBuffer;
  sending: Sending;
} {
  const { chainId, gas, precompiles, node, place } = options;
  const outages = {
    wasThere: () => node.chain.answered === true,
    timeoutMs: options.timeoutMs,
    onAway: () => {
      recheck(node.chain);
    },
  };
  const ask = retrying(options.ask, outages);
  const buffer = new GasBuffer(
    gas,
    precompiles,
    node.state,
    ask,
    node.delegations,
  );
  const sending = new Sending(node.sent, ask, options);
  return {
    gas: buffer,
    sending,
    layer: pipeline([
      new ChainGuard(node.chain, BigInt(chainId), ask, place),
      new Receipts(node.delegations, buffer, ask, options.onFailure),
      buffer,
      sending,
      new Reads(options.ask, outages),
    ]),
  };
}
