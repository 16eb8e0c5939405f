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

/** What is told of everything that a command sends. */
export interface TransactionReport {
  readonly network: string;
  readonly chainId: number;
  readonly dryRun: boolean;
  readonly from: string;
  readonly gas: GasReport;
  /** What the sender needs at most: what it spends, and the whole limit at a price that rises by an eighth. */
  readonly atMost: Money;
  readonly balance: Money;
  readonly transaction?: string;
  /** Where the transaction was waited for. */
  readonly block?: bigint;
  /** The fee that was charged. */
  readonly paid?: Money;
  readonly explorer?: string;
}

/** What a command wants to send. */
export interface Planned {
  readonly fields: TransactionFields;
  /** Such as `deploying Vault`. */
  readonly what: string;
  /** What is asked on the main network. */
  readonly question: (quote: Quote) => string;
  readonly decodeError?: ErrorDecoder;
}

/**
 * Estimates, asks where that is due, sends and waits, as far as `options`
 * want that; the receipt is there when it was waited for.
 *
 * @throws DualstackError
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

// A local network tells already when it is sent that a transaction failed.
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
