import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex } from "@noble/hashes/utils";
import { PubKey } from "cosmjs-types/cosmos/crypto/secp256k1/keys";
import { SignMode } from "cosmjs-types/cosmos/tx/signing/v1beta1/signing";
import { SignDoc } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import { computeAddress, SigningKey } from "ethers";

import type { Signed } from "./signed.js";

const SIGNATURE_LENGTH = 64;
const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`;

interface SignerAccount {
  readonly accountNumber: bigint;
}

/**
 * Tells whether a transaction has one valid signature of its sender's key. The
 * chain's keys (eth_secp256k1) hash and derive addresses as Ethereum does. The
 * signer chooses what is signed: the bytes (SIGN_MODE_DIRECT) or their Amino
 * JSON.
 */
export async function isSigned(
  signed: Signed,
  account: SignerAccount,
  chainId: string,
): Promise<boolean> {
  const { raw, auth, sender } = signed;
  const [signature, ...others] = raw.signatures;
  const { publicKey } = auth.signerInfos[0] ?? {};
  if (
    signature?.length !== SIGNATURE_LENGTH ||
    others.length > 0 ||
    publicKey === undefined
  ) {
    return false;
  }
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map(hex);
  try {
    const document = await documentOf(signed, account, chainId);
    if (document === undefined) return false;
    const digest = keccak_256(document);
    const { key } = PubKey.decode(publicKey.value);
    return (
      computeAddress(hex(key)).toLowerCase() === sender &&
      [27, 28].some((v) => {
        const found = SigningKey.recoverPublicKey(digest, {
          r: r ?? "",
          s: s ?? "",
          v,
        });
        return SigningKey.computePublicKey(found, true) === hex(key);
      })
    );
  } catch {
    return false;
  }
}

/**
 * Returns the signed document; `undefined` when the chain does not support its
 * sign mode.
 */
async function documentOf(
  signed: Signed,
  { accountNumber }: SignerAccount,
  chainId: string,
): Promise<Uint8Array | undefined> {
  const { raw, auth } = signed;
  switch (auth.signerInfos[0]?.modeInfo?.single?.mode) {
    case SignMode.SIGN_MODE_DIRECT:
      return SignDoc.encode({
        bodyBytes: raw.bodyBytes,
        authInfoBytes: raw.authInfoBytes,
        chainId,
        accountNumber,
      }).finish();
    case SignMode.SIGN_MODE_LEGACY_AMINO_JSON: {
      const { aminoDocument } = await import("./amino.js");
      return aminoDocument(signed, accountNumber, chainId);
    }
    default:
      return undefined;
  }
}
