import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";

/**
 * An address made up from a name: the last 20 bytes of a hash, so nobody has
 * its key and no chain has anything there.
 *
 * @example accountWithoutKey("faucet")
 */
export const accountWithoutKey = (name: string) =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(`hardhat-dualstack.${name}`))).slice(24)}` as const;
