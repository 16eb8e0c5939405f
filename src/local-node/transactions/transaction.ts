import { AuthInfo, TxBody, TxRaw } from "cosmjs-types/cosmos/tx/v1beta1/tx";
import type { Any } from "cosmjs-types/google/protobuf/any";

import { transactionHash } from "../../framework/node-rpc/transaction.js";
import { isAddress, parseAddress } from "../../address/index.js";
import { isoTime } from "../../support/time.js";
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

const SEVERAL_SIGNERS =
  "invalid number of signers: this chain takes transactions of one signer: unauthorized";

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
  const strange = strangeIn(body, auth);
  if (strange !== undefined) return refuse(2, `${strange}: tx parse error`);
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
    return refuse(4, SEVERAL_SIGNERS);
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

/** The extension of a transaction that names a tip for its fee. */
const DYNAMIC_FEE = "/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx";

/** Returns what in a transaction the chain's decoder does not take. */
function strangeIn(body: TxBody, auth: AuthInfo): string | undefined {
  const extension = [
    ...body.extensionOptions,
    ...body.nonCriticalExtensionOptions,
  ].find(({ typeUrl }) => typeUrl !== DYNAMIC_FEE);
  if (extension !== undefined) {
    return `unable to resolve type URL ${extension.typeUrl}`;
  }
  const number = auth.fee?.amount.find(
    ({ amount }) => !/^-?\d+$/.test(amount),
  )?.amount;
  return number === undefined
    ? undefined
    : `math/big: cannot unmarshal ${JSON.stringify(number.slice(0, 60))} into a *big.Int`;
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

/** Most bytes of a memo. */
const MAX_MEMO = 256;

const MAX_GAS = 2n ** 63n - 1n;

/** Checks what needs no state: the fee's parts, and who has to sign. */
function checkBasics(
  { auth, raw, sender }: Transaction,
  prefix: string,
): Refusal | undefined {
  const { gasLimit = 0n, amount = [], payer = "" } = auth.fee ?? {};
  if (gasLimit > MAX_GAS) {
    return refuse(
      18,
      `invalid gas supplied; ${gasLimit} > ${MAX_GAS}: invalid request`,
    );
  }
  if (amount.some((coin) => coin.amount.startsWith("-"))) {
    const coins = amount.map((coin) => `${coin.amount}${coin.denom}`).join();
    return refuse(13, `invalid fee provided: ${coins}: insufficient fee`);
  }
  if (payer !== "" && !isAddress(payer, { prefix })) {
    return refuse(
      7,
      `Invalid fee payer address (${payer.slice(0, 120)}): invalid address`,
    );
  }
  const given = raw.signatures.length;
  if (given === 0) return refuse(15, "no signatures supplied");
  const isPaidByOther = payer !== "" && hexOf(payer, prefix) !== sender;
  const expected = isPaidByOther ? 2 : 1;
  if (given !== expected) {
    return refuse(
      4,
      `wrong number of signers; expected ${expected}, got ${given}: unauthorized`,
    );
  }
  return isPaidByOther ? refuse(4, SEVERAL_SIGNERS) : undefined;
}

const hexOf = (address: string, prefix: string) =>
  parseAddress(address, { prefix }).hex.toLowerCase();

/** Returns a Unix time as the framework prints it. */
const printed = (seconds: bigint) =>
  `${isoTime(seconds).replace("T", " ").replace("Z", "")} +0000 UTC`;

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
  // The sender's balance in base units, the height of the next block, and the
  // time of the newest.
  {
    balance,
    height,
    time,
  }: Readonly<Record<"balance" | "height" | "time", bigint>>,
  rules: FeeRules,
  simulated: boolean,
): Promise<Refusal | undefined> {
  const { denom, minGasPrice } = rules;
  const { memo, timeoutHeight, timeoutTimestamp, unordered } = transaction.body;
  const basic = checkBasics(transaction, rules.prefix);
  if (basic !== undefined) return basic;
  if (timeoutHeight !== 0n && height > timeoutHeight) {
    return refuse(
      30,
      `block height: ${height}, timeout height: ${timeoutHeight}: tx timeout height`,
    );
  }
  const asked = timeoutTimestamp?.seconds ?? 0n;
  const end = asked < 0n ? 1n : asked;
  if (end !== 0n && end < time) {
    return refuse(
      42,
      `block time: ${printed(time)}, timeout timestamp: ${printed(end)}: tx timeout`,
    );
  }
  // The chain counts bytes.
  const length = Buffer.byteLength(memo);
  if (length > MAX_MEMO) {
    return refuse(
      12,
      `maximum number of characters is ${MAX_MEMO} but received ${length} characters: memo too large`,
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
  // Nobody has granted anything here.
  const granter = transaction.auth.fee?.granter ?? "";
  if (granter !== "" && granter !== account.address) {
    return refuse(
      38,
      `${granter.slice(0, 120)} does not allow to pay fees for ${account.address}: fee-grant not found: not found`,
    );
  }
  if (!simulated && balance < fee) {
    return refuse(
      5,
      `spendable balance ${balance}${denom} is smaller than ${fee}${denom}: insufficient funds`,
    );
  }
  if (unordered) {
    return refuse(
      37,
      "unordered transactions are not enabled: feature not supported",
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
    ["invalid vote option", 7, "gov"],
    ["no messages proposed", 11, "gov"],
    ["invalid proposal message", 12, "gov"],
    ["metadata too long", 15, "gov"],
    ["minimum deposit is too small", 16, "gov"],
    ["summary too long", 22, "gov"],
    ["invalid deposit denom", 23, "gov"],
    ["no outputs to send transaction", 3, "bank"],
    ["sum inputs != sum outputs", 4, "bank"],
    ["multiple senders not allowed", 9, "bank"],
    ["no unbonding delegation found", 26, "staking"],
    ["too many unbonding delegation entries", 27, "staking"],
    ["cannot redelegate to the same validator", 29, "staking"],
    ["too few tokens to redelegate", 30, "staking"],
    ["redelegation destination validator not found", 31, "staking"],
    ["redelegation to this validator already in progress", 32, "staking"],
    ["too many redelegation entries", 33, "staking"],
    ["no delegation distribution info", 5, "distribution"],
    ["no validator commission to withdraw", 7, "distribution"],
    ["insufficient funds", 5, "sdk"],
    ["unauthorized", 4, "sdk"],
    ["invalid address", 7, "sdk"],
    ["invalid coins", 10, "sdk"],
    ["invalid request", 18, "sdk"],
    ["validator does not exist", 3, "staking"],
    ["no delegation for (address, validator) tuple", 19, "staking"],
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
