import { isoTime } from "../../support/time.js";
import type { Block, DualChain } from "../chain.js";
import { NODE } from "../node-facts.js";
import { abciAnswer } from "./abci.js";
import {
  blockId,
  blockJson,
  capitals,
  commitJson,
  headerOf,
  NO_BLOCK_ID,
  transactionJson,
  validatorJson,
  validatorsAt,
  WHOLE_CONSENSUS_PARAMS,
} from "./blocks.js";
import { blockResultsJson } from "./block-results.js";
import { broadcast, broadcastAndWait, checkOnly } from "./broadcast.js";
import { genesis, genesisChunk } from "./genesis.js";
import { internalError, RpcFault } from "./error.js";
import {
  bytes,
  isDescending,
  jsonParams,
  pageOf,
  type Params,
  type Signature,
  text,
  uriParams,
  whole,
} from "./params.js";
import { searchBlocks, searchTransactions } from "./search.js";

type RpcMethod = (chain: DualChain, params: Params) => Promise<unknown>;

/** The parameters of the methods that have any. */
const SIGNATURES: Readonly<Record<string, Signature>> = {
  genesis_chunked: { chunk: "uint" },
  block: { height: "int64" },
  block_by_hash: { hash: "base64" },
  block_results: { height: "int64" },
  header: { height: "int64" },
  header_by_hash: { hash: "hex" },
  commit: { height: "int64" },
  blockchain: { minHeight: "int64", maxHeight: "int64" },
  validators: { height: "int64", page: "int", per_page: "int" },
  consensus_params: { height: "int64" },
  abci_query: { path: "string", data: "hex", height: "int64", prove: "bool" },
  tx: { hash: "base64", prove: "bool" },
  tx_search: {
    query: "string",
    prove: "bool",
    page: "int",
    per_page: "int",
    order_by: "string",
  },
  block_search: {
    query: "string",
    page: "int",
    per_page: "int",
    order_by: "string",
  },
  broadcast_tx_sync: { tx: "base64" },
  broadcast_tx_async: { tx: "base64" },
  broadcast_tx_commit: { tx: "base64" },
  check_tx: { tx: "base64" },
  unconfirmed_txs: { limit: "int" },
};

/** Most blocks in one answer of `blockchain`. */
const MOST_HEADERS = 20n;

/**
 * Returns the height that is asked for, or the newest.
 *
 * @throws RpcFault when there is no such height
 */
function heightOf(chain: DualChain, params: Params, newest: bigint): bigint {
  const height = whole(params, "height") ?? newest;
  if (height <= 0n) {
    throw internalError(`height must be greater than 0, but got ${height}`);
  }
  if (height > newest) {
    throw internalError(
      `height ${height} must be less than or equal to the current blockchain height ${newest}`,
    );
  }
  requireKept(chain, height);
  return height;
}

async function blockOf(chain: DualChain, params: Params): Promise<Block> {
  const height = heightOf(chain, params, chain.height);
  return (await chain.blockAt(height)) ?? chain.head;
}

async function blockByHash(
  chain: DualChain,
  params: Params,
): Promise<Block | undefined> {
  const hash = bytes(params, "hash");
  if (hash.length !== 32) return undefined;
  const block = await chain.blockByHash(`0x${hash.toString("hex")}`);
  if (block !== undefined) requireKept(chain, block.height);
  return block;
}

/**
 * Refuses heights before a fork, as a node does that has pruned them.
 *
 * @throws RpcFault
 */
function requireKept({ firstHeight }: DualChain, height: bigint): void {
  if (height < firstHeight) {
    throw internalError(
      `height ${height} is not available, lowest height is ${firstHeight}`,
    );
  }
}

async function status(chain: DualChain): Promise<unknown> {
  const { head } = chain;
  const [first, own] = await Promise.all([
    chain.blockAt(chain.firstHeight),
    validatorsAt(chain, head.height),
  ]);
  const [validator] = own;
  return {
    node_info: {
      protocol_version: { p2p: "8", block: "11", app: "0" },
      id: NODE.id,
      listen_addr: NODE.listenAddress,
      network: chain.chainId,
      version: NODE.version,
      channels: NODE.channels,
      moniker: NODE.moniker,
      other: { tx_index: "on", rpc_address: NODE.rpcAddress },
    },
    sync_info: {
      latest_block_hash: capitals(head.hash),
      latest_app_hash: capitals(head.stateRoot),
      latest_block_height: String(head.height),
      latest_block_time: isoTime(head.time),
      earliest_block_hash: capitals(first?.hash ?? ""),
      earliest_app_hash: capitals(first?.stateRoot ?? ""),
      earliest_block_height: String(chain.firstHeight),
      earliest_block_time: isoTime(first?.time ?? 0n),
      catching_up: false,
    },
    validator_info: {
      address: validator?.address ?? "",
      pub_key: {
        type: "tendermint/PubKeyEd25519",
        value: validator?.key ?? "",
      },
      voting_power: String(validator?.power ?? 0n),
    },
  };
}

async function blockchain(chain: DualChain, params: Params): Promise<unknown> {
  const { height, firstHeight } = chain;
  const most = whole(params, "maxHeight") ?? 0n;
  const least = whole(params, "minHeight") ?? 0n;
  if (most < 0n || least < 0n) {
    throw internalError("heights must be non-negative");
  }
  const max = most === 0n || most > height ? height : most;
  const wanted = least < firstHeight ? firstHeight : least;
  if (wanted > max) {
    throw internalError(
      `min height ${wanted} can't be greater than max height ${max}`,
    );
  }
  const min = max - wanted >= MOST_HEADERS ? max - MOST_HEADERS + 1n : wanted;
  const metas: unknown[] = [];
  for (let at = max; at >= min; at--) {
    const block = await chain.blockAt(at);
    if (block === undefined) continue;
    const transactions = await chain.transactionsAt(at);
    metas.push({
      block_id: blockId(block.hash),
      block_size: String(
        transactions.reduce((sum, one) => sum + one.bytes.length, 599),
      ),
      header: await headerOf(chain, block),
      num_txs: String(transactions.length),
    });
  }
  return { last_height: String(height), block_metas: metas };
}

