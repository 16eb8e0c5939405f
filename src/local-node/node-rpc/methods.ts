import { bech32 } from "@scure/base";

import type { Block, DualChain } from "../chain.js";
import { Fault } from "../fault.js";
import type { TransactionRecord } from "../history.js";
import { NODE } from "../node-facts.js";
import { query } from "../query/index.js";
import type { Refusal } from "../transactions/transaction.js";
import {
  blockId,
  blockJson,
  blockResultsJson,
  commitJson,
  CONSENSUS_PARAMS,
  headerOf,
  resultJson,
  timeText,
  transactionJson,
  validatorJson,
  validatorsAt,
} from "./blocks.js";
import { internalError, invalidParams, RpcFault } from "./error.js";
import { attributesOf, fits, parseSearch } from "./search.js";

/** Parameters as they came: JSON, or texts of a path. */
export type Params = Readonly<Record<string, unknown>>;

type RpcMethod = (chain: DualChain, params: Params) => Promise<unknown>;

/** The names of parameters given in a list, in their order. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  block: ["height"],
  block_results: ["height"],
  header: ["height"],
  commit: ["height"],
  blockchain: ["minHeight", "maxHeight"],
  validators: ["height", "page", "per_page"],
  abci_query: ["path", "data", "height", "prove"],
  tx: ["hash", "prove"],
  tx_search: ["query", "prove", "page", "per_page", "order_by"],
  block_search: ["query", "page", "per_page", "order_by"],
  broadcast_tx_sync: ["tx"],
  broadcast_tx_async: ["tx"],
  broadcast_tx_commit: ["tx"],
  check_tx: ["tx"],
};

const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 30;
/** Blocks that one answer of `blockchain` has at most. */
const MOST_HEADERS = 20n;
const COMMIT_TIMEOUT_MS = 10_000;

function whole(params: Params, name: string): bigint | undefined {
  const value = params[name];
  if (value === undefined || value === null || value === "") return undefined;
  const text = String(value);
  if (!/^-?\d{1,19}$/.test(text)) {
    throw invalidParams(
      `invalid character '${text.slice(0, 1)}' looking for beginning of value`,
    );
  }
  return BigInt(text);
}

