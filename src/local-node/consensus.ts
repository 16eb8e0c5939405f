import { hexToBytes } from "@noble/hashes/utils";
import { bech32 } from "@scure/base";

/** A validator's address of consensus as the framework writes it. @param hex without 0x */
export const consensusAddress = (prefix: string, hex: string): string =>
  bech32.encode(
    `${prefix}valcons`,
    bech32.toWords(hexToBytes(hex.toLowerCase())),
  );
