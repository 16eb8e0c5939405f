import { parseAddress } from "../address/index.js";
import { explorerLinks } from "../chain/index.js";
import { DualstackError } from "../support/errors.js";
import { parseAmount } from "../support/units.js";
import { knownAddress } from "./known-address.js";
import { type Money, nativeMoney } from "./money.js";
import {
  confirmSpending,
  type GasReport,
  paid,
  quoteTransaction,
  send,
  type Sender,
  type SendOptions,
  settle,
} from "./sending.js";
import type { Ui } from "./ui.js";

export interface TransferOptions extends SendOptions {
  /** The recipient in any form. */
  readonly to: string;
  /** As people write it: whole tokens, or base units with their denomination. */
  readonly amount: string;
  /** Waits until the transfer is in a block. */
  readonly wait?: boolean;
  /** Sends to a module account or a precompile all the same. */
  readonly force?: boolean;
}

export interface TransferReport {
  readonly network: string;
  readonly chainId: number;
  readonly dryRun: boolean;
  readonly from: string;
  readonly to: string;
  /** The recipient as an account address. */
  readonly toAccount: string;
  readonly amount: Money;
  readonly gas: GasReport;
  /** What the sender needs at most: the amount, and the whole limit at a price that rises by an eighth. */
  readonly atMost: Money;
  readonly balance: Money;
  readonly transaction?: string;
  /** Where the transfer was waited for. */
  readonly block?: bigint;
  readonly paid?: Money;
  readonly explorer?: string;
}

/**
 * Transfers native tokens.
 *
 * @throws DualstackError; for recipients that nobody holds the key of unless
 * `force` is set
 */
export async function transfer(
  sender: Sender,
  ui: Ui,
  options: TransferOptions,
): Promise<TransferReport> {
  const { network } = sender;
  const { facts, precompiles, endpoints } = network;
  const { currency, baseDenom } = facts;
  const to = parseAddress(options.to, {
    prefix: facts.bech32Prefix,
    what: "recipient",
  });
  const value = parseAmount(options.amount, {
    symbol: currency.symbol,
    decimals: currency.decimals,
    baseDenom,
  });
  const known = knownAddress(to.hex, precompiles);
  if (known !== undefined && options.force !== true) {
    throw new DualstackError(
      `the recipient is ${known}: on this chain such a transfer loses the tokens, or uses up its whole gas limit and never has a receipt`,
      {
        network: network.name,
        address: to.hex,
        fix: "Check the address; --force sends all the same.",
      },
    );
  }
  const fields = { to: to.hex, value };
  const what = `transferring ${nativeMoney(value, facts).tokens} ${currency.symbol}`;
  const quote = await quoteTransaction(sender, fields, what);
  const report: TransferReport = {
    network: network.name,
    chainId: network.chainId,
    dryRun: options.dryRun ?? false,
    from: quote.from,
    to: to.hex,
    toAccount: to.account,
    amount: nativeMoney(value, facts),
    gas: quote.gas,
    atMost: quote.total,
    balance: quote.balance,
  };
  if (options.dryRun === true) {
    return report;
  }
  await confirmSpending(
    network,
    ui,
    `Transfer ${report.amount.tokens} ${currency.symbol} to ${to.hex} on ${network.name}?`,
    options.yes,
  );
  const hash = await send(sender, quote, fields);
  const explorer = explorerLinks.transaction(endpoints.explorerUrl, hash);
  const sent: TransferReport = {
    ...report,
    transaction: hash,
    ...(explorer === undefined ? {} : { explorer }),
  };
  if (options.wait !== true) {
    return sent;
  }
  const receipt = await settle(sender, hash, what, ui, options);
  return {
    ...sent,
    block: receipt.blockNumber,
    gas: { ...quote.gas, used: receipt.gasUsed },
    paid: paid(receipt, network),
  };
}