function text(params: Params, name: string): string {
  const value = params[name];
  return typeof value === "string" ? value : "";
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes, which JSON has in base64. */
function bytes(params: Params, name: string): Buffer {
  const value = params[name];
  if (value instanceof Uint8Array) return Buffer.from(value);
  const given = text(params, name);
  const bad = /[^A-Za-z0-9+/=]/.exec(given);
  if (bad !== null || !BASE64.test(given)) {
    throw invalidParams(
      `illegal base64 data at input byte ${bad?.index ?? given.length}`,
    );
  }
  return Buffer.from(given, "base64");
}

async function blockOf(chain: DualChain, params: Params): Promise<Block> {
  const height = whole(params, "height");
  if (height === undefined) return chain.head;
  if (height <= 0n) {
    throw internalError(`height must be greater than 0, but got ${height}`);
  }
  const block = height > chain.height ? undefined : await chain.blockAt(height);
  if (block === undefined) {
    throw internalError(
      `height ${height} must be less than or equal to the current blockchain height ${chain.height}`,
    );
  }
  return block;
}

/** One page of a list. @throws RpcFault beyond its end */
function pageOf<T>(list: readonly T[], params: Params): readonly T[] {
  const asked = Number(whole(params, "per_page") ?? 0n);
  const size =
    asked < 1 ? DEFAULT_PER_PAGE : asked > MAX_PER_PAGE ? MAX_PER_PAGE : asked;
  const pages = Math.max(1, Math.ceil(list.length / size));
  const page = Number(whole(params, "page") ?? 1n);
  if (page < 1 || page > pages) {
    throw internalError(
      `page should be within [1, ${pages}] range, given ${page}`,
    );
  }
  return list.slice((page - 1) * size, page * size);
}

async function status(chain: DualChain): Promise<unknown> {
  const { head } = chain;
  const [first, own] = await Promise.all([
    chain.blockAt(1n),
    validatorsAt(chain, head.height),
  ]);
  const [validator] = own;
  const capitals = (hash = "") => hash.replace(/^0x/, "").toUpperCase();
  return {
    node_info: {
      protocol_version: { p2p: "8", block: "11", app: "0" },
      id: NODE.id,
      listen_addr: "tcp://127.0.0.1:26656",
      network: chain.chainId,
      version: NODE.version,
      channels: "40202122233038606100",
      moniker: NODE.moniker,
      other: { tx_index: "on", rpc_address: "tcp://127.0.0.1:26657" },
    },
    sync_info: {
      latest_block_hash: capitals(head.hash),
      latest_app_hash: capitals(head.stateRoot),
      latest_block_height: String(head.height),
      latest_block_time: timeText(head.time),
      earliest_block_hash: capitals(first?.hash),
      earliest_app_hash: capitals(first?.stateRoot),
      earliest_block_height: "1",
      earliest_block_time: timeText(first?.time ?? 0n),
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
  const { height } = chain;
  const most = whole(params, "maxHeight") ?? 0n;
  const least = whole(params, "minHeight") ?? 0n;
  const max = most <= 0n || most > height ? height : most;
  const wanted = least <= 0n ? 1n : least;
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

async function abciQuery(chain: DualChain, params: Params): Promise<unknown> {
  const path = text(params, "path");
  const given = params["data"];
  const data =
    given instanceof Uint8Array
      ? Buffer.from(given)
      : Buffer.from(text(params, "data").replace(/^0x/, ""), "hex");
  const asked = whole(params, "height") ?? 0n;
  const height = asked === 0n ? chain.height : asked;
  const answer = {
    code: 0,
    log: "",
    info: "",
    index: "0",
    key: null as string | null,
    value: null as string | null,
    proofOps: null,
    height: String(height),
    codespace: "",
  };
  const store = /^\/store\/([a-z]+)\/key$/.exec(path)?.[1];
  try {
    if (store !== undefined) {
      const found = await stored(chain, store, data, asked);
      return { ...answer, key: data.toString("base64"), value: found };
    }
    if (path === "/app/version") {
      return { ...answer, value: Buffer.from("").toString("base64") };
    }
    const [, service = "", name = ""] = path.split("/");
    const value = await query(chain, service, name, data, asked);
    return { ...answer, value: Buffer.from(value).toString("base64") };
  } catch (error) {
    if (error instanceof Fault) {
      const { abci } = error;
      return {
        ...answer,
        ...abci,
        height: abci.code === 26 ? "0" : String(height),
      };
    }
    throw error;
  }
}

// The bank's balances, as they lie in its store: 02, 14, 20 bytes, denomination.
async function stored(
  chain: DualChain,
  store: string,
  key: Buffer,
  height: bigint,
): Promise<string | null> {
  if (store !== "bank") {
    throw new Fault(5, `no such store: ${store}`, {
      code: 4,
      codespace: "store",
      log: `no such store: ${store}: unknown request`,
    });
  }
  if (key.length < 22 || key[0] !== 2) return null;
  const address = bech32.encode(
    chain.prefix,
    bech32.toWords(key.subarray(2, 22)),
  );
  const balances = await chain.booksAt(height).balances(address);
  const amount = balances.find(
    ({ denom }) => denom === key.subarray(22).toString(),
  )?.amount;
  return amount === undefined ? null : Buffer.from(amount).toString("base64");
}

const NO_REFUSAL: Refusal = { code: 0, codespace: "", log: "" };

async function broadcast(chain: DualChain, params: Params) {
  const { hash, refusal = NO_REFUSAL } = await chain.pool
    .broadcast(bytes(params, "tx"))
    .catch((error: unknown) => {
      throw error instanceof Fault ? internalError(error.message) : error;
    });
  return { ...refusal, data: "", hash };
}

const checkJson = ({ code, log, codespace }: Refusal) => ({
  code,
  data: null,
  log,
  info: "",
  gas_wanted: "0",
  gas_used: "0",
  events: [],
  codespace,
});

async function broadcastAndWait(
  chain: DualChain,
  params: Params,
): Promise<unknown> {
  const { hash, ...refusal } = await broadcast(chain, params);
  const check = checkJson(refusal);
  if (refusal.code !== 0) {
    return {
      check_tx: check,
      tx_result: checkJson(NO_REFUSAL),
      hash,
      height: "0",
    };
  }
  const record = await included(chain, hash);
  return {
    check_tx: check,
    tx_result: resultJson(record),
    hash,
    height: String(record.height),
  };
}

async function included(
  chain: DualChain,
  hash: string,
): Promise<TransactionRecord> {
  return await new Promise<TransactionRecord>((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(
        internalError("timed out waiting for tx to be included in a block"),
      );
    }, COMMIT_TIMEOUT_MS);
    const look = () => {
      chain.transaction(hash).then((found) => {
        if (found === undefined) return;
        stop();
        clearTimeout(timer);
        resolve(found);
      }, reject);
    };
    const stop = chain.onBlock(look);
    look();
  });
}

/** Looks through all transactions. */
async function search(
  chain: DualChain,
  params: Params,
): Promise<readonly TransactionRecord[]> {
  const conditions = parseSearch(text(params, "query"));
  const found: TransactionRecord[] = [];
  for (const height of chain.busyHeights) {
    const at = String(height);
    const isElsewhere = conditions.some(
      ({ key, operator, value }) =>
        key === "tx.height" && operator === "=" && value !== at,
    );
    if (isElsewhere) continue;
    for (const record of await chain.transactionsAt(height)) {
      const attributes = attributesOf(record.events, {
        "tx.height": at,
        "tx.hash": record.hash,
      });
      if (fits(attributes, conditions)) found.push(record);
    }
  }
  return text(params, "order_by") === "desc" ? found.reverse() : found;
}

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

/** The methods of the node's RPC. */
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
    await blockJson(chain, await blockOf(chain, params)),
  block_by_hash: async (chain, params) => {
    const hash = bytes(params, "hash").toString("hex");
    const block = await chain.blockByHash(`0x${hash}`);
    return block === undefined
      ? { block_id: { hash: "", parts: { total: 0, hash: "" } }, block: null }
      : await blockJson(chain, block);
  },
  block_results: async (chain, params) =>
    await blockResultsJson(chain, await blockOf(chain, params)),
  header: async (chain, params) => ({
    header: await headerOf(chain, await blockOf(chain, params)),
  }),
  commit: async (chain, params) =>
    await commitJson(chain, await blockOf(chain, params)),
  blockchain,
  validators: async (chain, params) => {
    const { height } = await blockOf(chain, params);
    const all = await validatorsAt(chain, height);
    const page = pageOf(all, params);
    return {
      block_height: String(height),
      validators: page.map(validatorJson),
      count: String(page.length),
      total: String(all.length),
    };
  },
  consensus_params: async (chain, params) => ({
    block_height: String((await blockOf(chain, params)).height),
    consensus_params: {
      ...CONSENSUS_PARAMS,
      version: { app: "0" },
      abci: { vote_extensions_enable_height: "0" },
      authority: { authority: "" },
    },
  }),
  abci_query: async (chain, params) => ({
    response: await abciQuery(chain, params),
  }),
  tx: async (chain, params) => {
    const hash = bytes(params, "hash").toString("hex").toUpperCase();
    const found = await chain.transaction(hash);
    if (found === undefined) {
      throw internalError(`tx (${hash}) not found`);
    }
    return transactionJson(found);
  },
  tx_search: async (chain, params) => {
    const all = await search(chain, params);
    return {
      txs: pageOf(all, params).map(transactionJson),
      total_count: String(all.length),
    };
  },
  broadcast_tx_sync: broadcast,
  broadcast_tx_async: async (chain, params) => ({
    ...(await broadcast(chain, params)),
    code: 0,
    log: "",
    codespace: "",
  }),
  broadcast_tx_commit: broadcastAndWait,
  check_tx: async (chain, params) =>
    checkJson((await chain.pool.check(bytes(params, "tx"))) ?? NO_REFUSAL),
  unconfirmed_txs: async (chain) => ({
    ...(await unconfirmed(chain)),
    txs: chain.pool.waiting.map(({ bytes: one }) =>
      Buffer.from(one).toString("base64"),
    ),
  }),
  num_unconfirmed_txs: async (chain) => ({
    ...(await unconfirmed(chain)),
    txs: null,
  }),
};

export const METHOD_NAMES = Object.keys(METHODS);

/** One call of the node's RPC. @throws RpcFault */
export async function callNode(
  chain: DualChain,
  method: string,
  given: unknown,
): Promise<unknown> {
  const found = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (found === undefined) {
    throw new RpcFault(-32601, "Method not found");
  }
  return await found(chain, namedParams(method, given));
}

function namedParams(method: string, given: unknown): Params {
  if (Array.isArray(given)) {
    const names = ORDER[method] ?? [];
    return Object.fromEntries(
      given.slice(0, names.length).map((value, i) => [names[i] ?? "", value]),
    );
  }
  return typeof given === "object" && given !== null ? (given as Params) : {};
}
