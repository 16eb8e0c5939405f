// Addresses that belong to the emulation and exist on no chain.

import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils";

import { accountWithoutKey } from "../../address/without-key.js";
import { MODULE_ACCOUNTS } from "../../precompiles/module-accounts.js";

const hash = (text: string) => bytesToHex(keccak_256(utf8ToBytes(text)));

/**
 * The sender of calls that the chain itself makes, such as at a block's end.
 */
export const SYSTEM = "0xfffffffffffffffffffffffffffffffffffffffe";

/** Holds the coins that minting pays out, and receives what is burnt. */
export const RESERVE = accountWithoutKey("reserve");

/**
 * More than a chain will ever mint, and far from overflowing 256 bits; base
 * units.
 */
export const RESERVE_FUNDS = 1n << 200n;

/**
 * The first of the consecutive accounts by which the modules count the
 * precompile calls of a transaction.
 */
export const CALL_COUNTER = accountWithoutKey("calls");

/**
 * Number of those accounts: more than the calls that a transaction can make.
 */
const MOST_COUNTERS = 4096n;

/** Holds the code that an account without code runs while it pays. */
export const PAYER = accountWithoutKey("payer");

/**
 * Marks a payment: the first word of the calldata that requests one, and the
 * last bytes of a payer's code.
 */
export const PAY_MAGIC = hash("hardhat-dualstack.pay");

/**
 * Every account that {@link derive} has returned, which stands in for a payer.
 */
const derived = new Set<string>();

function derive(seed: string): string {
  const account = accountWithoutKey(seed);
  derived.add(account);
  return account;
}

/**
 * Returns the account that holds a contract's code while a paying proxy
 * replaces it.
 */
export const shadowOf = (code: string) => derive(`shadow.${hash(code)}`);

/**
 * Returns the account that holds the proxy which an account delegated to
 * `target` (EIP-7702) runs while it pays.
 */
export const delegatedPayerOf = (target: string) =>
  derive(`payer.${target.toLowerCase()}`);

/**
 * Returns whether an address is one of the emulation's own, of which a chain
 * has no state.
 *
 * @param address in lower case
 */
export function isOfEmulation(address: string): boolean {
  if (OWN.has(address) || derived.has(address)) return true;
  if (paymentContracts().has(address)) return true;
  const number = BigInt(address) - BigInt(CALL_COUNTER);
  return number >= 0n && number < MOST_COUNTERS;
}

const OWN: ReadonlySet<string> = new Set([SYSTEM, RESERVE, PAYER]);

/** Nonces below this are one byte in RLP. */
const SMALL_NONCES = 0x80;

let contracts: Set<string> | undefined;

/**
 * Returns the contracts by which the module accounts and the reserve pay other
 * contracts (contracts/localnet/accounts/Vault.sol): the first of each. They
 * live for one call, and on a chain nobody can create one there.
 */
function paymentContracts(): ReadonlySet<string> {
  if (contracts !== undefined) return contracts;
  contracts = new Set();
  for (const creator of [...Object.values(MODULE_ACCOUNTS), RESERVE]) {
    for (let nonce = 0; nonce < SMALL_NONCES; nonce++) {
      const tail = nonce === 0 ? "80" : nonce.toString(16).padStart(2, "0");
      const list = hexToBytes(`d694${creator.slice(2)}${tail}`);
      contracts.add(`0x${bytesToHex(keccak_256(list)).slice(24)}`);
    }
  }
  return contracts;
}