const wholeBlock = async (chain: DualChain, block: Block) =>
  await blockJson(chain, block, await chain.transactionsAt(block.height));

const nothing = async () => await Promise.resolve({});

async function unconfirmed(chain: DualChain) {
  const { waiting } = chain.pool;
  const total = String(waiting.length);
  const size = waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return await Promise.resolve({
    n_txs: total,
    total,
    total_bytes: String(size),
  });
}

/** Methods of the node RPC. */
const METHODS: Readonly<Record<string, RpcMethod>> = {
  health: nothing,
  status,
  net_info: async () =>
    await Promise.resolve({
      listening: true,
      listeners: [],
      n_peers: "0",
      peers: [],
    }),
  genesis,
  genesis_chunked: genesisChunk,
  abci_info: async ({ head }) =>
    await Promise.resolve({
      response: {
        data: NODE.app,
        last_block_height: String(head.height),
        last_block_app_hash: Buffer.from(
          head.stateRoot.slice(2),
          "hex",
        ).toString("base64"),
      },
    }),
  block: async (chain, params) =>
    await wholeBlock(chain, await blockOf(chain, params)),
  block_by_hash: async (chain, params) => {
    const block = await blockByHash(chain, params);
    return block === undefined
      ? { block_id: NO_BLOCK_ID, block: null }
      : await wholeBlock(chain, block);
  },
  block_results: async (chain, params) =>
    await blockResultsJson(chain, await blockOf(chain, params)),
  header: async (chain, params) => ({
    header: await headerOf(chain, await blockOf(chain, params)),
  }),
  header_by_hash: async (chain, params) => {
    const block = await blockByHash(chain, params);
    return {
      header: block === undefined ? null : await headerOf(chain, block),
    };
  },
  commit: async (chain, params) =>
    await commitJson(chain, await blockOf(chain, params)),
  blockchain,
  validators: async (chain, params) => {
    // The set of the next block is known already.
    const height = heightOf(chain, params, chain.height + 1n);
    const all = await validatorsAt(
      chain,
      height > chain.height ? chain.height : height,
    );
    const page = pageOf(all, params);
    return {
      block_height: String(height),
      validators: page.map(validatorJson),
      count: String(page.length),
      total: String(all.length),
    };
  },
  consensus_params: async (chain, params) => ({
    block_height: String(heightOf(chain, params, chain.height + 1n)),
    consensus_params: await Promise.resolve(WHOLE_CONSENSUS_PARAMS),
  }),
  abci_query: async (chain, params) => ({
    response: await abciAnswer(chain, params),
  }),
  tx: async (chain, params) => {
    const hash = bytes(params, "hash").toString("hex").toUpperCase();
    if (hash === "") throw internalError("transaction hash cannot be empty");
    const found = await chain.transaction(hash);
    if (found === undefined) {
      throw internalError(`tx (${hash}) not found`);
    }
    return transactionJson(found);
  },
  tx_search: async (chain, params) => {
    const all = await searchTransactions(
      chain,
      text(params, "query"),
      isDescending(params, "asc"),
    );
    return {
      txs: pageOf(all, params).map(transactionJson),
      total_count: String(all.length),
    };
  },
  block_search: async (chain, params) => {
    const found = await searchBlocks(
      chain,
      text(params, "query"),
      isDescending(params, "desc"),
    );
    const blocks = await Promise.all(
      pageOf(found, params).map(
        async (block) => await wholeBlock(chain, block),
      ),
    );
    return { blocks, total_count: String(found.length) };
  },
  broadcast_tx_sync: broadcast,
  broadcast_tx_async: async (chain, params) => ({
    ...(await broadcast(chain, params)),
    code: 0,
    log: "",
    codespace: "",
  }),
  broadcast_tx_commit: broadcastAndWait,
  check_tx: checkOnly,
  unconfirmed_txs: async (chain) => ({
    ...(await unconfirmed(chain)),
    txs:
      chain.pool.waiting.length === 0
        ? null
        : chain.pool.waiting.map(({ bytes: one }) =>
            Buffer.from(one).toString("base64"),
          ),
  }),
  num_unconfirmed_txs: async (chain) => ({
    ...(await unconfirmed(chain)),
    txs: null,
  }),
};

/** Names of the node RPC's methods. */
export const METHOD_NAMES = Object.keys(METHODS);

function methodOf(name: string): RpcMethod {
  const found = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (found === undefined) throw new RpcFault(-32601, "Method not found");
  return found;
}

const signatureOf = (name: string): Signature => SIGNATURES[name] ?? {};

/**
 * Runs a method of the node RPC.
 *
 * @param given its parameters, by position or by name
 * @throws RpcFault when there is no such method, or it fails
 */
export async function callNode(
  chain: DualChain,
  name: string,
  given: unknown,
): Promise<unknown> {
  const method = methodOf(name);
  return await method(chain, jsonParams(signatureOf(name), given));
}

/**
 * Runs a method of the node RPC that was called by its path.
 *
 * @throws RpcFault when it fails
 */
export async function callUri(
  chain: DualChain,
  name: string,
  given: URLSearchParams,
): Promise<unknown> {
  const method = methodOf(name);
  return await method(chain, uriParams(signatureOf(name), given));
}
