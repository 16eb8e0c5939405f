import { keccak_256 } from "@noble/hashes/sha3";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex } from "@noble/hashes/utils";
import type { BaseAccount } from "cosmjs-types/cosmos/auth/v1beta1/auth";
import { MsgSend } from "cosmjs-types/cosmos/bank/v1beta1/tx";
import {
  AuthInfo,
  SignDoc,
  TxBody,
  TxRaw,
} from "cosmjs-types/cosmos/tx/v1beta1/tx";

import { SigningKey } from "ethers";

import type { Chain, State } from "./state.js";

/** A node's answer to a transaction that it checks. */
export interface Check {
  readonly code: number;
  readonly log: string;
}

/** A transaction in a block. */
export interface Executed extends Check {
  readonly hash: string;
  readonly height: bigint;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly bytes: Uint8Array;
}

interface Decoded {
  readonly raw: TxRaw;
  readonly body: TxBody;
  readonly auth: AuthInfo;
  readonly account: BaseAccount | undefined;
}

export const transactionHash = (bytes: Uint8Array) =>
  bytesToHex(sha256(bytes)).toUpperCase();

/** The message of a transaction; for a transaction with another message only its sender. */
export function bankSend(bytes: Uint8Array): MsgSend {
  const [message] = TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages;
  return MsgSend.decode(message?.value ?? new Uint8Array());
}

/** Undefined for bytes that a node cannot decode. */
export function decode(state: State, bytes: Uint8Array): Decoded | undefined {
  try {
    const raw = TxRaw.decode(bytes);
    const body = TxBody.decode(raw.bodyBytes);
    const auth = AuthInfo.decode(raw.authInfoBytes);
    const [first] = body.messages;
    if (first === undefined || auth.fee === undefined) {
      return undefined;
    }
    const from =
      first.typeUrl === "/cosmos.bank.v1beta1.MsgSend"
        ? MsgSend.decode(first.value).fromAddress
        : (/cosmos1[a-z0-9]{38}/.exec(
            new TextDecoder().decode(first.value),
          )?.[0] ?? "");
    return { raw, body, auth, account: state.accounts.get(from) };
  } catch {
    return undefined;
  }
}

// As on the chain, every byte costs gas, and so does checking a signature.
function gasOf({ raw, auth, account }: Decoded): bigint {
  const bytes = BigInt(TxRaw.encode(raw).finish().length) * 10n;
  const signed = raw.signatures.some((signature) => signature.length > 0);
  const first = account?.pubKey === undefined ? 13_000n : 0n;
  return (
    60_000n +
    bytes +
    (signed ? 21_000n : 0n) +
    ((auth.fee?.amount.length ?? 0) > 0 ? first : 0n)
  );
}

/** The gas that the messages would use, with the checks that a simulation makes. */
export function simulate(
  state: State,
  bytes: Uint8Array,
  chain: Chain,
): bigint {
  const decoded = decode(state, bytes);
  if (decoded === undefined) {
    throw new Error("tx parse error");
  }
  const check = checkDecoded(state, decoded, chain, { simulated: true });
  if (check.code !== 0) {
    throw new Error(check.log);
  }
  return gasOf(decoded);
}

export function check(
  state: State,
  bytes: Uint8Array,
  chain: Chain,
): Check | undefined {
  const decoded = decode(state, bytes);
  return decoded === undefined
    ? undefined
    : checkDecoded(state, decoded, chain, { simulated: false });
}

