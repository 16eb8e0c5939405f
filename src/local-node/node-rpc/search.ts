import type { Block } from "../block.js";
import { blockEvents } from "../block-events.js";
import type { Ledger } from "../ledger.js";
import type { ModuleEvent, TransactionRecord } from "../history.js";
import { internalError } from "./error.js";
import { fromHex } from "./go-hex.js";
import {
  type Condition,
  meets,
  meetsLive,
  parseSearch,
} from "./search-query.js";

/** Attribute values of what is announced, by `type.key`. */
export type Attributes = ReadonlyMap<string, readonly string[]>;

/**
 * Tells whether a subscriber hears of something: each condition must be met by
 * some attribute, or name the type of an event.
 */
export const announces = (
  attributes: Attributes,
  conditions: readonly Condition[],
): boolean =>
  conditions.every((condition) => {
    const { key } = condition;
    const isType = () =>
      [...attributes.keys()].some(
        (name) => name.slice(0, name.lastIndexOf(".")) === key,
      );
    const values = attributes.get(key) ?? (isType() ? [""] : []);
    return values.some((found) => meetsLive(found, condition));
  });

/**
 * Tells whether the index has something under all conditions: one event must
 * meet all of them, apart from those on the height.
 */
const isIndexed = (
  events: readonly ModuleEvent[],
  conditions: readonly Condition[],
): boolean =>
  conditions.length === 0 ||
  events.some(({ type, attributes }) =>
    conditions.every((condition) =>
      attributes.some(
        ({ key, value }) =>
          `${type}.${key}` === condition.key && meets(value, condition),
      ),
    ),
  );

/** Collects the attributes of events, and others by their keys. */
export function attributesOf(
  events: readonly ModuleEvent[],
  others: Readonly<Record<string, string>>,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (key: string, value: string) => {
    found.set(key, [...(found.get(key) ?? []), value]);
  };
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes) {
      add(`${type}.${key}`, value);
    }
  }
  for (const [key, value] of Object.entries(others)) {
    add(key, value);
  }
  return found;
}

/**
 * Returns the transaction of a hash, besides which nothing else is looked at.
 *
 * @throws RpcFault when it is no hash
 */
async function ofHash(
  ledger: Ledger,
  { value }: Condition,
): Promise<readonly TransactionRecord[]> {
  const hash = fromHex(value, (why) =>
    internalError(`error during searching for a hash in the query: ${why}`),
  );
  if (hash.length === 0) {
    throw internalError(
      "error while retrieving the result: transaction hash cannot be empty",
    );
  }
  const found = await ledger.transaction(value.toUpperCase());
  return found === undefined ? [] : [found];
}

/**
 * Searches all transactions, oldest first.
 *
 * @throws RpcFault when the query is malformed
 */
export async function searchTransactions(
  ledger: Ledger,
  query: string,
  newestFirst: boolean,
): Promise<readonly TransactionRecord[]> {
  const conditions = parseSearch(query);
  const hash = conditions.find(({ key }) => key === "tx.hash");
  if (hash !== undefined) return await ofHash(ledger, hash);
  const ofHeight = conditions.filter(({ key }) => key === "tx.height");
  const others = conditions.filter(({ key }) => key !== "tx.height");
  const found: TransactionRecord[] = [];
  for (const height of ledger.busyHeights) {
    if (!ofHeight.every((one) => meets(String(height), one))) continue;
    for (const record of await ledger.transactionsAt(height)) {
      if (isIndexed(record.events, others)) found.push(record);
    }
  }
  return newestFirst ? found.reverse() : found;
}

const MOST_BLOCKS = 10_000n;

/**
 * Searches the newest 10,000 blocks by height and events.
 *
 * @throws RpcFault when the query is malformed
 */
export async function searchBlocks(
  ledger: Ledger,
  query: string,
  newestFirst: boolean,
): Promise<readonly Block[]> {
  const conditions = parseSearch(query);
  const { height, firstHeight } = ledger;
  const found: Block[] = [];
  const newest = height - MOST_BLOCKS + 1n;
  const first = newest > firstHeight ? newest : firstHeight;
  const ofHeight = conditions.filter(({ key }) => key === "block.height");
  const others = conditions.filter(({ key }) => key !== "block.height");
  // The index compares heights, and nothing else about them.
  if (ofHeight.some(({ operator }) => !/[=<>]/.test(operator))) return [];
  for (let at = first; at <= height; at++) {
    if (!ofHeight.every((one) => meets(String(at), one))) continue;
    const block = await ledger.blockAt(at);
    if (block === undefined) continue;
    const isFound =
      others.length === 0 ||
      isIndexed(await blockEvents(ledger, block), others);
    if (isFound) found.push(block);
  }
  return newestFirst ? found.reverse() : found;
}
