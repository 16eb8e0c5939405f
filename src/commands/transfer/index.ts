import { parseAddress } from "../../address/index.js";
import { DualstackError } from "../../support/errors.js";
import { knownOn } from "../shared/known-address.js";
import {
  type Money,
  nativeMoney,
  parseNative,
  tokens,
} from "../shared/money.js";
import type { Sender, SendOptions } from "../shared/sending.js";
import {
  runTransaction,
  type TransactionReport,
} from "../shared/transaction.js";
import type { Ui } from "../shared/ui.js";

export interface TransferOptions extends SendOptions {
  /** The recipient in any form. */
  readonly to: string;
  /** As people write it: whole tokens, or base units with their denomination. */
  readonly amount: string;
  /** Ends once the transfer is sent, without waiting for its block. */
  readonly async?: boolean;
  /** Sends even to a module account or a precompile. */
  readonly force?: boolean;
}

export interface TransferReport extends TransactionReport {
  readonly to: string;
  /** The recipient as an account address. */
  readonly toAccount: string;
  readonly amount: Money;
}

/**
 * Transfers native tokens.
 *
 * @throws DualstackError for a recipient that nobody holds the key of, unless
 * `force` is set
 */
export async function transfer(
  sender: Sender,
  ui: Ui,
  options: TransferOptions,
): Promise<TransferReport> {
  const { network } = sender;
  const { facts } = network;
  const to = parseAddress(options.to, {
    prefix: facts.bech32Prefix,
    what: "recipient",
  });
  const value = parseNative(options.amount, facts);
  const known = options.force === true ? undefined : await knownOn(network, to);
  if (known !== undefined) {
    throw new DualstackError(
      `the recipient is ${known}: on this chain such a transfer loses the tokens, or uses up its whole gas limit and never gets a receipt`,
      {
        network: network.name,
        address: to.hex,
        fix: "Check the address; --force sends anyway.",
      },
    );
  }
  const amount = nativeMoney(value, facts);
  const { report } = await runTransaction(
    sender,
    ui,
    {
      fields: { to: to.hex, value },
      what: `transferring ${tokens(amount)}`,
      question: () =>
        `Transfer ${tokens(amount)} to ${to.hex} on ${network.name}?`,
    },
    { ...options, wait: options.async !== true },
  );
  return { ...report, to: to.hex, toAccount: to.account, amount };
}