function checkDecoded(
  state: State,
  { raw, auth, account }: Decoded,
  chain: Chain,
  { simulated }: { simulated: boolean },
): Check {
  if (account === undefined) {
    return {
      code: 9,
      log: "fee payer address does not exist: unknown address",
    };
  }
  const fee = auth.fee?.amount[0];
  const gas = auth.fee?.gasLimit ?? 0n;
  const least = gas * state.evm.minGasPrice;
  if (!simulated && (fee === undefined || BigInt(fee.amount) < least)) {
    return {
      code: 13,
      log: `provided fee < minimum global fee (${fee?.amount ?? 0}${state.evm.denom} < ${least}${state.evm.denom}). Please increase the gas price.: insufficient fee`,
    };
  }
  const [signer] = auth.signerInfos;
  const sequence = signer?.sequence ?? 0n;
  if (sequence !== account.sequence) {
    return {
      code: 32,
      log: `account sequence mismatch, expected ${account.sequence}, got ${sequence}: incorrect account sequence`,
    };
  }
  if (!simulated) {
    const document = SignDoc.encode({
      bodyBytes: raw.bodyBytes,
      authInfoBytes: raw.authInfoBytes,
      chainId: chain.chainId,
      accountNumber: account.accountNumber,
    }).finish();
    const key = signer?.publicKey?.value.subarray(2) ?? new Uint8Array();
    const signature = raw.signatures[0] ?? new Uint8Array();
    const valid =
      signature.length === 64 &&
      isSignedBy(signature, keccak_256(document), key);
    if (!valid) {
      return {
        code: 4,
        log: `signature verification failed; please verify account number (${account.accountNumber}) and chain-id (${chain.chainId}): unauthorized`,
      };
    }
  }
  return { code: 0, log: "" };
}

function isSignedBy(
  signature: Uint8Array,
  digest: Uint8Array,
  key: Uint8Array,
): boolean {
  const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`;
  return [27, 28].some((v) => {
    const found = SigningKey.recoverPublicKey(digest, {
      r: hex(signature.subarray(0, 32)),
      s: hex(signature.subarray(32)),
      v,
    });
    return SigningKey.computePublicKey(found, true) === hex(key);
  });
}

/** Puts a checked transaction into the next block. */
export function execute(chain: Chain, bytes: Uint8Array): Executed {
  const { state } = chain;
  const decoded = decode(state, bytes);
  if (decoded?.account === undefined) {
    throw new Error("only checked transactions are executed");
  }
  const { account, auth, body } = decoded;
  const gasUsed = gasOf(decoded);
  const gasWanted = auth.fee?.gasLimit ?? 0n;
  account.sequence++;
  account.pubKey = auth.signerInfos[0]?.publicKey;
  let result: Check = { code: 0, log: "" };
  if (gasUsed > gasWanted) {
    result = {
      code: 11,
      log: `out of gas in location: WriteFlat; gasWanted: ${gasWanted}, gasUsed: ${gasUsed}: out of gas`,
    };
  } else {
    for (const [i, message] of body.messages.entries()) {
      if (message.typeUrl === "/cosmos.bank.v1beta1.MsgSend") {
        const log = send(state, MsgSend.decode(message.value));
        if (log !== undefined) {
          result = {
            code: 5,
            log: `failed to execute message; message index: ${i}: ${log}`,
          };
        }
      }
    }
  }
  const { number } = chain.mine([], true);
  return {
    ...result,
    hash: transactionHash(bytes),
    height: number,
    gasWanted,
    gasUsed,
    bytes,
  };
}

function send(
  state: State,
  { fromAddress, toAddress, amount }: MsgSend,
): string | undefined {
  for (const { denom, amount: text } of amount) {
    const value = BigInt(text);
    const coin = (address: string) => {
      const coins = state.balances.get(address) ?? [];
      state.balances.set(address, coins);
      const found = coins.find((candidate) => candidate.denom === denom);
      const made = found ?? { denom, amount: "0" };
      if (found === undefined) {
        coins.push(made);
      }
      return made;
    };
    const from = coin(fromAddress);
    if (BigInt(from.amount) < value) {
      return `spendable balance ${from.amount}${denom} is smaller than ${value}${denom}: insufficient funds`;
    }
    from.amount = String(BigInt(from.amount) - value);
    const to = coin(toAddress);
    to.amount = String(BigInt(to.amount) + value);
  }
  return undefined;
}
