import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils";

const FIRST_LETTER = 0x61;
const TO_UPPER_CASE = -0x20;

/** 20 bytes as a hex address with EIP-55's checksum. */
export function checksumAddress(bytes: Uint8Array): `0x${string}` {
  // Changed in place: lists of many addresses pass through here.
  const characters = utf8ToBytes(bytesToHex(bytes));
  const hash = keccak_256(characters);
  characters.forEach((character, index) => {
    const byte = hash[index >> 1] ?? 0;
    const digit = index % 2 === 0 ? byte >> 4 : byte & 0xf;
    if (digit >= 8 && character >= FIRST_LETTER) {
      characters[index] = character + TO_UPPER_CASE;
    }
  });
  return `0x${String.fromCharCode(...characters)}`;
}
