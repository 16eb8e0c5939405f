import { tokens } from "./money.js";
import type { GasReport } from "./sending.js";
import type { TransactionReport } from "./transaction.js";
import type { ModuleReport } from "../modules/transact.js";
import { labelled, onNetwork } from "./layout.js";

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
  ["Fee", paid === undefined ? undefined : tokens(paid)],
];

/** The last lines of a dry run. */
export const NOTHING_SENT = ["", "Nothing was sent."];

/**
 * A transaction to one of the modules, as text.
 *
 * @param done what it was done with, and what: `["5 TOKEN", "delegated"]`
 */
export const moduleText = (
  report: ModuleReport,
  [object, participle]: readonly [object: string, participle: string],
  entries: readonly Entry[],
): string[] => [
  onNetwork(
    `${object} ${report.dryRun ? "would be " : ""}${participle}`,
    report,
  ),
  "",
  ...labelled([
    ["From", report.from],
    ...entries,
    ["Call", report.call],
    ...transactionEntries(report),
    ["Explorer", report.explorer],
  ]),
  ...(report.dryRun ? NOTHING_SENT : []),
];

/** Estimate, limit and what was used of it. */
function gasText({ estimate, limit, used }: GasReport): string {
  const parts = [`estimate ${estimate}`, `limit ${limit}`];
  return [...parts, ...(used === undefined ? [] : [`used ${used}`])].join(", ");
}
