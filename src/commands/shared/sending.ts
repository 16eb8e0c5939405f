import { parseAddress } from "../../address/index.js";
import { variableName } from "../../chain/index.js";
import { howToSet, taskCommand } from "../../support/major.js";
import { createFrameworkClients } from "../../framework/clients.js";
import {
  type EstimateSource,
  type GasQuote,
  quoteGas,
} from "../../gas/quote.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import { fromQuantity, toQuantity } from "../../rpc/quantities.js";
import { type Receipt, waitForReceipt } from "../../rpc/wait-for-receipt.js";
import { explainFailure, revertData } from "../../sending/failure.js";
import { DualstackError, type ErrorPlace } from "../../support/errors.js";
import { cleanText } from "../../support/text.js";
import type { NetworkDescription } from "../../config/network-description.js";
import type { Connected } from "../../connection/connected.js";
import { type Money, nativeMoney, tokens } from "./money.js";
import type { Ui } from "./ui.js";

/** A network and the account to send from; the provider signs. */
export interface Sender extends Connected {
  /** The node's own estimates, before the gas buffer. */
  readonly estimates?: EstimateSource;
  /** The sending account, as an address in any form or an index; default: the first. */
  readonly from?: string;
}

export interface TransactionFields {
  readonly to?: string;
  readonly data?: string;
  /** Base units. */
  readonly value: bigint;
  /** Base units that the call takes from the sender besides the value, such as a delegation. */
  readonly debited?: bigint;
}

/** What a transaction will cost, checked against the balance. */
export interface Quote {
  readonly from: string;
  readonly gas: GasQuote;
  /** The node's current price, in base units per gas. */
  readonly gasPrice: bigint;
  /** The fee if the whole limit is used and the price rises by what one full block adds. */
  readonly fee: Money;
  /** The fee plus everything that is spent. */
  readonly total: Money;
  readonly balance: Money;
}

/** Gas of a transaction; `used` is present once it is in a block. */
export interface GasReport extends GasQuote {
  /** The gas that was charged: on this chain at least half of the limit. */
  readonly used?: bigint;
}

/** Why a call failed, in plain words, and what to do about it. */
export interface Explanation {
  readonly reason: string;
  readonly fix?: string;
}

/** Explains a failed call from its revert data, if there is any, and the node's text. */
export type ErrorDecoder = (failure: {
  readonly data: string | undefined;
  readonly text: string;
}) => Promise<Explanation | undefined>;

// Clients offer more than today's price, and the node requires a balance that
// covers it: a full block raises the base fee by an eighth.
const FEE_RISE = { of: 9n, per: 8n };

