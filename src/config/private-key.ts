import { fetchVariable } from "../support/major.js";

/** The order of secp256k1: private keys are below it. */
const ORDER =
  0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Whether a text is a private key: 32 bytes in hex, above zero and below the curve's order. */
export function isPrivateKey(text: string): boolean {
  const digits = /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/i.exec(text)?.[1];
  const key = BigInt(`0x${digits ?? "0"}`);
  return key > 0n && key < ORDER;
}

/**
 * The rule for keys in the configuration. Errors never show the text itself,
 * which may be a key with a typing error.
 */
export const privateKeyRule = (): string =>
  `must be a private key: 32 bytes in hex, above 0 and below the order of secp256k1; better: ${fetchVariable("DUALSTACK_PRIVATE_KEY")}`;
