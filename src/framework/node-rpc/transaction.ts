import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex } from "@noble/hashes/utils";

import { FrameworkError } from "../errors.js";

/** The hash of a transaction on the framework's side; the EVM has another. */
export const transactionHash = (bytes: Uint8Array) =>
  bytesToHex(sha256(bytes)).toUpperCase();

/**
 * Checks that bytes are a framework transaction before they are sent: a node
 * never answers a broadcast of bytes that it cannot decode.
 *
 * @throws FrameworkError if they are not
 */
export async function checkTransaction(bytes: Uint8Array): Promise<void> {
  const { AuthInfo, TxBody, TxRaw } = await import(
    "cosmjs-types/cosmos/tx/v1beta1/tx"
  );
  let what = "is not one of the framework's";
  try {
    const raw = TxRaw.decode(bytes);
    const body = TxBody.decode(raw.bodyBytes);
    const auth = AuthInfo.decode(raw.authInfoBytes);
    if (body.messages.length === 0) {
      what = "has no messages";
    } else if (auth.signerInfos.length !== raw.signatures.length) {
      what = `has ${raw.signatures.length} signatures for ${auth.signerInfos.length} signers`;
    } else if (same(TxRaw.encode(raw).finish(), bytes)) {
      return;
    } else {
      // Nodes accept only the canonical encoding (ADR 027).
      what = "is not encoded as nodes require";
    }
  } catch (cause) {
    throw refused(what, bytes, cause);
  }
  throw refused(what, bytes);
}

function refused(what: string, bytes: Uint8Array, cause?: unknown) {
  const first = bytes[0] ?? 0;
  const ethereum = first >= 0xc0 || (first >= 1 && first <= 4);
  return new FrameworkError(`this transaction ${what}, so it was not sent`, {
    fault: "invalid-request",
    fix: ethereum
      ? "Send transactions of the EVM with eth_sendRawTransaction."
      : "Sign it again; nodes never answer bytes that they cannot decode.",
    cause,
  });
}

const same = (a: Uint8Array, b: Uint8Array) =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
