import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";
import { Validator } from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { operatorPrefix } from "../address/codec.js";
import type { Books } from "./books/books.js";
import type { Ledger } from "./ledger.js";
import { vmParamsOf } from "./evm-messages.js";
import { Fault, plainFault, unknownRequest } from "./fault.js";

/** Answers a query of a service; see `query` in query/index.ts. */
export type QueryService = (
  ledger: Ledger,
  service: string,
  name: string,
  request: Uint8Array,
  height: bigint,
) => Promise<Uint8Array>;

/** The answer to an ABCI query; code 0 stands for success. */
export interface AbciAnswer {
  readonly code: number;
  readonly log: string;
  readonly info: string;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly height: bigint;
  readonly codespace: string;
}

/** gRPC status code of what does not exist. */
const UNIMPLEMENTED = 12;

/** The default fields of an answer. */
const NOTHING = { code: 0, log: "", info: "", key: null, value: null };

/**
 * Answers an ABCI query: of a service by its path, or of a store. Refusals are
 * returned as answers with their code.
 *
 * @param asked height 0 stands for the newest block
 */
export async function abciQuery(
  ledger: Ledger,
  query: QueryService,
  asked: {
    readonly path: string;
    readonly data: Uint8Array;
    readonly height: bigint;
  },
): Promise<AbciAnswer> {
  const { path, data } = asked;
  const height = asked.height === 0n ? ledger.height : asked.height;
  const answer = { ...NOTHING, height, codespace: "" };
  try {
    if (path === "/cosmos.tx.v1beta1.Service/BroadcastTx") {
      const { abci } = plainFault("can't route a broadcast tx message");
      return { ...answer, ...abci, height: 0n };
    }
    const [first = "", second = "", ...rest] = path
      .replace(/^\//, "")
      .split("/");
    if (first === "store") {
      requireStore(second, rest, data);
      const isKept = asked.height >= 0n && asked.height <= ledger.height;
      return isKept
        ? {
            ...answer,
            key: data,
            value: await stored(ledger, second, data, asked.height),
          }
        : { ...answer, key: data, log: "version does not exist" };
    }
    if (asked.height < 0n) {
      throw plainFault(
        "cannot query with height < 0; please provide a valid height",
      );
    }
    if (first === "app") {
      if (second !== "version") {
        throw unknownPath(
          second === ""
            ? "expected second parameter to be either 'simulate' or 'version', neither was present"
            : `unknown query: [${path.split("/").filter(Boolean).join(" ")}]`,
        );
      }
      return { ...answer, value: new Uint8Array(), codespace: "sdk" };
    }
    if (first === "p2p") {
      requireFilter(second, rest);
      return { ...answer, height: 0n };
    }
    if (path === "") throw unknownPath("no query path provided");
    if (!path.startsWith("/") || rest.length > 0) {
      throw unknownPath("unknown query path");
    }
    const value = await query(ledger, first, second, data, asked.height);
    return { ...answer, value };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { abci } = error;
    // Nodes report height 0 when they refuse before reading any state.
    const isEarly =
      error.code === UNIMPLEMENTED ||
      abci.codespace === "store" ||
      abci.code === 26 ||
      asked.height < 0n;
    return { ...answer, ...abci, height: isEarly ? 0n : height };
  }
}

const unknownPath = (why: string) =>
  new Fault(UNIMPLEMENTED, why, unknownRequest(why));

/** Refuses what nodes are not asked about connections. */
function requireFilter(command: string, rest: readonly string[]): void {
  if (rest.length < 2) {
    throw unknownPath("path should be p2p filter <addr|id> <parameter>");
  }
  if (command !== "filter") {
    throw unknownPath("expected second parameter to be 'filter'");
  }
}

/** Names of the module stores. */
const STORES = new Set([
  "acc",
  "bank",
  "consensus",
  "distribution",
  "evm",
  "feemarket",
  "gov",
  "mint",
  "slashing",
  "staking",
  "upgrade",
]);

/**
 * Refuses a query of a store that nodes refuse.
 *
 * @throws Fault
 */
function requireStore(
  store: string,
  [kind = "", ...rest]: readonly string[],
  key: Uint8Array,
): void {
  const refused = (code: number, log: string) =>
    new Fault(5, log, { code, codespace: "store", log });
  if (!STORES.has(store)) {
    throw refused(4, `no such store: ${store}: unknown request`);
  }
  if (key.length === 0) {
    throw refused(3, "query cannot be zero length: tx parse error");
  }
  if (kind !== "key" || rest.length > 0) {
    const path = [kind, ...rest].map((part) => `/${part}`).join("");
    throw refused(
      4,
      `unexpected query path: ${path === "/" ? "" : path}: unknown request`,
    );
  }
}

/**
 * Returns the value of a key in a module's store; `null` when there is none, or
 * the key is of another kind. Keys, as bytes in hex: bank balances (02, 14,
 * account, denomination) and supply (00, denomination), EVM storage (02,
 * contract, slot) and parameters (03), validators (21, 14, operator).
 */
async function stored(
  ledger: Ledger,
  store: string,
  key: Uint8Array,
  height: bigint,
): Promise<Uint8Array | null> {
  const books = ledger.booksAt(height);
  const [first] = key;
  const isBalance = first === 2 && key.length > 22;
  if (store === "evm") {
    return first === 3
      ? vmParamsOf(await books.evm.facts())
      : first === 2 && key.length === 53
        ? await storageOf(books, key)
        : null;
  }
  if (store === "staking" && first === 0x21) {
    const operator = bech32.encode(
      operatorPrefix(ledger.prefix),
      bech32.toWords(key.subarray(2)),
    );
    const found = (await books.staking.validators()).find(
      ({ operatorAddress }) => operatorAddress === operator,
    );
    return found === undefined ? null : Validator.encode(found).finish();
  }
  if (store !== "bank" || (!isBalance && first !== 0)) return null;
  const words = bech32.toWords(key.subarray(2, 22));
  const coins = isBalance
    ? await books.bank.balances(bech32.encode(ledger.prefix, words))
    : await books.bank.supply();
  const name = Buffer.from(key.subarray(isBalance ? 22 : 1)).toString();
  const amount = coins.find(({ denom }) => denom === name)?.amount;
  return amount === undefined ? null : new Uint8Array(Buffer.from(amount));
}

/**
 * Returns a contract's storage slot; `null` for 0, which the store does not
 * keep.
 */
async function storageOf(
  books: Books,
  key: Uint8Array,
): Promise<Uint8Array | null> {
  const [contract, place] = [key.subarray(1, 21), key.subarray(21)].map(
    (bytes) => `0x${bytesToHex(bytes)}`,
  );
  const word = await books.evm.storage(contract ?? "", place ?? "");
  return /^0x0*$/.test(word) ? null : hexToBytes(word.slice(2));
}
