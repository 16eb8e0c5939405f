import { explorerLinks } from "../../chain/index.js";
import { rpcErrorOf } from "../../rpc/provider.js";
import type { Receipt } from "../../rpc/wait-for-receipt.js";
import { revertData } from "../../sending/failure.js";
import { DualstackError } from "../../support/errors.js";
import type { Money } from "./money.js";
import {
  confirmSpending,
  type ErrorDecoder,
  type GasReport,
  paid,
  type Quote,
  quoteTransaction,
  send,
  type Sender,
  type SendOptions,
  settle,
  type TransactionFields,
} from "./sending.js";
import type { Ui } from "./ui.js";

/** What all reports on transactions have in common. */
export interface TransactionReport {
  readonly network: string;
  readonly chainId: number;
  readonly dryRun: boolean;
  readonly from: string;
  readonly gas: GasReport;
  /**
   * What the sender needs at most: everything it spends, and the whole limit at
   * a price that has risen by an eighth.
   */
  readonly atMost: Money;
  readonly balance: Money;
  readonly transaction?: string;
  /** Absent if the transaction was not waited for. */
  readonly block?: bigint;
  /** The fee that was charged. */
  readonly paid?: Money;
  readonly explorer?: string;
}

/** A transaction that a command is going to send. */
export interface Planned {
  readonly fields: TransactionFields;
  /** What fails if the transaction does, such as `deploying Vault`. */
  readonly what: string;
  /** The question to confirm on the main network. */
  readonly question: (quote: Quote) => string;
  readonly decodeError?: ErrorDecoder;
}

/**
 * Estimates a transaction, asks for confirmation where needed, sends it and
 * waits, as far as `options` say.
 *
 * @returns the receipt too, if it was waited for
 * @throws DualstackError if it would fail, is not confirmed, or fails in its
 * block
 */
export async function runTransaction(
  sender: Sender,
  ui: Ui,
  { fields, what, question, decodeError }: Planned,
  options: SendOptions & { readonly wait?: boolean },
): Promise<{
  readonly report: TransactionReport;
  readonly receipt?: Receipt;
}> {
  const { network } = sender;
  ui.progress(`estimating the cost of ${what}`);
  let quote: Quote;
  try {
    quote = await quoteTransaction(sender, fields, what, decodeError);
  } finally {
    ui.progress(undefined);
  }
  const planned: TransactionReport = {
    network: network.name,
    chainId: network.chainId,
    dryRun: options.dryRun ?? false,
    from: quote.from,
    gas: quote.gas,
    atMost: quote.total,
    balance: quote.balance,
  };
  if (options.dryRun === true) {
    return { report: planned };
  }
  await confirmSpending(network, ui, question(quote), options.yes);
  let hash: string;
  try {
    hash = await send(sender, quote, fields);
  } catch (error) {
    throw await explained(error, what, network.name, decodeError);
  }
  const explorer = explorerLinks.transaction(
    network.endpoints.explorerUrl,
    hash,
  );
  const sent: TransactionReport = {
    ...planned,
    transaction: hash,
    ...(explorer === undefined ? {} : { explorer }),
  };
  if (options.wait === false) {
    return { report: sent };
  }
  const receipt = await settle(sender, hash, what, ui, options, decodeError);
  return {
    receipt,
    report: {
      ...sent,
      block: receipt.blockNumber,
      gas: { ...quote.gas, used: receipt.gasUsed },
      paid: paid(receipt, network),
    },
  };
}

// A local network reports a failed transaction when it is sent.
async function explained(
  error: unknown,
  what: string,
  network: string,
  decodeError: ErrorDecoder | undefined,
): Promise<unknown> {
  const rpc = rpcErrorOf(error);
  const explanation =
    rpc === undefined
      ? undefined
      : await decodeError?.({
          data: revertData(rpc.data),
          text: rpc.message,
        });
  return explanation === undefined
    ? error
    : new DualstackError(`${what} failed: ${explanation.reason}`, {
        network,
        fix: explanation.fix,
        cause: error,
      });
}
