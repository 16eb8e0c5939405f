import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";

/** 20 bytes as a hex address with EIP-55's checksum. */
export function checksumAddress(bytes: Uint8Array): `0x${string}` {
  const hex = bytesToHex(bytes);
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  let text = "";
  for (let i = 0; i < hex.length; i++) {
    const digit = hex.charAt(i);
    text +=
      Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit;
  }
  return `0x${text}`;
}