/** Options of every task that sends. */
export interface SendOptions {
  /** Sends on the main network without asking. */
  readonly yes?: boolean;
  /** Stops before sending. */
  readonly dryRun?: boolean;
  /** Milliseconds to wait for the block. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * The account to send from: the chosen one among the network's accounts, or the
 * first.
 *
 * @throws DualstackError if the network has no account, or not the chosen one
 */
export async function senderOf({
  network,
  provider,
  from,
}: Sender): Promise<`0x${string}`> {
  const options = { prefix: network.facts.bech32Prefix };
  const answer = await provider.request({ method: "eth_accounts" });
  const accounts = (Array.isArray(answer) ? (answer as unknown[]) : [])
    .filter((account) => typeof account === "string")
    .map((account) => parseAddress(account, options).hex);
  const [first] = accounts;
  if (first === undefined) {
    throw new DualstackError("there is no account to send from", {
      network: network.name,
      fix: `${howToSet(variableName("privateKey"))}.`,
    });
  }
  if (from === undefined) {
    return first;
  }
  const isIndex = /^\s*\d{1,6}\s*$/.test(from);
  const wanted = isIndex
    ? accounts[Number(from)]
    : parseAddress(from, { ...options, what: "sender" }).hex;
  if (wanted === undefined || !accounts.includes(wanted)) {
    throw new DualstackError(
      isIndex
        ? `there is no account ${from.trim()} to send from: the network has ${accounts.length === 1 ? "only account 0" : `accounts 0 to ${accounts.length - 1}`}`
        : "the account to send from is not one of the network's",
      {
        network: network.name,
        ...(wanted === undefined ? {} : { address: wanted }),
        fix: `${taskCommand("balance", network.name)} lists them; others need their key in the configuration.`,
      },
    );
  }
  return wanted;
}

/**
 * Estimates a transaction and checks that its sender can pay for it.
 *
 * @throws DualstackError if the balance is too low, or with the node's reason
 * if the transaction would fail
 */
export async function quoteTransaction(
  sender: Sender,
  fields: TransactionFields,
  what: string,
  decodeError?: ErrorDecoder,
): Promise<Quote> {
  const { network, provider, estimates } = sender;
  const { facts } = network;
  const from = await senderOf(sender);
  const balance = fromQuantity(
    await provider.request({
      method: "eth_getBalance",
      params: [from, "latest"],
    }),
    "the balance",
  );
  const amount = (baseUnits: bigint) => nativeMoney(baseUnits, facts);
  const tooLow = (needed: bigint) => {
    const has = amount(balance);
    return new DualstackError(
      `the balance is too low: ${what} needs up to ${tokens(amount(needed))}, but the account has ${tokens(has)}`,
      {
        network: network.name,
        address: from,
        fix:
          network.kind === "mainnet"
            ? "Transfer tokens to it first."
            : `Get tokens with ${taskCommand("faucet", network.name, from)}.`,
      },
    );
  };
  const spent = fields.value + (fields.debited ?? 0n);
  if (balance < spent) {
    throw tooLow(spent);
  }
  let gas: GasQuote;
  try {
    gas = await quoteGas(provider, toRequest(from, fields), estimates);
  } catch (error) {
    const rpc = rpcErrorOf(error);
    if (rpc === undefined) {
      throw error;
    }
    const data = revertData(rpc.data);
    const explained = await decodeError?.({ data, text: rpc.message });
    if (
      explained === undefined &&
      /insufficient (?:funds|balance)|exceeds allowance/i.test(rpc.message)
    ) {
      throw tooLow(spent + 1n);
    }
    const { reason, fix } = explained ?? { reason: cleanText(rpc.message) };
    throw new DualstackError(`${what} would fail: ${reason}`, {
      network: network.name,
      fix,
      cause: error,
    });
  }
  const gasPrice = fromQuantity(
    await provider.request({ method: "eth_gasPrice" }),
    "the gas price",
  );
  // Where gas is free, libraries still offer 1 wei, and it is charged.
  const price = gasPrice > 0n ? gasPrice : 1n;
  const fee =
    (gas.limit * price * FEE_RISE.of + FEE_RISE.per - 1n) / FEE_RISE.per;
  const total = spent + fee;
  if (balance < total) {
    throw tooLow(total);
  }
  return {
    from,
    gas,
    gasPrice,
    fee: amount(fee),
    total: amount(total),
    balance: amount(balance),
  };
}

/**
 * Asks before anything of value leaves an account of the main network.
 *
 * @throws DualstackError unless the answer is yes
 */
export async function confirmSpending(
  { kind, name, chainId, chainIds }: NetworkDescription,
  ui: Ui,
  question: string,
  yes: boolean | undefined,
): Promise<void> {
  const real = kind === "mainnet" || chainId === chainIds.mainnet;
  const answer = !real || yes === true || (await ui.confirm(question));
  if (answer !== true) {
    throw new DualstackError(
      answer === false
        ? "nothing was sent: you did not confirm it"
        : "nothing was sent: there is no terminal to ask for confirmation",
      {
        network: name,
        ...(answer === false
          ? {}
          : { fix: "Add --yes to send without being asked." }),
      },
    );
  }
}

/** Sends once; the provider signs. */
export async function send(
  { network, provider }: Connected,
  { from, gas }: Quote,
  fields: TransactionFields,
): Promise<string> {
  const hash = await provider.request({
    method: "eth_sendTransaction",
    params: [{ ...toRequest(from, fields), gas: toQuantity(gas.limit) }],
  });
  if (typeof hash !== "string") {
    throw new DualstackError("the node did not answer with a hash", {
      network: network.name,
    });
  }
  return hash;
}

/**
 * Waits until a transaction is in a block and has succeeded.
 *
 * @throws DualstackError with the reason if it failed
 */
export async function settle(
  sender: Sender,
  hash: string,
  what: string,
  ui: Ui,
  { timeoutMs, signal }: SendOptions,
  decodeError?: ErrorDecoder,
): Promise<Receipt> {
  const { network, provider, estimates } = sender;
  const place: ErrorPlace = { network: network.name };
  let receipt: Receipt;
  // Some nodes do not answer until the block is there.
  ui.progress(`waiting for ${hash} to be included`);
  const blocks = watchBlocks(sender, signal);
  try {
    receipt = await waitForReceipt(provider, hash, {
      nextBlock: blocks?.next,
      onProgress: (text) => ui.progress(text),
      place,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
  } finally {
    ui.progress(undefined);
    await blocks?.close();
  }
  if (receipt.status === "success") {
    return receipt;
  }
  const failure = await explainFailure(provider, receipt.raw, estimates);
  const { reason, fix = failure.fix } =
    (await decodeError?.({ data: failure.data, text: failure.reason })) ??
    failure;
  throw new DualstackError(
    `${what} failed in block ${receipt.blockNumber}: ${reason}`,
    { ...place, transaction: hash, fix },
  );
}

// Waits for new heads before each look; without a socket, looks once a second.
function watchBlocks(
  { network, provider, headers }: Connected,
  signal: AbortSignal | undefined,
) {
  const { kind, endpoints } = network;
  if (kind === "local" || kind === "other" || endpoints.wsUrl === undefined) {
    return undefined;
  }
  const clients = createFrameworkClients({
    ...network,
    network: network.name,
    provider,
    headers,
  });
  return {
    next: clients.events.blockWaiter(signal),
    close: () => clients.close(),
  };
}

/** The fee according to a receipt. */
export const paid = (
  { gasUsed, effectiveGasPrice }: Receipt,
  { facts }: NetworkDescription,
): Money => nativeMoney(gasUsed * effectiveGasPrice, facts);

function toRequest(from: string, { to, data, value }: TransactionFields) {
  return {
    from,
    ...(to === undefined ? {} : { to }),
    ...(data === undefined ? {} : { data }),
    ...(value === 0n ? {} : { value: toQuantity(value) }),
  };
}
