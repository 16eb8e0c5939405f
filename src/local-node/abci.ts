import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";
import { Validator } from "cosmjs-types/cosmos/staking/v1beta1/staking";

import { operatorPrefix } from "../address/codec.js";
import type { Books } from "./books/books.js";
import type { Ledger } from "./ledger.js";
import { vmParamsOf } from "./evm-messages.js";
import { Fault } from "./fault.js";

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
    if (asked.height < 0n) throw belowZero();
    const store = /^\/store\/([a-z0-9]+)\/key$/.exec(path)?.[1];
    if (store !== undefined) {
      const value = await stored(ledger, store, data, asked.height);
      return { ...answer, key: data, value };
    }
    if (path === "/app/version") {
      return { ...answer, value: new Uint8Array(), codespace: "sdk" };
    }
    if (path.startsWith("/p2p/filter/")) return { ...answer, height: 0n };
    const [, service = "", name = ""] = path.split("/");
    if (service === "") throw noPath();
    const value = await query(ledger, service, name, data, asked.height);
    return { ...answer, value };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { abci } = error;
    // Nodes report height 0 when they refuse before reading any state.
    const isEarly = [4, 6, 26].includes(abci.code) || asked.height < 0n;
    return { ...answer, ...abci, height: isEarly ? 0n : height };
  }
}

function belowZero(): Fault {
  const text = "cannot query with height < 0; please provide a valid height";
  return new Fault(2, text, { code: 18, log: `${text}: invalid request` });
}

function noPath(): Fault {
  const log = "no query path provided: unknown request";
  return new Fault(12, log, { code: 6, log });
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
 * Returns the value of a key in a module's store; `null` when there is none, or
 * the key is of another kind. Keys, as bytes in hex: bank balances (02, 14,
 * account, denomination) and supply (00, denomination), EVM storage (02,
 * contract, slot) and parameters (03), validators (21, 14, operator).
 *
 * @throws Fault when there is no such store
 */
async function stored(
  ledger: Ledger,
  store: string,
  key: Uint8Array,
  height: bigint,
): Promise<Uint8Array | null> {
  if (!STORES.has(store)) {
    const log = `no such store: ${store}: unknown request`;
    throw new Fault(5, log, { code: 4, codespace: "store", log });
  }
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
