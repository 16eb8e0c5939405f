import { AuthInfo, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";

import { transactionHash } from "../../framework/node-rpc/transaction.js";
import type { Account } from "../books/books.js";
import type { AbciRefusal } from "../fault.js";
import {
  type KnownMessage,
  type MessageContext,
  readMessage,
} from "./messages.js";
import { isSigned } from "./signature.js";

/** Why the chain does not accept a transaction. */
export type Refusal = AbciRefusal;

const refuse = (code: number, log: string): Refusal => ({
  code,
  codespace: "sdk",
  log,
});

/** A framework transaction, decoded as far as the chain's rules need it. */
export interface Transaction {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes in upper-case hex. */
  readonly hash: string;
  readonly raw: TxRaw;
  readonly body: TxBody;
  readonly auth: AuthInfo;
  readonly messages: readonly KnownMessage[];
  /** Address of the signer, who also pays the fee, in lower-case hex. */
  readonly sender: string;
}

/** What transactions are read and checked against. */
export interface FeeRules extends MessageContext {
  readonly chainId: string;
  /** Base units per gas. */
  readonly minGasPrice: bigint;
}

/**
 * Decodes a transaction.
 *
 * @returns the transaction, or why the chain would not accept it
 */
export function readTransaction(
  bytes: Uint8Array,
  context: MessageContext,
): Transaction | Refusal {
  let raw: TxRaw;
  let body: TxBody;
  let auth: AuthInfo;
  try {
    raw = TxRaw.decode(bytes);
    body = TxBody.decode(raw.bodyBytes);
    auth = AuthInfo.decode(raw.authInfoBytes);
  } catch {
    return refuse(2, "tx parse error");
  }
  if (body.messages.length === 0) {
    return refuse(18, "must contain at least one message: invalid request");
  }
  const messages: KnownMessage[] = [];
  for (const message of body.messages) {
    let known: KnownMessage | undefined;
    try {
      known = readMessage(message, context);
    } catch {
      return refuse(
        2,
        `errUnknownField or address in "${message.typeUrl}": tx parse error`,
      );
    }
    if (known === undefined) {
      return refuse(
        2,
        `unable to resolve type URL ${message.typeUrl}: tx parse error`,
      );
    }
    messages.push(known);
  }
  const [sender = "", ...others] = new Set(
    messages.map(({ signer }) => signer),
  );
  if (others.length > 0) {
    return refuse(
      4,
      "invalid number of signers: this chain takes transactions of one signer: unauthorized",
    );
  }
  return {
    bytes,
    hash: transactionHash(bytes),
    raw,
    body,
    auth,
    messages,
    sender,
  };
}

/** Tells a refusal from a transaction. */
export const isRefusal = (result: Transaction | Refusal): result is Refusal =>
  "log" in result;

/**
 * Returns the fee in base units; `undefined` when none is given in the native
 * denomination.
 */
export function feeOf(
  { auth }: Transaction,
  denom: string,
): bigint | undefined {
  const coin = auth.fee?.amount.find((one) => one.denom === denom);
  return coin === undefined ? undefined : BigInt(coin.amount);
}

/** Returns the gas limit; 0 when none is given. */
export const gasLimitOf = ({ auth }: Transaction): bigint =>
  auth.fee?.gasLimit ?? 0n;

/** Returns the public key that the transaction carries. */
export const keyOf = ({ auth }: Transaction): Any | undefined =>
  auth.signerInfos[0]?.publicKey;

/** Most characters of a memo. */
const MAX_MEMO = 256;

/**
 * Runs the checks that precede the messages, in the chain's order.
 *
 * @param account the sender's; `undefined` when it does not exist
 * @param simulated skips the checks of fee, gas limit and signature
 * @returns the refusal; `undefined` when all checks pass
 */
export async function checkTransaction(
  transaction: Transaction,
  account: Account | undefined,
  // The sender's balance in base units, and the height of the next block.
  { balance, height }: { readonly balance: bigint; readonly height: bigint },
  rules: FeeRules,
  simulated: boolean,
): Promise<Refusal | undefined> {
  const { denom, minGasPrice } = rules;
  const { memo, timeoutHeight } = transaction.body;
  if (timeoutHeight !== 0n && height > timeoutHeight) {
    return refuse(
      30,
      `block height: ${height}, timeout height: ${timeoutHeight}: tx timeout height`,
    );
  }
  if (memo.length > MAX_MEMO) {
    return refuse(
      12,
      `maximum number of characters is ${MAX_MEMO} but received ${memo.length} characters: memo too large`,
    );
  }
  const limit = gasLimitOf(transaction);
  const least = limit * minGasPrice;
  const fee = feeOf(transaction, denom) ?? 0n;
  const other = transaction.auth.fee?.amount.find((one) => one.denom !== denom);
  if (!simulated && other !== undefined) {
    return {
      ...INTERNAL,
      log: `expected only native token ${denom} for fee, but got ${other.amount}${other.denom}`,
    };
  }
  if (!simulated && fee < least) {
    const given = transaction.auth.fee?.amount[0];
    return refuse(
      13,
      `provided fee < minimum global fee (${given?.amount ?? 0}${given?.denom ?? denom} < ${least}${denom}). Please increase the gas price.: insufficient fee`,
    );
  }
  const needed = anteGas(transaction, account);
  if (!simulated && limit < needed) {
    return refuse(
      11,
      `out of gas in location: ReadPerByte; gasWanted: ${limit}, gasUsed: ${needed}: out of gas`,
    );
  }
  if (account === undefined) {
    return refuse(9, "fee payer address does not exist: unknown address");
  }
  if (!simulated && balance < fee) {
    return refuse(
      5,
      `spendable balance ${balance}${denom} is smaller than ${fee}${denom}: insufficient funds`,
    );
  }
  const signer = transaction.auth.signerInfos[0];
  const sequence = signer?.sequence ?? 0n;
  if (sequence !== account.sequence) {
    return refuse(
      32,
      `account sequence mismatch, expected ${account.sequence}, got ${sequence}: incorrect account sequence`,
    );
  }
  return simulated || (await isSigned(transaction, account, rules.chainId))
    ? undefined
    : refuse(
        4,
        `signature verification failed; please verify account number (${account.accountNumber}) and chain-id (${rules.chainId}): (unable to verify single signer signature): unauthorized`,
      );
}

// Gas of the chain's own checks: reading the account, each byte, the signature,
// a new public key.
const BASE_GAS = 39_000n;
const GAS_PER_BYTE = 10n;
const SIGNATURE_GAS = 21_000n;
const NEW_KEY_GAS = 13_000n;

function anteGas({ bytes }: Transaction, account: Account | undefined): bigint {
  const key = account?.pubKey === undefined ? NEW_KEY_GAS : 0n;
  return BASE_GAS + BigInt(bytes.length) * GAS_PER_BYTE + SIGNATURE_GAS + key;
}

const TRANSFER_GAS = 21_000n;

/**
 * Returns the gas that a transaction uses.
 *
 * @param steps gas of each step of its messages; 0 for a transfer
 */
export const gasOf = (
  transaction: Transaction,
  account: Account | undefined,
  steps: readonly bigint[],
): bigint =>
  steps.reduce(
    (sum, gas) => sum + (gas === 0n ? TRANSFER_GAS : gas),
    anteGas(transaction, account),
  );

/** The framework's code for errors that no module has registered. */
export const INTERNAL = { code: 1, codespace: "undefined" } as const;

/**
 * Phrases in the modules' errors, with the code and codespace that the
 * framework assigns them.
 */
const CODES: readonly (readonly [text: string, code: number, space: string])[] =
  [
    ["insufficient funds", 5, "sdk"],
    ["unauthorized", 4, "sdk"],
    ["invalid address", 7, "sdk"],
    ["invalid coins", 10, "sdk"],
    ["invalid request", 18, "sdk"],
    ["validator does not exist", 3, "staking"],
    ["no delegation for (address, validator) tuple", 19, "staking"],
    ["invalid shares amount", 32, "staking"],
    ["validator still jailed", 4, "slashing"],
    ["validator not jailed", 5, "slashing"],
    ["self delegation less than minimum", 7, "slashing"],
    ["inactive proposal", 3, "gov"],
    ["unknown proposal", 2, "gov"],
  ];

/** Returns the chain's refusal for a failed message. */
export function messageFailure(index: number, reason: string): Refusal {
  const [, code, codespace] = CODES.find(([text]) => reason.includes(text)) ?? [
    "",
    INTERNAL.code,
    INTERNAL.codespace,
  ];
  return {
    code,
    codespace,
    log: `failed to execute message; message index: ${index}: ${reason}`,
  };
}
