import { tokens } from "../money.js";
import type { TransactionReport } from "../transaction.js";
import { gasText } from "./gas.js";

type Entry = readonly [label: string, value: string | undefined];

/** What became of a transaction and what it cost, or would cost. */
export const transactionEntries = ({
  dryRun,
  transaction,
  block,
  gas,
  atMost,
  balance,
  paid,
}: Omit<TransactionReport, "explorer">): Entry[] => [
  ["Transaction", transaction],
  ["Block", block?.toString()],
  ["Gas", gasText(gas)],
  ["At most", dryRun ? tokens(atMost) : undefined],
  ["Balance", dryRun ? tokens(balance) : undefined],
  ["Paid", paid === undefined ? undefined : tokens(paid)],
];

/** The last lines of a dry run. */
export const NOTHING_SENT = ["", "Nothing was sent."];
