import type { Block } from "../block.js";
import { blockEvents } from "../block-events.js";
import type { Ledger } from "../ledger.js";
import type { ModuleEvent, TransactionRecord } from "../history.js";
import { internalError } from "./error.js";

/** A condition of a query on one event attribute. */
interface Condition {
  /** The attribute, such as `tx.height`. */
  readonly key: string;
  readonly operator: "=" | "<" | "<=" | ">" | ">=" | "CONTAINS" | "EXISTS";
  readonly value: string;
}

/** Attribute values of the searched object, by `type.key`. */
export type Attributes = ReadonlyMap<string, readonly string[]>;

const CONDITION =
  /^\s*([\w.\-/]+)\s*(<=|>=|=|<|>|CONTAINS|EXISTS)\s*(?:'([^']*)'|([\d.]+))?\s*$/;

/**
 * Parses a query of the node's language: conditions joined by AND.
 *
 * @throws RpcFault when it is malformed
 */
export function parseSearch(query: string): readonly Condition[] {
  return query.split(/\sAND\s/).map((part) => {
    const found = CONDITION.exec(part);
    const [, key, operator, text, number] = found ?? [];
    const value = text ?? number;
    if (
      key === undefined ||
      operator === undefined ||
      (value === undefined && operator !== "EXISTS")
    ) {
      throw internalError(`offset ${query.length}: EOF`);
    }
    return {
      key,
      operator: operator as Condition["operator"],
      value: value ?? "",
    };
  });
}

/** Tells whether some value of each condition's attribute meets it. */
export const fits = (
  attributes: Attributes,
  conditions: readonly Condition[],
): boolean =>
  conditions.every(({ key, operator, value }) =>
    (attributes.get(key) ?? []).some((found) => {
      switch (operator) {
        case "EXISTS":
          return true;
        case "=":
          return found === value;
        case "CONTAINS":
          return found.includes(value);
        default:
          return compares(found, operator, value);
      }
    }),
  );

function compares(found: string, operator: string, value: string): boolean {
  if (!/^\d+$/.test(found) || !/^\d+$/.test(value)) {
    return false;
  }
  const [a, b] = [BigInt(found), BigInt(value)];
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}

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
  const found: TransactionRecord[] = [];
  for (const height of ledger.busyHeights) {
    const at = String(height);
    const isElsewhere = conditions.some(
      ({ key, operator, value }) =>
        key === "tx.height" && operator === "=" && value !== at,
    );
    if (isElsewhere) continue;
    for (const record of await ledger.transactionsAt(height)) {
      const attributes = attributesOf(record.events, {
        "tx.height": at,
        "tx.hash": record.hash,
      });
      if (fits(attributes, conditions)) found.push(record);
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
  for (let at = first; at <= height; at++) {
    const heights = attributesOf([], { "block.height": String(at) });
    const ofHeight = conditions.filter(({ key }) => key === "block.height");
    if (!fits(heights, ofHeight)) continue;
    const block = await ledger.blockAt(at);
    if (block === undefined) continue;
    const events = await blockEvents(ledger, block);
    const others = { "block.height": String(at) };
    if (fits(attributesOf(events, others), conditions)) found.push(block);
  }
  return newestFirst ? found.reverse() : found;
}
