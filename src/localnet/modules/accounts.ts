// Addresses that are the emulation's own, for all of it.

import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";

import { accountWithoutKey } from "../../address/without-key.js";

const hash = (text: string) => bytesToHex(keccak_256(utf8ToBytes(text)));

/** The caller of what the chain does by itself. */
export const SYSTEM = "0xfffffffffffffffffffffffffffffffffffffffe";

/** Pays what is minted and takes what is burnt; no account of the chain. */
export const RESERVE = accountWithoutKey("reserve");

/** More than a chain will ever mint, far from the limits of 256 bits. */
export const RESERVE_FUNDS = 1n << 200n;

/** The first of the accounts by which the modules count the calls of a transaction. */
export const CALL_COUNTER = accountWithoutKey("calls");

/** More calls than a transaction can make at once. */
const MOST_COUNTERS = 4096n;

/** Where the code stands that accounts without code run while they pay. */
export const PAYER = accountWithoutKey("payer");

/** First word of the calldata that asks for a payment, and the last bytes of a payer's code. */
export const PAY_MAGIC = hash("hardhat-dualstack.pay");

/** Accounts that stand for others while those pay, as they were derived. */
const derived = new Set<string>();

function derive(seed: string): string {
  const account = accountWithoutKey(seed);
  derived.add(account);
  return account;
}

/** Where a contract's code stands while a proxy that pays stands at the contract. */
export const shadowOf = (code: string) => derive(`shadow.${hash(code)}`);

/** Where the proxy stands that an account with another's code runs while it pays. */
export const delegatedPayerOf = (target: string) =>
  derive(`payer.${target.toLowerCase()}`);

/** Whether an account is the emulation's own: no chain has anything of it. In lower case. */
export function isOfEmulation(address: string): boolean {
  if (OWN.has(address) || derived.has(address)) return true;
  const number = BigInt(address) - BigInt(CALL_COUNTER);
  return number >= 0n && number < MOST_COUNTERS;
}

const OWN: ReadonlySet<string> = new Set([SYSTEM, RESERVE, PAYER]);
