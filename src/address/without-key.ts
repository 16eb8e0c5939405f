import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";

/**
 * An address of this project's own, by a name: the last 20 bytes of a hash, so
 * that nobody has its key and nothing of a chain is there.
 *
 * @example accountWithoutKey("faucet")
 */
export const accountWithoutKey = (name: string) =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(`hardhat-dualstack.${name}`))).slice(24)}` as const;
