import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";

/**
 * The account of a module: the first 20 bytes of SHA-256 of the module's name.
 *
 * @example moduleAddress("gov") // "0x7b5fe22b5446f7c62ea27b8bd71cef94e03f3df2"
 */
export const moduleAddress = (name: string): `0x${string}` =>
  `0x${bytesToHex(sha256(utf8ToBytes(name))).slice(0, 40)}`;

/** The module accounts of staking, distribution, governance and fees. */
export const MODULE_ACCOUNTS = {
  bondedPool: moduleAddress("bonded_tokens_pool"),
  notBondedPool: moduleAddress("not_bonded_tokens_pool"),
  distribution: moduleAddress("distribution"),
  governance: moduleAddress("gov"),
  feeCollector: moduleAddress("fee_collector"),
} as const;
