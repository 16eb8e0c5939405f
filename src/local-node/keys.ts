import { createECDH, createHmac, pbkdf2Sync } from "node:crypto";

import { DERIVATION_PATH } from "../chain/facts.js";

/** The order of secp256k1. */
const ORDER =
  0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** From here on keys are derived from private ones alone. */
const HARDENED = 2 ** 31;

/** A node of BIP-32. */
interface HdNode {
  readonly key: Buffer;
  readonly chainCode: Buffer;
}

function split(key: string | Buffer, data: string | Buffer) {
  const both = createHmac("sha512", key).update(data).digest();
  return { left: both.subarray(0, 32), right: both.subarray(32) };
}

function child({ key, chainCode }: HdNode, index: number): HdNode {
  const data = Buffer.alloc(37);
  if (index >= HARDENED) key.copy(data, 1);
  else {
    const curve = createECDH("secp256k1");
    curve.setPrivateKey(key);
    curve.getPublicKey(null, "compressed").copy(data);
  }
  data.writeUInt32BE(index, 33);
  const { left, right } = split(chainCode, data);
  const sum =
    (BigInt(`0x${left.toString("hex")}`) + BigInt(`0x${key.toString("hex")}`)) %
    ORDER;
  return {
    key: Buffer.from(sum.toString(16).padStart(64, "0"), "hex"),
    chainCode: right,
  };
}

/**
 * The first private keys of a mnemonic, as wallets and Hardhat derive them.
 * Without the work of an HD wallet, which takes the start of a network longer
 * than the network does: Node has what is needed.
 *
 * @param mnemonic words of BIP-39 that fit each other
 */
export function privateKeysOf(
  mnemonic: string,
  count: number,
): readonly `0x${string}`[] {
  const words = mnemonic.normalize("NFKD");
  const seed = pbkdf2Sync(words, "mnemonic", 2_048, 64, "sha512");
  const { left, right } = split("Bitcoin seed", seed);
  let node: HdNode = { key: left, chainCode: right };
  for (const step of DERIVATION_PATH.split("/").slice(1)) {
    const isHardened = step.endsWith("'");
    node = child(node, Number.parseInt(step, 10) + (isHardened ? HARDENED : 0));
  }
  return Array.from(
    { length: count },
    (_, i): `0x${string}` => `0x${child(node, i).key.toString("hex")}`,
  );
}
