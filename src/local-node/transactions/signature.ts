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
 * Whether a transaction is signed by the network's key type: the hash is
 * Ethereum's, and so is the address of the key. Signed are the bytes (direct),
 * or their JSON (legacy Amino), as the signer says.
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

/** What was signed; `undefined`: in a way that the chain does not know. */
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
