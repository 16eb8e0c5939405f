import { DualstackError } from "../../support/errors.js";
import { fromQuantity, isRecord } from "../../rpc/quantities.js";

/** A new block, from `newHeads`. */
export interface Head {
  readonly number: bigint;
  readonly hash: string;
  readonly parentHash: string;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Base units per gas. */
  readonly baseFeePerGas: bigint | undefined;
  /**
   * As the node sent it. Beware: gas limit, gas used and bloom are empty here,
   * and the miner is the validator's consensus address.
   */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A contract's log. */
export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockNumber: bigint;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly transactionIndex: number;
  /**
   * Its index among the logs of its transaction, or of the block: nodes of this
   * kind count in either way.
   */
  readonly logIndex: number;
  /** Whether a reorganisation removed it; never on this chain itself. */
  readonly removed: boolean;
}

/** @throws DualstackError for anything that is not a head */
export function toHead(value: unknown): Head {
  const raw = record(value, "a head");
  return {
    number: fromQuantity(raw["number"], "a head's number"),
    hash: hex(raw["hash"], 32, "a head's hash"),
    parentHash: hex(raw["parentHash"], 32, "a head's parent"),
    timestamp: fromQuantity(raw["timestamp"], "a head's time"),
    baseFeePerGas:
      raw["baseFeePerGas"] === undefined || raw["baseFeePerGas"] === null
        ? undefined
        : fromQuantity(raw["baseFeePerGas"], "a head's base fee"),
    raw,
  };
}

/** @throws DualstackError for anything that is not a log of a block */
export function toLog(value: unknown): Log {
  const raw = record(value, "a log");
  const topics = raw["topics"];
  if (!Array.isArray(topics) || topics.length > 4) {
    throw unexpected("a log's topics");
  }
  return {
    address: hex(raw["address"], 20, "a log's address"),
    topics: topics.map((topic) => hex(topic, 32, "a log's topic")),
    data: hex(raw["data"], undefined, "a log's data"),
    blockNumber: fromQuantity(raw["blockNumber"], "a log's block"),
    blockHash: hex(raw["blockHash"], 32, "a log's block hash"),
    transactionHash: hex(raw["transactionHash"], 32, "a log's transaction"),
    transactionIndex: Number(
      fromQuantity(raw["transactionIndex"], "a log's transaction index"),
    ),
    logIndex: Number(fromQuantity(raw["logIndex"], "a log's index")),
    removed: raw["removed"] === true,
  };
}

/** @throws DualstackError for anything that is not a transaction hash */
export const toHash = (value: unknown): string =>
  hex(value, 32, "a transaction's hash");

function record(value: unknown, what: string): Record<string, unknown> {
  if (!isRecord(value)) {
    throw unexpected(what);
  }
  return value;
}

function hex(value: unknown, bytes: number | undefined, what: string): string {
  if (
    typeof value !== "string" ||
    (bytes !== undefined && value.length !== 2 + bytes * 2) ||
    value.length % 2 !== 0 ||
    !/^0x[0-9a-fA-F]*$/.test(value)
  ) {
    throw unexpected(what);
  }
  return value;
}

const unexpected = (what: string) =>
  new DualstackError(`the node sent something other than ${what}`);
